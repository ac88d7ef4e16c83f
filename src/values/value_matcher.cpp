#include "values/value_matcher.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace dovetail {

namespace {

/// With more pairs of attributes than this only those of the most frequent attributes are tried.
constexpr std::size_t kMostAttributePairs = 2500;

std::vector<std::uint32_t> by_frequency(const ValueTable& table) {
  std::vector<std::uint32_t> attributes;
  for (std::uint32_t a = 0; a < table.attribute_count(); ++a) {
    if (table.summary(a).values > 0) attributes.push_back(a);
  }
  std::ranges::stable_sort(attributes, [&](std::uint32_t a, std::uint32_t b) {
    return table.summary(a).entities > table.summary(b).entities;
  });
  return attributes;
}

std::vector<ComparedAttributes> attribute_pairs(const ValueTable& left, const ValueTable& right,
                                                const AttributeChoices& choices) {
  std::vector<std::uint32_t> a = by_frequency(left), b = by_frequency(right);
  while (a.size() * b.size() > kMostAttributePairs) (a.size() > b.size() ? a : b).pop_back();
  std::vector<ComparedAttributes> pairs;
  for (const AttributePair& pair : choices.same) pairs.push_back({pair, true});
  for (const std::uint32_t x : a) {
    for (const std::uint32_t y : b) {
      const AttributePair pair = {x, y};
      if (!choices.same.contains(pair) && !choices.different.contains(pair)) pairs.push_back({pair, false});
    }
  }
  return pairs;
}

}  // namespace

ValueMatcher::ValueMatcher(const GraphPair& pair, const ValueOptions& options, AttributeChoices choices)
    : left_(pair.left()),
      right_(pair.right()),
      terms_(left_, right_),
      comparer_(left_, right_, terms_),
      options_(options),
      choices_(std::move(choices)) {}

SparseScores ValueMatcher::candidates(std::span<const EntityId> left, std::span<const EntityId> right,
                                      ThreadPool& pool) const {
  return value_candidates(terms_, left, right, options_, pool);
}

ValueModel ValueMatcher::learn(std::span<const EntityId> left, std::span<const EntityId> right,
                               const SparseScores& pairs, std::span<const float> known,
                               ThreadPool& pool) const {
  return learn_values(comparer_, {left, right, &pairs}, known, attribute_pairs(left_, right_, choices_),
                      options_, pool);
}

SparseScores ValueMatcher::scores(const ValueModel& model, std::span<const EntityId> left,
                                  std::span<const EntityId> right, const SparseScores& pairs,
                                  ThreadPool& pool) const {
  return score_pairs(comparer_, model, {left, right, &pairs}, pool);
}

ValueReasons ValueMatcher::reasons(const ValueModel& model, EntityId left, EntityId right,
                                   std::size_t most) const {
  std::map<AttributePair, ValueReason> by_pair;
  std::map<AttributePair, float> largest;  // the measure that says most chooses the values to show
  for (const WeighedFeature& feature : model.features) {
    const std::uint8_t level = comparer_.level(feature.feature, left, right);
    if (level == kNoLevel) continue;
    const AttributePair key = {feature.feature.left, feature.feature.right};
    const float weight = feature.weight[level];
    ValueReason& reason =
        by_pair.try_emplace(key, ValueReason{key.first, key.second, kNone, kNone, 0}).first->second;
    reason.weight += weight;
    if (key.first == kAllValues || std::abs(weight) < largest[key]) continue;
    largest[key] = std::abs(weight);
    const auto values = comparer_.best_values(feature.feature, left, right);
    reason.left_value = values.left;
    reason.right_value = values.right;
  }
  ValueReasons out;
  for (const auto& [key, reason] : by_pair) {
    if (reason.weight != 0) (reason.weight > 0 ? out.in_favour : out.against).push_back(reason);
  }
  for (std::vector<ValueReason>* const list : {&out.in_favour, &out.against}) {
    std::ranges::stable_sort(*list, [](const ValueReason& a, const ValueReason& b) {
      return std::abs(a.weight) > std::abs(b.weight);
    });
    if (list->size() > most) list->resize(most);
  }
  return out;
}

}  // namespace dovetail
