#include "matching/matcher.h"

#include <dovetail/errors.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "common/tally.h"
#include "kernels/scores.h"
#include "matching/product_search.h"
#include "matching/score_panels.h"
#include "pairs/top_k.h"

namespace dovetail {
namespace {

constexpr std::size_t kRowGrain = 32;
constexpr std::size_t kColumnGrain = 256;
/// Pairs from which looking at some of them is much faster than looking at all, at 2 billion by a few times.
constexpr double kAllPairs = 2e9;

MatchingOptions settled(MatchingOptions options, std::size_t left, std::size_t right) {
  if (options.search != Search::automatic) return options;
  const double pairs = static_cast<double>(left) * static_cast<double>(right);
  options.search = pairs > kAllPairs ? Search::approximate : Search::four_bit;
  return options;
}

void refuse_nonsense(const MatchVectors& vectors, ThreadPool& pool) {
  for (const Matrix<Bfloat16>* side : {&vectors.left, &vectors.right}) {
    for_rows(*side, kRowGrain, pool, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        if (std::isfinite(dot_rows(side->row(i), side->row(i), side->columns()))) continue;
        throw Error("a feature is not a number: training diverged; try a lower learning rate");
      }
    });
  }
}

/// Scores the pairs exactly. Where vectors lie in files, those of some columns are looked at by many rows
/// before the next ones are.
void score_pairs(const MatchVectors& vectors, ThreadPool& pool, SparseScores& pairs) {
  std::vector<std::uint64_t> next(pairs.begin.begin(), pairs.begin.end() - 1);
  const bool in_file = vectors.right.in_file();
  const std::size_t rows_at_a_time = in_file ? 2 * kRowsAtATime : std::max<std::size_t>(1, pairs.rows());
  const std::size_t columns_at_a_time = in_file ? kRowsAtATime : std::max<std::size_t>(1, pairs.columns);
  for (std::size_t first = 0; first < pairs.rows(); first += rows_at_a_time) {
    const std::size_t rows = std::min(rows_at_a_time, pairs.rows() - first);
    for (std::size_t column = 0; column < pairs.columns; column += columns_at_a_time) {
      const std::size_t end_column = std::min(column + columns_at_a_time, pairs.columns);
      pool.for_ranges(rows, kRowGrain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = first + begin; i < first + end; ++i) {
          std::uint64_t& n = next[i];
          for (; n < pairs.begin[i + 1] && pairs.column[n] < end_column; ++n) {
            pairs.score[n] =
                dot_rows(vectors.left.row(i), vectors.right.row(pairs.column[n]), vectors.left.columns());
          }
        }
      });
      vectors.right.rest(column, end_column);
    }
    vectors.left.rest(first, first + rows);
  }
}

/// The best of every row and of every column, as the panels score them.
void scan(const MatchVectors& vectors, const MatchingOptions& options, ThreadPool& pool, TopLists& left,
          TopLists& right) {
  ScorePanels panels(vectors, options, pool);
  const std::size_t columns = vectors.right.rows();
  Tally tally(pool, "search", vectors.left.rows(), "entities");
  panels.for_each([&](const ScorePanels::Panel& panel) {
    pool.for_ranges(panel.rows, kRowGrain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const float* const scores = panel.scores + i * columns;
        const float& least = left.least()[panel.first + i];
        for (std::size_t j = find_reaching(scores, least, 0, columns); j < columns;
             j = find_reaching(scores, least, j + 1, columns)) {
          left.offer(panel.first + i, {static_cast<std::uint32_t>(j), scores[j]});
        }
      }
    });
    pool.for_ranges(columns, kColumnGrain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = 0; i < panel.rows; ++i) {
        const float* const scores = panel.scores + i * columns;
        const auto row = static_cast<std::uint32_t>(panel.first + i);
        for (std::size_t j = find_reaching(scores, right.least(), begin, end); j < end;
             j = find_reaching(scores, right.least(), j + 1, end)) {
          right.offer(j, {row, scores[j]});
        }
      }
    });
    tally.add(panel.rows);
  });
}

/// Both ways: CSLS favours those with few near ones; they may not be among the best of a row, but the row is
/// among theirs.
SparseScores best_both_ways(const MatchVectors& vectors, const MatchingOptions& options, ThreadPool& pool) {
  const std::size_t k = std::max(options.candidates, options.csls_neighbours);
  TopLists left(vectors.left.rows(), k);
  TopLists right(vectors.right.rows(), k);
  const MatchingOptions chosen = settled(options, vectors.left.rows(), vectors.right.rows());
  if (chosen.search == Search::approximate) {
    scan_products(vectors, chosen, pool, left, right);
  } else {
    scan(vectors, chosen, pool, left, right);
  }
  return union_of(left, right, pool);
}

/// Of each row, the mean of its nearest ones.
std::vector<float> nearest_means(const SparseScores& scores, std::size_t neighbours) {
  std::vector<float> means(scores.rows(), 0);
  std::vector<float> row;
  for (std::size_t i = 0; i < scores.rows() && neighbours > 0; ++i) {
    row.assign(scores.scores_of(i).begin(), scores.scores_of(i).end());
    const std::size_t nearest = std::min(neighbours, row.size());
    std::partial_sort(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(nearest), row.end(),
                      std::greater());
    for (std::size_t n = 0; n < nearest; ++n) means[i] += row[n] / static_cast<float>(nearest);
  }
  return means;
}

/// For each wanted (row of own, row of other): the rank of the second for the first, among all rows of
/// `other`.
std::vector<std::uint32_t> ranks_among_all(const Matrix<Bfloat16>& own, const Matrix<Bfloat16>& other,
                                           std::span<const float> other_mean, RowPairs wanted,
                                           ThreadPool& pool) {
  constexpr std::size_t kAtATime = 16;
  const std::size_t columns = own.columns();
  std::vector<std::uint32_t> ranks(wanted.size());
  pool.for_ranges(wanted.size(), kAtATime, [&](std::size_t begin, std::size_t end) {
    Matrix<Bfloat16> rows(end - begin, columns);
    for (std::size_t n = begin; n < end; ++n)
      std::copy_n(own.row(wanted[n].first), columns, rows.row(n - begin));
    Matrix<float> scores(end - begin, other.rows());
    exact_scores(rows.row(0), other.row(0),
                 {.a_rows = end - begin,
                  .b_rows = other.rows(),
                  .columns = columns,
                  .out = scores.row(0),
                  .out_stride = other.rows()});
    for (std::size_t n = begin; n < end; ++n) {
      const float* const row = scores.row(n - begin);
      const std::size_t target = wanted[n].second;
      const auto corrected = [&](std::size_t j) {
        return 2 * row[j] - (other_mean.empty() ? 0 : other_mean[j]);
      };
      const float bar = corrected(target);
      for (std::size_t j = 0; j < other.rows(); ++j) ranks[n] += corrected(j) >= bar ? 1 : 0;
    }
  });
  return ranks;
}

std::vector<std::uint32_t> rank_one_way(const SparseScores& scores, const Matrix<Bfloat16>& own,
                                        const Matrix<Bfloat16>& other, std::span<const float> other_mean,
                                        RowPairs pairs, ThreadPool& pool) {
  std::vector<std::uint32_t> ranks(pairs.size());
  std::vector<std::pair<std::uint32_t, std::uint32_t>> missed;
  std::vector<std::size_t> missed_number;
  for (std::size_t n = 0; n < pairs.size(); ++n) {
    ranks[n] = rank_in_row(scores, pairs[n].first, pairs[n].second);
    if (ranks[n] > 0) continue;
    missed.push_back(pairs[n]);
    missed_number.push_back(n);
  }
  const std::vector<std::uint32_t> found =
      own.rows() == 0 ? std::vector<std::uint32_t>(missed.size(), static_cast<std::uint32_t>(scores.columns))
                      : ranks_among_all(own, other, other_mean, missed, pool);
  for (std::size_t n = 0; n < missed.size(); ++n) {
    const auto candidates = static_cast<std::uint32_t>(scores.columns_of(missed[n].first).size());
    ranks[missed_number[n]] = std::max(found[n], candidates + 1);
  }
  return ranks;
}

}  // namespace

Found search(const MatchVectors& vectors, const MatchingOptions& options, ThreadPool& pool,
             const SparseScores* also) {
  if (options.candidates == 0) throw ParameterError("the number of candidates is 0; it must be at least 1");
  refuse_nonsense(vectors, pool);
  SparseScores pairs = best_both_ways(vectors, options, pool);
  if (also != nullptr) pairs = united(pairs, *also);
  score_pairs(vectors, pool, pairs);
  return with_means(std::move(pairs), options.csls_neighbours);
}

bool compares_all(std::size_t left, std::size_t right, const MatchingOptions& options) {
  return settled(options, left, right).search != Search::approximate;
}

Found with_means(SparseScores similarity, std::size_t csls_neighbours) {
  Found found;
  found.left_mean = nearest_means(similarity, csls_neighbours);
  found.right_mean = nearest_means(transposed(similarity), csls_neighbours);
  found.similarity = std::move(similarity);
  return found;
}

SparseScores csls_scores(const Found& found, const MatchingOptions& options) {
  SparseScores scores = found.similarity;
  if (options.csls_neighbours == 0) return scores;
  for (std::size_t i = 0; i < scores.rows(); ++i) {
    for (std::uint64_t n = scores.begin[i]; n < scores.begin[i + 1]; ++n) {
      scores.score[n] = 2 * scores.score[n] - found.left_mean[i] - found.right_mean[scores.column[n]];
    }
  }
  return scores;
}

PairRanks rank_pairs(const SparseScores& scores, std::span<const float> left_mean,
                     std::span<const float> right_mean, const MatchVectors& vectors, RowPairs pairs,
                     ThreadPool& pool) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> swapped;
  for (const auto& [left, right] : pairs) swapped.emplace_back(right, left);
  return {.left_to_right = rank_one_way(scores, vectors.left, vectors.right, right_mean, pairs, pool),
          .right_to_left =
              rank_one_way(transposed(scores), vectors.right, vectors.left, left_mean, swapped, pool)};
}

}  // namespace dovetail
