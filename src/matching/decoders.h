#pragma once

#include <dovetail/deciding.h>

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "matching/sparse_scores.h"

namespace dovetail {

/// A pair that was chosen, and its score or probability.
struct Decision {
  std::uint32_t row;
  std::uint32_t column;
  float score;
  bool operator==(const Decision&) const = default;
};

// All of these return decisions by row, then by column. Of equal scores the one with the lower column comes
// first, then the one with the lower row.

/// Each row's best candidate, whoever else may want it. Rows without candidates have no decision.
[[nodiscard]] std::vector<Decision> best_of_rows(const SparseScores& scores);

/// Each column's best row.
[[nodiscard]] std::vector<Decision> best_of_columns(const SparseScores& scores);

/// Pairs that are the best of both their row and their column.
[[nodiscard]] std::vector<Decision> mutual_best(const SparseScores& scores);

/// Pairs such that no row and column would both rather have each other (Gale and Shapley; rows propose, so
/// among all such matchings it is the one that rows like best). A row ranks its candidates by their scores, a
/// column by `column_score` [pairs], in the order of the pairs.
[[nodiscard]] std::vector<Decision> stable_matching(const SparseScores& scores,
                                                    std::span<const float> column_score);

/// The pairs with at least a minimal score, as far as the cardinality allows: one to one takes the best pair,
/// then the best of those that both are still free, and so on; one to many takes each column's best.
[[nodiscard]] std::vector<Decision> select(const SparseScores& scores, Cardinality cardinality,
                                           float minimum = -std::numeric_limits<float>::infinity());

}  // namespace dovetail
