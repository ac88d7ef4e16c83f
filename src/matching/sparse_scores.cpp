#include "matching/sparse_scores.h"

#include <algorithm>
#include <numeric>

namespace dovetail {

SparseScores transposed(const SparseScores& scores) {
  SparseScores out;
  out.columns = scores.rows();
  out.begin.assign(scores.columns + 1, 0);
  out.column.resize(scores.size());
  out.score.resize(scores.size());
  for (const std::uint32_t column : scores.column) ++out.begin[column + 1];
  std::partial_sum(out.begin.begin(), out.begin.end(), out.begin.begin());
  std::vector<std::uint64_t> next(out.begin.begin(), out.begin.end() - 1);
  for (std::size_t row = 0; row < scores.rows(); ++row) {
    for (std::uint64_t pair = scores.begin[row]; pair < scores.begin[row + 1]; ++pair) {
      const std::uint64_t place = next[scores.column[pair]]++;
      out.column[place] = static_cast<std::uint32_t>(row);
      out.score[place] = scores.score[pair];
    }
  }
  return out;
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
