#pragma once

#include <dovetail/matching.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "common/threads.h"
#include "matching/match_vectors.h"
#include "pairs/sparse_scores.h"

namespace dovetail {

/// What a search finds: the best right rows of every left row and the best left rows of every right one.
struct Found {
  SparseScores similarity;  ///< of all pairs found either way, exact; rows are left
  /// Mean similarity of the nearest ones of each row, which CSLS subtracts; 0 without CSLS.
  std::vector<float> left_mean, right_mean;
  bool complete = true;  ///< every pair of the pools was in question
};

/// Similarities of pairs, whoever found them, with the means of their nearest ones.
[[nodiscard]] Found with_means(SparseScores similarity, std::size_t csls_neighbours);

/// The best of all pairs or, of very many, of those that are likely to be near; and the pairs `also` names.
[[nodiscard]] Found search(const MatchVectors& vectors, const MatchingOptions& options, ThreadPool& pool,
                           const SparseScores* also = nullptr);

/// Whether a search with these options looks at every pair of so many rows.
[[nodiscard]] bool compares_all(std::size_t left, std::size_t right, const MatchingOptions& options);

/// 2 s - r(left) - r(right) for every pair, r the means of the nearest ones; s itself without CSLS.
[[nodiscard]] SparseScores csls_scores(const Found& found, const MatchingOptions& options);

using RowPairs = std::span<const std::pair<std::uint32_t, std::uint32_t>>;

/// The rank of each pair's right row among all right rows for its left one, and of its left row among all
/// left rows for its right one.
struct PairRanks {
  std::vector<std::uint32_t> left_to_right, right_to_left;
};

/// Ranks by `scores`, equals counted as better. A pair that is not among the candidates is ranked by its
/// CSLS score against everything there is, by these means (empty: without the correction), and behind all
/// candidates; last where there are no vectors.
[[nodiscard]] PairRanks rank_pairs(const SparseScores& scores, std::span<const float> left_mean,
                                   std::span<const float> right_mean, const MatchVectors& vectors,
                                   RowPairs pairs, ThreadPool& pool);

}  // namespace dovetail
