#pragma once

#include <optional>
#include <vector>

#include "deciding/decoders.h"
#include "pairs/sparse_scores.h"

namespace dovetail {

/// One-to-one decisions with the largest total, and the proof that it is the largest: with prices of columns,
/// no less than 0 and 0 for columns that nobody has, each row has what it values most, which is its pair's
/// score less the column's price, or `unmatched` if that is more. The total, with `unmatched` for each row
/// without a pair, is the sum of all values and prices, and no other choice can exceed that.
struct Assignment {
  std::vector<Decision> decisions;   ///< by row
  double unmatched = 0;              ///< what a row without a pair counts
  std::vector<double> row_value;     ///< [rows]
  std::vector<double> column_price;  ///< [columns]
};

/// Exact among the candidates. `unmatched` is what a row counts that stays without a pair, so that no pair
/// scores less than it; without it as many rows as possible get a pair, whatever it scores.
/// Shortest augmenting paths with prices (Jonker and Volgenant 1987) on the sparse graph, after an auction
/// that settles most rows.
[[nodiscard]] Assignment assign(const SparseScores& scores, std::optional<double> unmatched = std::nullopt);

}  // namespace dovetail
