#pragma once

#include <dovetail/graph.h>
#include <dovetail/links.h>
#include <dovetail/values.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "common/threads.h"
#include "pairs/sparse_scores.h"
#include "values/value_features.h"

namespace dovetail {

/// A left attribute and a right one.
using AttributePair = std::pair<std::uint32_t, std::uint32_t>;

struct ComparedAttributes {
  AttributePair attributes;
  bool pinned;  ///< compared whatever that tells
};

/// A feature with what each of its levels adds to the log-odds of a pair being the same.
struct WeighedFeature {
  ValueFeature feature;
  std::vector<float> weight;  ///< by level
  double gain = 0;            ///< nats it tells about a right pair, on average, by itself
  double seen = 0;            ///< right pairs, by their probabilities, that have it on both sides
  double agree = 0;           ///< share of these that agree, beyond chance: on levels that speak for a pair
};

struct ValueModel {
  std::vector<WeighedFeature> features;
  double intercept = 0;
  /// Which features, by number, divide pairs into groups by whether both entities have them, and what the
  /// score of a pair is lowered by in each group, so that from 0 on a best candidate is more likely right
  /// than not.
  std::vector<std::uint32_t> grouping;
  std::vector<double> price;              ///< [2^grouping]
  double none_share = 0;                  ///< estimated share of the smaller side without counterpart
  std::vector<AttributeLink> attributes;  ///< that correspond, most telling first
};

/// Pairs whose entities are numbered as in the tables.
struct PairList {
  std::span<const EntityId> left, right;  ///< what rows and columns stand for
  const SparseScores* pairs;              ///< with a first score each
};

/// Learns which features tell that two entities are the same, and how much, from `pairs` alone, or, where
/// `known` has probabilities (1 for seeds), starting from these. known: one for each pair, below 0 where
/// nothing is known. The number of threads changes nothing.
[[nodiscard]] ValueModel learn_values(const ValueComparer& comparer, const PairList& list,
                                      std::span<const float> known,
                                      std::span<const ComparedAttributes> attribute_pairs,
                                      const ValueOptions& options, ThreadPool& pool);

/// What known links say of pairs of all entities: 1 for a link, 0 for other pairs of its two ends, -1 where
/// they say nothing.
[[nodiscard]] std::vector<float> known_chances(const SparseScores& pairs, std::span<const Link> links);

/// The log-odds of all pairs by a model.
[[nodiscard]] SparseScores score_pairs(const ValueComparer& comparer, const ValueModel& model,
                                       const PairList& list, ThreadPool& pool);
[[nodiscard]] float score_pair(const ValueComparer& comparer, const ValueModel& model, EntityId left,
                               EntityId right);

}  // namespace dovetail
