#include "pairs/sparse_scores.h"

#include <algorithm>
#include <iterator>

namespace dovetail {

SparseScores no_pairs(std::size_t rows, std::size_t columns) {
  SparseScores none;
  none.columns = columns;
  none.clear_rows(rows);
  return none;
}

SparseScores SparseBuilder::build() const {
  auto items = CompressedRows<Scored>::grouped(rows_, [&](const auto& body) {
    for (const Pair& pair : pairs_) body(pair.row, pair.item);
  });
  SparseScores scores;
  scores.columns = columns_;
  scores.column.reserve(items.size());
  scores.score.reserve(items.size());
  scores.begin.reserve(rows_ + 1);
  for (std::size_t row = 0; row < rows_; ++row) {
    std::ranges::sort(items[row], {}, &Scored::number);
    for (const Scored& item : items[row]) {
      scores.column.push_back(item.number);
      scores.score.push_back(item.score);
    }
    scores.begin.push_back(scores.size());
  }
  return scores;
}

SparseScores transposed(const SparseScores& scores) {
  SparseScores result;
  result.columns = scores.rows();
  const auto for_each = [&](const auto& body) {
    for (std::size_t row = 0; row < scores.rows(); ++row) {
      for (std::uint64_t n = scores.begin[row]; n < scores.begin[row + 1]; ++n) {
        body(scores.column[n], Scored{static_cast<std::uint32_t>(row), scores.score[n]});
      }
    }
  };
  const auto allocate = [&](std::size_t size) {
    result.column.resize(size);
    result.score.resize(size);
  };
  result.group(scores.columns, for_each, allocate, [&](std::uint64_t place, const Scored& item) {
    result.column[place] = item.number;
    result.score[place] = item.score;
  });
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

SparseScores union_of(TopLists& by_row, TopLists& by_column, ThreadPool& pool) {
  constexpr std::size_t kGrain = 256;
  for (TopLists* lists : {&by_row, &by_column}) {
    pool.for_ranges(lists->size(), kGrain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) lists->cut(i);
    });
  }
  const std::size_t rows = by_row.size();
  SparseScores out = no_pairs(rows, by_column.size());
  // Room for both lists of a row; pairs that are in both leave some of it empty.
  for (std::size_t row = 0; row < rows; ++row) out.begin[row + 1] = by_row.of(row).size();
  for (std::size_t column = 0; column < by_column.size(); ++column) {
    for (const Scored& item : by_column.of(column)) ++out.begin[item.number + 1];
  }
  for (std::size_t row = 0; row < rows; ++row) out.begin[row + 1] += out.begin[row];
  out.column.resize(out.begin[rows]);
  out.score.resize(out.begin[rows]);
  std::vector<std::uint64_t> next(out.begin.begin(), out.begin.end() - 1);
  for (std::uint32_t column = 0; column < by_column.size(); ++column) {
    for (const Scored& item : by_column.of(column)) {
      const std::uint64_t place = next[item.number]++;
      out.column[place] = column;
      out.score[place] = item.score;
    }
  }
  pool.for_ranges(rows, kGrain, [&](std::size_t begin, std::size_t end) {
    std::vector<Scored> list;
    for (std::size_t row = begin; row < end; ++row) {
      list.assign(by_row.of(row).begin(), by_row.of(row).end());
      for (std::uint64_t n = out.begin[row]; n < next[row]; ++n)
        list.push_back({out.column[n], out.score[n]});
      std::ranges::sort(list, {}, &Scored::number);
      const auto same = [](const Scored& a, const Scored& b) { return a.number == b.number; };
      list.erase(std::unique(list.begin(), list.end(), same), list.end());
      for (std::size_t n = 0; n < list.size(); ++n) {
        out.column[out.begin[row] + n] = list[n].number;
        out.score[out.begin[row] + n] = list[n].score;
      }
      next[row] = list.size();
    }
  });
  std::uint64_t kept = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    std::copy_n(out.column.data() + out.begin[row], next[row], out.column.data() + kept);
    std::copy_n(out.score.data() + out.begin[row], next[row], out.score.data() + kept);
    out.begin[row] = kept;
    kept += next[row];
  }
  out.begin[rows] = kept;
  out.column.resize(kept);
  out.score.resize(kept);
  return out;
}

SparseScores united(const SparseScores& some, const SparseScores& others) {
  SparseScores all;
  all.columns = some.columns;
  for (std::size_t row = 0; row < some.rows(); ++row) {
    std::ranges::set_union(some.columns_of(row), others.columns_of(row), std::back_inserter(all.column));
    all.begin.push_back(all.column.size());
  }
  all.score.resize(all.size());
  return all;
}

}  // namespace dovetail
