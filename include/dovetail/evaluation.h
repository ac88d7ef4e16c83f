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

/// Both directions: the right answers among the right entities for left ones, and the other way round, which
/// is what the literature prints.
struct Evaluation {
  RankMetrics left_to_right, right_to_left;
};

}  // namespace dovetail
