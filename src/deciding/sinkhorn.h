#pragma once

#include <dovetail/deciding.h>

#include <vector>

#include "common/threads.h"
#include "pairs/sparse_scores.h"

namespace dovetail {

/// How likely each pair is to be a link, and each row and column to be in none.
struct LinkProbabilities {
  /// The same pairs; those of a row sum to 1 - none_row.
  SparseScores pairs;
  /// By row: the share that went to "no counterpart". 0 without that option, 1 for a row without candidates.
  std::vector<float> none_row;
  /// By column, the same as a share of what the rows and "no counterpart" lay claim to; with capped columns
  /// what no row asked for.
  std::vector<float> none_column;
};

/// Sinkhorn on the candidates, in log space, so that any finite score and temperature will do; the rows have
/// the last word. Pairs that are not candidates have probability 0, which is better than their true, small
/// mass: the best 50 of both sides give more hits than all pairs. The number of threads changes nothing.
[[nodiscard]] LinkProbabilities sinkhorn(const SparseScores& scores, const SinkhornOptions& options,
                                         ThreadPool& pool);

}  // namespace dovetail
