#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "matching/top_k.h"

namespace dovetail {

/// Scores of some pairs (row, column): for each row the columns that are candidates for it, ascending.
struct SparseScores {
  std::size_t columns = 0;
  std::vector<std::uint64_t> begin{0};  ///< [rows + 1]
  std::vector<std::uint32_t> column;    ///< [pairs]
  std::vector<float> score;             ///< [pairs]

  [[nodiscard]] std::size_t rows() const { return begin.size() - 1; }
  [[nodiscard]] std::size_t size() const { return column.size(); }
  [[nodiscard]] std::span<const std::uint32_t> columns_of(std::size_t row) const {
    return {column.data() + begin[row], static_cast<std::size_t>(begin[row + 1] - begin[row])};
  }
  [[nodiscard]] std::span<const float> scores_of(std::size_t row) const {
    return {score.data() + begin[row], static_cast<std::size_t>(begin[row + 1] - begin[row])};
  }
};

/// The same pairs by column.
[[nodiscard]] SparseScores transposed(const SparseScores& scores);

/// Every pair that is in the list of its row or of its column: what both sides' best candidates become.
/// A pair that is in both has the score of its row's list.
[[nodiscard]] SparseScores union_of(std::span<const std::vector<Scored>> by_row,
                                    std::span<const std::vector<Scored>> by_column);

}  // namespace dovetail
