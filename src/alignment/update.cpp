// Going on from an earlier run when more is known: more links, pairs that are not the same, more of the
// graphs.
#include "alignment/update.h"

#include <dovetail/errors.h>

#include <algorithm>
#include <utility>

#include "alignment/model.h"
#include "common/random.h"
#include "common/stopwatch.h"
#include "deciding/belief_loop.h"

namespace dovetail {
namespace {

/// Of a training that goes on with the same parameters.
constexpr std::size_t kEpochs = 3;

/// Rows of an earlier model -> rows of now.
using RowMap = std::vector<std::uint32_t>;

RowMap entity_rows(const Run& earlier, const GraphPair& pair) {
  RowMap rows;
  for (EntityId entity = 0; entity < earlier.graphs.left_entities; ++entity) {
    rows.push_back(pair.shared_id(Side::left, entity));
  }
  for (EntityId entity = 0; entity < earlier.graphs.right_entities; ++entity) {
    rows.push_back(pair.shared_id(Side::right, entity));
  }
  return rows;
}

RowMap relation_rows(const Run& earlier, const GraphPair& pair, const EncoderLayout& layout) {
  RowMap rows;
  for (RelationId relation = 0; relation < earlier.graphs.left_relations; ++relation)
    rows.push_back(relation);
  for (RelationId relation = 0; relation < earlier.graphs.right_relations; ++relation) {
    const RelationId shared = pair.shared_relation(Side::right, relation);
    if (shared >= earlier.graphs.left_relations) rows.push_back(shared);  // else the left graph had it too
  }
  const std::size_t forward = rows.size();
  for (std::size_t n = 0; n < forward; ++n) {
    rows.push_back(static_cast<std::uint32_t>(rows[n] + pair.relation_count()));
  }
  if (layout.options.self_loops) rows.push_back(static_cast<std::uint32_t>(layout.relation_rows - 1));
  return rows;
}

/// Throws ParameterError where the model is not that of the earlier graphs, or is needed and not there.
void check_model(const Run& earlier, const Workbench& bench) {
  const AlignOptions& options = bench.options();
  const bool rules_alone = options.mode != Mode::basic && options.semi.strategy == Strategy::rules;
  if (rules_alone) return;
  if (earlier.model.entity_count == 0)
    throw ParameterError("the earlier run has no model; expected one to go on from");
  const std::size_t relations = relation_rows(earlier, bench.pair(), bench.layout()).size();
  if (earlier.model.entity_count == earlier.graphs.left_entities + earlier.graphs.right_entities &&
      earlier.model.relation_rows == relations) {
    return;
  }
  throw ParameterError("the model belongs to other graphs: it has other numbers of entities or relations");
}

/// Old rows keep their keys, new ones get keys that nobody has.
std::vector<std::uint32_t> grown_keys(const std::vector<std::uint32_t>& keys, const RowMap& rows,
                                      std::size_t count) {
  std::vector<std::uint32_t> grown(count, kNone);
  std::uint32_t next = 0;
  for (std::uint32_t n = 0; n < rows.size(); ++n) {
    const std::uint32_t key = keys.empty() ? n : keys[n];
    grown[rows[n]] = key;
    next = std::max(next, key + 1);
  }
  for (std::uint32_t& key : grown) {
    if (key == kNone) key = next++;
  }
  return grown;
}

void copy_rows(const std::vector<float>& from, const RowMap& rows, std::size_t dimension,
               std::vector<float>& to) {
  for (std::size_t n = 0; n < rows.size(); ++n) {
    std::copy_n(from.data() + n * dimension, dimension, to.data() + rows[n] * dimension);
  }
}

/// The earlier model with rows for what is new, which are as at the start of a training.
Model grown_model(const Model& model, const Run& earlier, Workbench& bench) {
  const RowMap entities = entity_rows(earlier, bench.pair());
  const RowMap relations = relation_rows(earlier, bench.pair(), bench.layout());
  Model grown;
  grown.encoder = model.encoder;
  grown.seed = model.seed;
  grown.tied = model.tied;
  grown.entity_keys = grown_keys(model.entity_keys, entities, bench.pair().entity_count());
  grown.relation_keys = grown_keys(model.relation_keys, relations, bench.layout().relation_rows);
  put_parameters(
      initial_parameters<float>(bench.layout(), bench.order(), grown.seed, bench.pool(), initial_keys(grown)),
      bench.layout(), bench.order(), grown);
  copy_rows(model.entities, entities, model.encoder.dimension, grown.entities);
  copy_rows(model.relations, relations, model.encoder.dimension, grown.relations);
  grown.attention = model.attention;
  grown.linear = model.linear;
  return grown;
}

/// What links leave open: pairs that they neither contain nor contradict.
class StillOpen {
 public:
  StillOpen(const GraphPair& pair, const SeedLinks& links)
      : apart_(links.apart),
        left_(pair.left().entity_count(), false),
        right_(pair.right().entity_count(), false) {
    for (const Link& link : links.train) left_[link.left] = right_[link.right] = true;
  }
  [[nodiscard]] bool operator()(const Link& link) const {
    return !left_[link.left] && !right_[link.right] && !kept_apart(apart_, link);
  }

 private:
  const std::vector<Link>& apart_;
  std::vector<bool> left_, right_;
};

/// One run that goes on.
class Update {
 public:
  Update(Workbench& bench, const Task& task, const Run& earlier, Observer& observer, Progress& progress)
      : bench_(bench),
        task_(task),
        earlier_(earlier),
        observer_(observer),
        progress_(progress),
        report_(progress.report) {
    check_model(earlier, bench);
    const StillOpen open(bench.pair(), task.links);
    for (const DecidedLink& link : earlier.decisions.links) {
      if (!open({link.left, link.right})) continue;
      found_.push_back(link);
      found_.back().confidence = std::min(link.confidence, bench.options().beliefs.most);
    }
  }

  Trained run() {
    const AlignOptions& options = bench_.options();
    if (options.mode == Mode::basic) return train_on({});
    switch (options.semi.strategy) {
      case Strategy::best:
      case Strategy::rules:
        return with_rules();
      case Strategy::restart:
        return from_new_start(with_seeds(sure()));
      case Strategy::paper:
      case Strategy::normal:
      case Strategy::no_review:
        break;
    }
    return train_on(sure());
  }

 private:
  /// Links of the earlier run that are sure enough to train on.
  [[nodiscard]] std::vector<Link> sure() const {
    std::vector<Link> links;
    for (const DecidedLink& link : found_) {
      if (link.confidence >= bench_.options().semi.sure) links.push_back({link.left, link.right});
    }
    return links;
  }

  [[nodiscard]] std::vector<Link> with_seeds(const std::vector<Link>& found) const {
    std::vector<Link> links = task_.links.train;
    links.insert(links.end(), found.begin(), found.end());
    return links;
  }

  /// What the earlier run had learned; the ends of `links` get one embedding.
  [[nodiscard]] Trained learned(const std::vector<Link>& links) const {
    const Model model = grown_model(earlier_.model, earlier_, bench_);
    Trained trained{.parameters = take_parameters(model, bench_.layout(), bench_.order()),
                    .seed = model.seed,
                    .tied = {},
                    .keys = initial_keys(model)};
    std::vector<Link> before = model.tied;
    std::ranges::sort(before);
    trained.tied = links;
    std::vector<Link> added;
    for (const Link& link : links) {
      if (!std::ranges::binary_search(before, link)) added.push_back(link);
    }
    tie<float>(bench_.nodes(added), trained.parameters);
    return trained;
  }

  /// Goes on with the same parameters.
  Trained train_on(const std::vector<Link>& found) {
    require_seeds(task_.links);
    AlignOptions options = bench_.options();
    const bool tied = options.training.tie_seeds;
    Trained trained = learned(tied ? task_.links.train : std::vector<Link>());
    const std::vector<NodePair> links = bench_.nodes(with_seeds(found)),
                                valid = bench_.nodes(task_.links.valid);
    std::vector<NodePair> anchors = links;
    anchors.insert(anchors.end(), valid.begin(), valid.end());
    options.training.epochs = kEpochs;
    options.seed = mix64(options.seed + links.size());
    Trainer<float> trainer = bench_.trainer(options, trained.start(bench_), anchors);
    trainer.parameters() = std::move(trained.parameters);
    trainer.renew_sampling();
    train_kept(trainer, links, valid, options, observer_, progress_);
    report_.working_bytes = trainer.working_memory_bytes();
    report_.step_seconds += trainer.seconds();
    trained.parameters = std::move(trainer.parameters());
    return trained;
  }

  Trained from_new_start(const std::vector<Link>& links) {
    Stopwatch watch;
    Trained trained = train_from_new_start(bench_, links, 0, observer_, progress_);
    const Turn turn{.trained_on = links.size(),
                    .loss = report_.epochs.back().loss,
                    .steps = report_.steps,
                    .train_seconds = watch.lap()};
    report_.turns.push_back(turn);
    tell(observer_, report_.turns.size(), turn);
    return trained;
  }

  /// Rules go on from what was found. The embeddings stay as they were learned, and the ends of what the
  /// rules are sure of get one: a training from a new start costs more and, where much of what is new has no
  /// counterpart, finds less.
  Trained with_rules() {
    const AlignOptions& options = bench_.options();
    Signals signals = task_.signals.in(task_.pools, options, bench_.pool());
    BeliefLoop loop(bench_.pair(), task_.pools, signals, options, bench_.pool());
    Beliefs beliefs = beliefs_of(bench_.pair(), task_.links.train, found_);
    Stopwatch watch;
    Turn turn{.trained_on = task_.links.train.size() + found_.size()};
    const Believed first = loop.refine(nullptr, {}, beliefs);
    judge_ranking(bench_.pair(), task_.pools, first.probabilities.pairs, task_.gold, 0, turn);
    const std::vector<Link> links = loop.sure_links(beliefs);
    turn.found = links.size() - task_.links.train.size();
    judge(links, task_.gold, turn);
    turn.search_seconds = watch.lap();
    report_.turns.push_back(turn);
    tell(observer_, report_.turns.size(), turn);
    Trained trained;
    if (options.semi.strategy == Strategy::best) trained = learned(links);
    trained.beliefs = std::move(beliefs);
    return trained;
  }

  Workbench& bench_;
  const Task& task_;
  const Run& earlier_;
  Observer& observer_;
  Progress& progress_;
  TrainingReport& report_;
  std::vector<DecidedLink> found_;  ///< by the earlier run, and not settled or contradicted since
};

}  // namespace

Trained train_further(Workbench& bench, const Task& task, const Run& earlier, Observer& observer,
                      Progress& progress) {
  return Update(bench, task, earlier, observer, progress).run();
}

}  // namespace dovetail
