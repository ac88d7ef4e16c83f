#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

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

/// The answers for entities of some degrees: from `least` edges up to, but not including, the next one's.
struct DegreeHits {
  std::uint32_t least = 0;
  std::size_t count = 0;  ///< answers
  double hits_at_1 = 0;   ///< share of them that is right; 0 if there are none
};

/// How right answers are by the degree of the entity they are for: up to 2, 3 to 4, 5 to 8 edges and so on,
/// the last ones above 32. degrees, right: one for each answer.
[[nodiscard]] std::vector<DegreeHits> hits_by_degree(std::span<const std::uint32_t> degrees,
                                                     std::span<const std::uint8_t> right);
/// "3 to 4": the degrees of the n-th.
[[nodiscard]] std::string degrees_text(std::span<const DegreeHits> hits, std::size_t n);

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
