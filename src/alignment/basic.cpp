// PSR basic: train on the seeds once, then rank.
#include <dovetail/align.h>
#include <dovetail/errors.h>

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "alignment/model.h"
#include "alignment/ranking.h"
#include "alignment/signal_inputs.h"
#include "alignment/strategy.h"
#include "alignment/workbench.h"
#include "common/stopwatch.h"

namespace dovetail {

AlignOptions paper_options() {
  AlignOptions options;
  options.encoder.attention = Attention::three_part;
  options.encoder.reflection = Reflection::unit;
  options.sampling.method = Sampling::attention;
  options.sampling.distinct = false;
  options.sampling.reach = 0;
  options.loss.dropout = 0.3;
  options.training.tie_seeds = false;
  options.training.epochs = 14;
  options.training.learning_rate = 0.005;
  options.training.batch_size = 512;
  options.training.most_batches = 0;
  options.matching.clip = 0;
  options.mode = Mode::basic;
  options.semi.strategy = Strategy::paper;
  options.deciding.decoder = Decoder::csls;
  return options;
}

AlignOptions gcn_align_options() {
  AlignOptions options;
  options.encoder.entity_feature = EntityFeature::raw;
  options.encoder.relation_feature = false;
  options.encoder.attention = Attention::symmetric;
  options.encoder.self_loops = true;
  options.encoder.transform = Transform::none;
  options.encoder.representation = Representation::last;
  options.loss.kind = LossKind::triplet;
  options.loss.negatives = Negatives::uniform;
  options.loss.dropout = 0;
  options.training.tie_seeds = false;
  options.training.optimiser = Optimiser::adam;
  options.training.learning_rate = 0.01;
  options.training.batch_size = 0;
  options.training.epochs = 100;
  options.matching.clip = 0;
  options.mode = Mode::basic;
  options.deciding.decoder = Decoder::csls;
  return options;
}

void require_seeds(const SeedLinks& links) {
  if (!links.train.empty()) return;
  throw ParameterError(
      "there are no seed links, and neither names nor values tell entities apart; expected one of these: "
      "give "
      "pairs known to be the same with --links, labels or values in the graphs, or a file of names with "
      "--names");
}

Trained train_once(Workbench& bench, const SeedLinks& links, Observer& observer, Progress& progress) {
  require_seeds(links);
  const AlignOptions& options = bench.options();
  const std::vector<NodePair> seeds = bench.nodes(links.train), valid = bench.nodes(links.valid);
  std::vector<NodePair> anchors = seeds;
  anchors.insert(anchors.end(), valid.begin(), valid.end());
  const bool tie = options.training.tie_seeds;
  Trainer<float> trainer =
      bench.trainer(options, {options.seed, tie ? seeds : std::vector<NodePair>()}, anchors);
  train_kept(trainer, seeds, valid, options, observer, progress);
  progress.report.working_bytes = trainer.working_memory_bytes();
  progress.report.step_seconds = trainer.seconds();
  return {std::move(trainer.parameters()), options.seed, tie ? links.train : std::vector<Link>()};
}

Model train(const GraphPair& pair, const SeedLinks& links, const AlignOptions& options, Observer& observer,
            TrainingReport* report) {
  require_seeds(links);
  Progress progress;
  const Stopwatch watch;
  Workbench bench(pair, options, &observer);
  progress.report.sampling = bench.options().sampling.method;
  const Trained trained = train_once(bench, links, observer, progress);
  Model model = model_of(bench, trained);
  progress.report.seconds = watch.seconds();
  if (report != nullptr) *report = std::move(progress.report);
  return model;
}

Pools closed_pools(const std::vector<Link>& links) {
  Pools pools;
  for (const Link& link : links) {
    pools.left.push_back(link.left);
    pools.right.push_back(link.right);
  }
  for (std::vector<EntityId>* side : {&pools.left, &pools.right}) {
    std::ranges::sort(*side);
    side->erase(std::unique(side->begin(), side->end()), side->end());
  }
  return pools;
}

Pools open_pools(const GraphPair& pair, const std::vector<Link>& taken) {
  const Pools used = closed_pools(taken);
  const auto rest = [](std::size_t count, const std::vector<EntityId>& without) {
    std::vector<EntityId> entities;
    for (EntityId entity = 0; entity < count; ++entity) {
      if (!std::ranges::binary_search(without, entity)) entities.push_back(entity);
    }
    return entities;
  };
  return {.left = rest(pair.left().entity_count(), used.left),
          .right = rest(pair.right().entity_count(), used.right)};
}

Alignment match(const GraphPair& pair, const Model& model, const Pools& pools, const std::vector<Link>& gold,
                const AlignOptions& options, Observer& observer) {
  AlignOptions encoding = options;
  encoding.encoder = model.encoder;
  const Stopwatch watch;
  Workbench bench(pair, encoding, &observer);
  const Trained trained{.parameters = take_parameters(model, bench.layout(), bench.order()),
                        .seed = model.seed,
                        .tied = model.tied,
                        .keys = initial_keys(model)};
  const double setting_up = watch.seconds();
  const Decoder decoder =
      options.deciding.decoder == Decoder::automatic ? Decoder::csls : options.deciding.decoder;
  AlignOptions basic = options;
  basic.mode = Mode::basic;
  const SignalSources sources = make_signals(pair, {}, basic, signal_inputs(), bench.pool(), observer);
  Ranking ranking = rank_pools(bench, trained, pools, gold, sources, decoder, observer);
  ranking.alignment.match_seconds += setting_up;
  return std::move(ranking.alignment);
}

}  // namespace dovetail
