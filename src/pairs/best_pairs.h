#pragma once

#include <cstdint>
#include <vector>

#include "pairs/sparse_scores.h"

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

}  // namespace dovetail
