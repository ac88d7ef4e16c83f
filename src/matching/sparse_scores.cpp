#include "matching/sparse_scores.h"

#include <algorithm>

namespace dovetail {

SparseScores no_pairs(std::size_t rows, std::size_t columns) {
  SparseScores none;
  none.columns = columns;
  none.begin.assign(rows + 1, 0);
  return none;
}

SparseScores SparseBuilder::build() const {
  std::vector<std::uint64_t> begin(rows_ + 1, 0);
  for (const Pair& pair : pairs_) ++begin[pair.row + 1];
  for (std::size_t row = 0; row < rows_; ++row) begin[row + 1] += begin[row];
  std::vector<Scored> items(pairs_.size());
  std::vector<std::uint64_t> next(begin.begin(), begin.end() - 1);
  for (const Pair& pair : pairs_) items[next[pair.row]++] = pair.item;
  SparseScores scores{.columns = columns_, .begin = std::move(begin), .column = {}, .score = {}};
  scores.column.reserve(items.size());
  scores.score.reserve(items.size());
  for (std::size_t row = 0; row < rows_; ++row) {
    std::ranges::sort(items.begin() + static_cast<std::ptrdiff_t>(scores.begin[row]),
                      items.begin() + static_cast<std::ptrdiff_t>(scores.begin[row + 1]), {},
                      &Scored::number);
  }
  for (const Scored& item : items) {
    scores.column.push_back(item.number);
    scores.score.push_back(item.score);
  }
  return scores;
}

SparseScores transposed(const SparseScores& scores) {
  SparseScores result{.columns = scores.rows(),
                      .begin = std::vector<std::uint64_t>(scores.columns + 1, 0),
                      .column = std::vector<std::uint32_t>(scores.size()),
                      .score = std::vector<float>(scores.size())};
  for (const std::uint32_t column : scores.column) ++result.begin[column + 1];
  for (std::size_t c = 0; c < scores.columns; ++c) result.begin[c + 1] += result.begin[c];
  std::vector<std::uint64_t> next(result.begin.begin(), result.begin.end() - 1);
  for (std::size_t row = 0; row < scores.rows(); ++row) {
    for (std::uint64_t n = scores.begin[row]; n < scores.begin[row + 1]; ++n) {
      const std::uint64_t place = next[scores.column[n]]++;
      result.column[place] = static_cast<std::uint32_t>(row);
      result.score[place] = scores.score[n];
    }
  }
  return result;
}

std::vector<Scored> ranked_row(const SparseScores& scores, std::size_t row) {
  const std::span<const std::uint32_t> columns = scores.columns_of(row);
  const std::span<const float> values = scores.scores_of(row);
  std::vector<Scored> ranked(columns.size());
  for (std::size_t n = 0; n < columns.size(); ++n) ranked[n] = {columns[n], values[n]};
  std::ranges::sort(ranked, better);
  return ranked;
}

std::size_t find_column(const SparseScores& scores, std::size_t row, std::uint32_t column) {
  const std::span<const std::uint32_t> columns = scores.columns_of(row);
  const auto found = std::ranges::lower_bound(columns, column);
  return found == columns.end() || *found != column
             ? SparseScores::kAbsent
             : scores.begin[row] + static_cast<std::size_t>(found - columns.begin());
}

std::uint32_t rank_in_row(const SparseScores& scores, std::size_t row, std::uint32_t column) {
  const std::size_t own = find_column(scores, row, column);
  if (own == SparseScores::kAbsent) return 0;
  const auto as_good = [bar = scores.score[own]](float score) { return score >= bar; };
  return static_cast<std::uint32_t>(std::ranges::count_if(scores.scores_of(row), as_good));
}

SparseScores union_of(std::span<const std::vector<Scored>> by_row,
                      std::span<const std::vector<Scored>> by_column) {
  std::vector<std::vector<Scored>> lists(by_row.begin(), by_row.end());
  for (std::size_t column = 0; column < by_column.size(); ++column) {
    for (const Scored& item : by_column[column]) {
      lists[item.number].push_back({static_cast<std::uint32_t>(column), item.score});
    }
  }
  SparseScores out;
  out.columns = by_column.size();
  for (std::vector<Scored>& list : lists) {
    // Stable, so that the row's own score comes first where a pair is there twice.
    std::ranges::stable_sort(list, {}, &Scored::number);
    const auto repeated = std::ranges::unique(list, {}, &Scored::number);
    list.erase(repeated.begin(), repeated.end());
    for (const Scored& item : list) {
      out.column.push_back(item.number);
      out.score.push_back(item.score);
    }
    out.begin.push_back(out.column.size());
  }
  return out;
}

}  // namespace dovetail
