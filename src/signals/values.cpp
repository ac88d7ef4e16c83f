#include "signals/values.h"

#include <dovetail/errors.h>

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "common/text.h"
#include "graph/name_predicates.h"
#include "values/value_matcher.h"

namespace dovetail {
namespace {

std::vector<EntityId> all_entities(const KnowledgeGraph& graph) {
  std::vector<EntityId> entities(graph.entity_count());
  std::iota(entities.begin(), entities.end(), 0U);
  return entities;
}

/// The attribute of a graph that a user calls so: by its whole identifier, or by the last part of just one.
std::uint32_t attribute_called(const KnowledgeGraph& graph, std::string_view name, const std::string& file,
                               const AttributeRule& rule) {
  std::vector<std::uint32_t> found;
  for (std::uint32_t a = 0; a < graph.attributes().size(); ++a) {
    if (graph.attributes()[a] == name) return a;
    if (last_part(graph.attributes()[a]) == name) found.push_back(a);
  }
  if (found.size() == 1) return found[0];
  const bool left = name == rule.left;
  throw InputError(file, rule.line,
                   fmt::format("{} is {} of the {} graph; expected the identifier of an attribute that has "
                               "values there: `dovetail inspect` lists them",
                               shown(name), found.empty() ? "no attribute" : "the end of several attributes",
                               left ? "left" : "right"));
}

AttributeChoices choices_of(const SignalContext& context) {
  const GraphPair& pair = context.pair;
  const std::filesystem::path& file = context.options.values.attributes;
  AttributeChoices choices;
  if (file.empty()) return choices;
  for (const AttributeRule& rule : context.inputs.attribute_rules(file, context.observer)) {
    const AttributePair attributes = {attribute_called(pair.left(), rule.left, file.string(), rule),
                                      attribute_called(pair.right(), rule.right, file.string(), rule)};
    (rule.same ? choices.same : choices.different).insert(attributes);
    if (choices.same.contains(attributes) && choices.different.contains(attributes)) {
      throw InputError(file.string(), rule.line,
                       "an earlier line says the opposite of these two attributes; expected one of the two");
    }
  }
  return choices;
}

/// What was learned from some known links, and what it says of all candidate pairs of the graphs.
struct Learned {
  std::vector<Link> known;
  std::shared_ptr<const ValueModel> model;
  SparseScores scores;
};

/// Places of pool entities; kNone for all others.
std::vector<std::uint32_t> places_of(std::span<const EntityId> entities, std::size_t count) {
  std::vector<std::uint32_t> places(count, kNone);
  for (std::uint32_t n = 0; n < entities.size(); ++n) places[entities[n]] = n;
  return places;
}

/// The scores of the pairs that are in the pools, by places in these.
SparseScores within(const SparseScores& scores, const Pools& pools) {
  const std::vector<std::uint32_t> places = places_of(pools.right, scores.columns);
  SparseScores part;
  part.columns = pools.right.size();
  for (const EntityId entity : pools.left) {
    for (std::uint64_t n = scores.begin[entity]; n < scores.begin[entity + 1]; ++n) {
      if (places[scores.column[n]] == kNone) continue;
      part.column.push_back(places[scores.column[n]]);
      part.score.push_back(scores.score[n]);
    }
    part.begin.push_back(part.column.size());
  }
  return part;
}

class Values : public Signal {
 public:
  Values(const ValueMatcher& matcher, std::shared_ptr<const Learned> learned, Found found, const Pools& pools,
         const AlignOptions& options)
      : matcher_(matcher),
        learned_(std::move(learned)),
        found_(std::move(found)),
        pools_(pools),
        options_(options) {}

  [[nodiscard]] std::string_view name() const override { return "values"; }
  [[nodiscard]] bool identifies() const override { return true; }

  /// Searched once: values do not change.
  [[nodiscard]] std::optional<Found> propose(const SparseScores* /*believed*/) const override {
    return found_;
  }
  [[nodiscard]] float score(std::size_t row, std::size_t column) const override {
    return matcher_.score(*learned_->model, pools_.left[row], pools_.right[column]);
  }

  void weigh(std::span<float> /*corrected*/) const override {}  // scores are logits
  [[nodiscard]] double temperature() const override { return 1; }
  [[nodiscard]] std::size_t iterations() const override { return options_.deciding.iterations; }

 private:
  const ValueMatcher& matcher_;
  std::shared_ptr<const Learned> learned_;
  Found found_;
  const Pools& pools_;
  const AlignOptions& options_;
};

/// Learns once for each set of known links: those of the run, and those that are left when some are held out.
class ValuesSource : public SignalSource {
 public:
  ValuesSource(const GraphPair& pair, const ValueOptions& options, AttributeChoices choices, ThreadPool& pool)
      : matcher_(pair, options, std::move(choices)),
        left_(all_entities(pair.left())),
        right_(all_entities(pair.right())) {
    candidates_ = matcher_.candidates(left_, right_, pool);
  }

  [[nodiscard]] std::string_view name() const override { return "values"; }
  [[nodiscard]] bool identifies() const override { return true; }
  [[nodiscard]] std::unique_ptr<Signal> in(const Pools& pools, const AlignOptions& options,
                                           ThreadPool& pool) const override {
    std::shared_ptr<const Learned> learned = learn(pools.known, pool);
    Found found;
    if (covers(pools)) {
      found.similarity = within(learned->scores, pools);
    } else {
      const SparseScores candidates = matcher_.candidates(pools.left, pools.right, pool);
      found.similarity = matcher_.scores(*learned->model, pools.left, pools.right, candidates, pool);
    }
    return std::make_unique<Values>(matcher_, std::move(learned), std::move(found), pools, options);
  }

  void tell_learned(std::span<const Link> known, LearnedBySignals& learned) const override {
    const std::shared_ptr<const Learned> found = learned_from(known);
    if (found != nullptr) learned.values = found->model;
  }

 private:
  [[nodiscard]] std::shared_ptr<const Learned> learned_from(std::span<const Link> known) const {
    const auto same = std::ranges::find_if(
        learned_, [&](const auto& one) { return std::ranges::equal(one->known, known); });
    return same == learned_.end() ? nullptr : *same;
  }
  [[nodiscard]] std::shared_ptr<const Learned> learn(const std::vector<Link>& known, ThreadPool& pool) const {
    if (std::shared_ptr<const Learned> before = learned_from(known)) return before;
    auto learned = std::make_shared<Learned>();
    learned->known = known;
    learned->model = std::make_shared<const ValueModel>(
        matcher_.learn(left_, right_, candidates_, known_chances(candidates_, known), pool));
    learned->scores = matcher_.scores(*learned->model, left_, right_, candidates_, pool);
    learned_.push_back(learned);
    return learned;
  }

  /// Whether everything but the ends of known links is in the pools: their candidates were found already.
  [[nodiscard]] bool covers(const Pools& pools) const {
    return pools.left.size() + pools.known.size() >= left_.size() &&
           pools.right.size() + pools.known.size() >= right_.size();
  }

  ValueMatcher matcher_;
  std::vector<EntityId> left_, right_;
  SparseScores candidates_;
  mutable std::vector<std::shared_ptr<const Learned>> learned_;
};

/// What was decided of candidate pairs: the confidence of links, and -1 where nothing was.
std::vector<float> decided_chances(const SparseScores& candidates, const Beliefs& decided) {
  std::vector<float> known(candidates.size(), -1);
  for (EntityId entity = 0; entity < candidates.rows(); ++entity) {
    for (std::uint64_t n = candidates.begin[entity]; n < candidates.begin[entity + 1]; ++n) {
      const std::size_t at = find_column(decided, entity, candidates.column[n]);
      if (at != SparseScores::kAbsent) known[n] = decided.score[at];
    }
  }
  return known;
}

class ValueReasonGiver : public ReasonGiver {
 public:
  ValueReasonGiver(const GraphPair& pair, const Beliefs& decided, std::shared_ptr<const ValueModel> model,
                   ThreadPool& pool)
      : pair_(pair), matcher_(pair, {}), model_(std::move(model)) {
    if (model_ != nullptr) return;
    const std::vector<EntityId> left = all_entities(pair.left()), right = all_entities(pair.right());
    const SparseScores candidates = matcher_.candidates(left, right, pool);
    model_ = std::make_shared<const ValueModel>(
        matcher_.learn(left, right, candidates, decided_chances(candidates, decided), pool));
  }

  [[nodiscard]] Reasons reasons(EntityId left, EntityId right, std::size_t most) const override {
    const ValueReasons found = matcher_.reasons(*model_, left, right, most);
    return {.in_favour = in_words(found.in_favour), .against = in_words(found.against)};
  }

  [[nodiscard]] double evidence(EntityId left, EntityId right) const override {
    double sum = 0;
    for (const ValueReason& reason : matcher_.reasons(*model_, left, right, SIZE_MAX).in_favour)
      sum += reason.weight;
    return sum;
  }

 private:
  [[nodiscard]] Statement statement(Side side, std::uint32_t attribute, std::uint32_t value) const {
    const KnowledgeGraph& graph = pair_.graph(side);
    if (attribute == kAllValues) return {.property = "(all values)", .value = "", .name = ""};
    return {.property = std::string(graph.attributes()[attribute]),
            .value = std::string(graph.literal_values()[value]),
            .name = ""};
  }
  [[nodiscard]] std::vector<Reason> in_words(const std::vector<ValueReason>& reasons) const {
    std::vector<Reason> result;
    for (const ValueReason& reason : reasons) {
      result.push_back({.signal = "values",
                        .left = statement(Side::left, reason.left_attribute, reason.left_value),
                        .right = statement(Side::right, reason.right_attribute, reason.right_value),
                        .belief = 1,
                        .weight = reason.weight < 0 ? -reason.weight : reason.weight});
    }
    return result;
  }

  const GraphPair& pair_;
  ValueMatcher matcher_;
  std::shared_ptr<const ValueModel> model_;
};

/// Of graphs that no run would compare by values.
class NoReasons : public ReasonGiver {
 public:
  [[nodiscard]] Reasons reasons(EntityId /*left*/, EntityId /*right*/, std::size_t /*most*/) const override {
    return {};
  }
  [[nodiscard]] double evidence(EntityId /*left*/, EntityId /*right*/) const override { return 0; }
};

}  // namespace

std::unique_ptr<SignalSource> value_source(const SignalContext& context) {
  const ValueOptions& options = context.options.values;
  return std::make_unique<ValuesSource>(context.pair, options, choices_of(context), context.pool);
}

bool values_help(const GraphPair& pair) {
  for (const Side side : {Side::left, Side::right}) {
    const KnowledgeGraph& graph = pair.graph(side);
    std::vector<std::uint8_t> is_name(graph.attributes().size(), 0), described(graph.entity_count(), 0);
    for (std::size_t a = 0; a < is_name.size(); ++a) {
      is_name[a] = name_preference(graph.attributes()[a]).has_value() ? 1 : 0;
    }
    for (const LiteralTriple& literal : graph.literals()) {
      if (is_name[literal.attribute] == 0) described[literal.subject] = 1;
    }
    const auto count = std::accumulate(described.begin(), described.end(), std::size_t{0});
    if (2 * count < graph.entity_count() || count == 0) return false;
  }
  return true;
}

void require_values(const GraphPair& pair) {
  if (!pair.left().literals().empty() && !pair.right().literals().empty()) return;
  throw ParameterError(
      "one of the two graphs has no literals; expected values of attributes on both sides: use "
      "--mode names or --mode semi");
}

std::unique_ptr<ReasonGiver> value_reasons(const GraphPair& pair, const AlignOptions& /*options*/,
                                           const Beliefs& decided, const LearnedBySignals& learned,
                                           ThreadPool& pool) {
  if (learned.values == nullptr && !values_help(pair)) return std::make_unique<NoReasons>();
  return std::make_unique<ValueReasonGiver>(pair, decided, learned.values, pool);
}

}  // namespace dovetail
