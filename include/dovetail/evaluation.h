#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace dovetail {

/// How high the right answers rank.
struct RankMetrics {
  std::size_t count = 0;
  double hits_at_1 = 0, hits_at_5 = 0, hits_at_10 = 0;
  double mrr = 0;
  double mean_rank = 0;
};

/// Ranks count from 1; a 0 is refused with an Error, for it would look like a perfect answer.
[[nodiscard]] RankMetrics rank_metrics(std::span<const std::uint32_t> ranks);

/// How much of what was said is right, and how much of what is right was said.
struct PrecisionRecall {
  std::uint64_t predicted = 0;
  std::uint64_t gold = 0;
  std::uint64_t correct = 0;
  double precision = 0;  ///< correct / predicted; 0 if nothing was predicted
  double recall = 0;     ///< correct / gold; 0 if there is no gold
  double f1 = 0;
};
[[nodiscard]] PrecisionRecall precision_recall(std::uint64_t correct, std::uint64_t predicted,
                                               std::uint64_t gold);

/// Both directions: the right answers among the right entities for left ones, and the other way round, which
/// is what the literature prints.
struct Evaluation {
  RankMetrics left_to_right, right_to_left;
};

}  // namespace dovetail
