#pragma once

#include <dovetail/deciding.h>

#include <limits>
#include <span>
#include <vector>

#include "pairs/best_pairs.h"

namespace dovetail {

// All of these return decisions by row, then by column. Of equal scores the one with the lower column comes
// first, then the one with the lower row.

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
