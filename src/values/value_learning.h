#pragma once

#include <dovetail/graph.h>
#include <dovetail/links.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/threads.h"
#include "pairs/sparse_scores.h"
#include "values/value_features.h"

namespace dovetail {

struct ValueLearningOptions {
  std::size_t rounds = 4;          ///< of expectation and maximisation
  std::size_t features = 40;       ///< kept at most
  double least_gain = 0.03;        ///< nats about a pair that a feature must bring to be kept
  double penalty = 10;             ///< on squared coefficients, of weights of evidence in units of 3 nats
  double prior = 2;                ///< examples' worth of doubt about each feature's levels
  double first_share = 0.5;        ///< of the mutually best pairs that learning starts from
  std::size_t groupings = 1;       ///< attributes whose presence divides pairs into groups
  std::size_t fitted_on = 60'000;  ///< pairs that are surely wrong, at most; the others are all taken
};

/// A feature with what each of its levels adds to the log-odds of a pair being the same.
struct WeighedFeature {
  ValueFeature feature;
  std::vector<float> weight;  ///< by level
  double gain = 0;            ///< nats it tells about a right pair, on average, by itself
  double seen = 0;            ///< right pairs, by their probabilities, that have it on both sides
  double agree = 0;           ///< share of these on the highest two levels
};

struct ValueModel {
  std::vector<WeighedFeature> features;
  double intercept = 0;
  /// Which features, by number, divide pairs into groups by whether both entities have them, and what the
  /// score of a pair is lowered by in each group, so that from 0 on a best candidate is more likely right
  /// than not.
  std::vector<std::uint32_t> grouping;
  std::vector<double> price;  ///< [2^grouping]
  double none_share = 0;      ///< estimated share of the smaller side without counterpart
};

/// Pairs whose entities are numbered as in the tables.
struct PairList {
  std::span<const EntityId> left, right;  ///< what rows and columns stand for
  const SparseScores* pairs;              ///< with a first score each
};

/// Learns which features tell that two entities are the same, and how much, from `pairs` alone, or, where
/// `known` has probabilities (1 for seeds), starting from these. known: one for each pair, below 0 where
/// nothing is known. The number of threads changes nothing.
[[nodiscard]] ValueModel learn_values(
    const ValueComparer& comparer, const PairList& list, std::span<const float> known,
    std::span<const std::pair<std::uint32_t, std::uint32_t>> attribute_pairs,
    const ValueLearningOptions& options, ThreadPool& pool);

/// The log-odds of all pairs by a model.
[[nodiscard]] SparseScores score_pairs(const ValueComparer& comparer, const ValueModel& model,
                                       const PairList& list, ThreadPool& pool);
[[nodiscard]] float score_pair(const ValueComparer& comparer, const ValueModel& model, EntityId left,
                               EntityId right);

}  // namespace dovetail
