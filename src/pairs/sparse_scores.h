#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/compressed_rows.h"
#include "common/threads.h"
#include "pairs/top_k.h"

namespace dovetail {

/// Scores of some pairs (row, column): for each row the columns that are candidates for it, ascending.
struct SparseScores : RowIndex {
  static constexpr std::size_t kAbsent = SIZE_MAX;

  std::size_t columns = 0;
  std::vector<std::uint32_t> column;  ///< [pairs]
  std::vector<float> score;           ///< [pairs]

  [[nodiscard]] std::size_t size() const { return column.size(); }
  [[nodiscard]] std::span<const std::uint32_t> columns_of(std::size_t row) const { return part(column, row); }
  [[nodiscard]] std::span<const float> scores_of(std::size_t row) const { return part(score, row); }
};

/// No pairs at all.
[[nodiscard]] SparseScores no_pairs(std::size_t rows, std::size_t columns);

/// Puts pairs that come in any order, each once, into rows.
class SparseBuilder {
 public:
  SparseBuilder(std::size_t rows, std::size_t columns) : rows_(rows), columns_(columns) {}

  void add(std::size_t row, std::size_t column, float score) {
    pairs_.push_back({static_cast<std::uint32_t>(row), {static_cast<std::uint32_t>(column), score}});
  }
  [[nodiscard]] SparseScores build() const;

 private:
  struct Pair {
    std::uint32_t row;
    Scored item;
  };
  std::size_t rows_, columns_;
  std::vector<Pair> pairs_;
};

/// The pairs for which `stays(row, column)` holds.
template <typename Stays>
[[nodiscard]] SparseScores only_pairs(const SparseScores& scores, const Stays& stays) {
  SparseScores kept;
  kept.columns = scores.columns;
  for (std::size_t row = 0; row < scores.rows(); ++row) {
    for (std::uint64_t n = scores.begin[row]; n < scores.begin[row + 1]; ++n) {
      if (!stays(row, scores.column[n])) continue;
      kept.column.push_back(scores.column[n]);
      kept.score.push_back(scores.score[n]);
    }
    kept.begin.push_back(kept.column.size());
  }
  return kept;
}

/// The pairs of both; their scores are 0.
[[nodiscard]] SparseScores united(const SparseScores& some, const SparseScores& others);

/// The same pairs with rows and columns exchanged.
[[nodiscard]] SparseScores transposed(const SparseScores& scores);

/// The candidates of a row, best first.
[[nodiscard]] std::vector<Scored> ranked_row(const SparseScores& scores, std::size_t row);

/// Where the pair stands among all pairs, or kAbsent.
[[nodiscard]] std::size_t find_column(const SparseScores& scores, std::size_t row, std::uint32_t column);

/// The rank of a column among its row's candidates, from 1, equals counted as better; 0 if it is none of
/// them.
[[nodiscard]] std::uint32_t rank_in_row(const SparseScores& scores, std::size_t row, std::uint32_t column);

/// Every pair that is in the list of its row or of its column, once: what both sides' best candidates become.
/// A pair that is in both has the same score there.
[[nodiscard]] SparseScores union_of(TopLists& by_row, TopLists& by_column, ThreadPool& pool);

}  // namespace dovetail
