#include "signals/values.h"

#include <dovetail/errors.h>

#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "graph/name_predicates.h"
#include "values/value_matcher.h"

namespace dovetail {
namespace {

std::vector<EntityId> all_entities(const KnowledgeGraph& graph) {
  std::vector<EntityId> entities(graph.entity_count());
  std::iota(entities.begin(), entities.end(), 0U);
  return entities;
}

class Values : public Signal {
 public:
  Values(const ValueMatcher& matcher, const ValueModel& model, const Pools& pools,
         const AlignOptions& options, ThreadPool& pool)
      : matcher_(matcher), model_(model), pools_(pools), options_(options) {
    const SparseScores candidates = matcher.candidates(pools.left, pools.right, pool);
    found_.similarity = matcher.scores(model, pools.left, pools.right, candidates, pool);
  }

  [[nodiscard]] std::string_view name() const override { return "values"; }
  [[nodiscard]] bool identifies() const override { return true; }

  /// Searched once: values do not change.
  [[nodiscard]] std::optional<Found> propose(const SparseScores* /*believed*/) const override {
    return found_;
  }
  [[nodiscard]] float score(std::size_t row, std::size_t column) const override {
    return matcher_.score(model_, pools_.left[row], pools_.right[column]);
  }

  void weigh(std::span<float> /*corrected*/) const override {}  // scores are logits
  [[nodiscard]] double temperature() const override { return 1; }
  [[nodiscard]] std::size_t iterations() const override { return options_.deciding.iterations; }

 private:
  const ValueMatcher& matcher_;
  const ValueModel& model_;
  const Pools& pools_;
  const AlignOptions& options_;
  Found found_;
};

class ValuesSource : public SignalSource {
 public:
  ValuesSource(const GraphPair& pair, ThreadPool& pool) : matcher_(pair, {}) {
    const std::vector<EntityId> left = all_entities(pair.left()), right = all_entities(pair.right());
    model_ = matcher_.learn(left, right, matcher_.candidates(left, right, pool), {}, pool);
  }

  [[nodiscard]] std::string_view name() const override { return "values"; }
  [[nodiscard]] bool identifies() const override { return true; }
  [[nodiscard]] std::unique_ptr<Signal> in(const Pools& pools, const AlignOptions& options,
                                           ThreadPool& pool) const override {
    return std::make_unique<Values>(matcher_, model_, pools, options, pool);
  }

 private:
  ValueMatcher matcher_;
  ValueModel model_;
};

/// Learns anew from the links that were decided, so that an outsider can follow it from these alone.
class ValueReasonGiver : public ReasonGiver {
 public:
  ValueReasonGiver(const GraphPair& pair, const Beliefs& decided, ThreadPool& pool)
      : pair_(pair), matcher_(pair, {}) {
    if (!values_help(pair)) return;  // graphs that no run would compare by values
    const std::vector<EntityId> left = all_entities(pair.left()), right = all_entities(pair.right());
    const SparseScores candidates = matcher_.candidates(left, right, pool);
    std::vector<float> known(candidates.size(), -1);
    for (EntityId entity = 0; entity < candidates.rows(); ++entity) {
      for (std::uint64_t n = candidates.begin[entity]; n < candidates.begin[entity + 1]; ++n) {
        const std::size_t at = find_column(decided, entity, candidates.column[n]);
        if (at != SparseScores::kAbsent) known[n] = decided.score[at];
      }
    }
    model_ = matcher_.learn(left, right, candidates, known, pool);
  }

  [[nodiscard]] Reasons reasons(EntityId left, EntityId right, std::size_t most) const override {
    const ValueReasons found = matcher_.reasons(model_, left, right, most);
    return {.in_favour = in_words(found.in_favour), .against = in_words(found.against)};
  }

  [[nodiscard]] double evidence(EntityId left, EntityId right) const override {
    double sum = 0;
    for (const ValueReason& reason : matcher_.reasons(model_, left, right, SIZE_MAX).in_favour)
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
  ValueModel model_;
};

}  // namespace

std::unique_ptr<SignalSource> value_source(const SignalContext& context) {
  return std::make_unique<ValuesSource>(context.pair, context.pool);
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
                                           const Beliefs& decided, ThreadPool& pool) {
  return std::make_unique<ValueReasonGiver>(pair, decided, pool);
}

}  // namespace dovetail
