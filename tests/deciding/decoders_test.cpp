#include "deciding/decoders.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <rapidcheck/gtest.h>
#include <set>
#include <vector>

#include "pairs/random_scores.h"

namespace dovetail {
namespace {

/// All pairs, best first: better score, then lower column, then lower row.
std::vector<Decision> in_order(const SparseScores& scores) {
  std::vector<Decision> pairs;
  for (std::uint32_t i = 0; i < scores.rows(); ++i) {
    for (std::size_t k = 0; k < scores.columns_of(i).size(); ++k) {
      pairs.push_back({i, scores.columns_of(i)[k], scores.scores_of(i)[k]});
    }
  }
  std::ranges::sort(pairs, [](const Decision& a, const Decision& b) {
    if (a.score != b.score) return a.score > b.score;
    return a.column != b.column ? a.column < b.column : a.row < b.row;
  });
  return pairs;
}

/// Takes pairs, best first, as long as their row and their column may have one more, back in order of rows.
std::vector<Decision> taken_in_order(const SparseScores& scores, bool row_once, bool column_once) {
  std::set<std::uint32_t> rows, columns;
  std::vector<Decision> taken;
  for (const Decision& pair : in_order(scores)) {
    if ((row_once && rows.contains(pair.row)) || (column_once && columns.contains(pair.column))) continue;
    rows.insert(pair.row);
    columns.insert(pair.column);
    taken.push_back(pair);
  }
  std::ranges::sort(taken, [](const Decision& a, const Decision& b) {
    return a.row != b.row ? a.row < b.row : a.column < b.column;
  });
  return taken;
}

RC_GTEST_PROP(Decoders, GreedyTakesEachRowsOrColumnsBest, ()) {
  const SparseScores scores = any_scores(12);
  RC_ASSERT(best_of_rows(scores) == taken_in_order(scores, true, false));
  RC_ASSERT(best_of_columns(scores) == taken_in_order(scores, false, true));
}

RC_GTEST_PROP(Decoders, SelectionKeepsToItsCardinality, ()) {
  const SparseScores scores = any_scores(12);
  RC_ASSERT(select(scores, Cardinality::one_to_one) == taken_in_order(scores, true, true));
  RC_ASSERT(select(scores, Cardinality::one_to_many) == taken_in_order(scores, false, true));
  RC_ASSERT(select(scores, Cardinality::many_to_many) == taken_in_order(scores, false, false));
}

TEST(Decoders, SelectionKeepsToItsMinimum) {
  const SparseScores scores = sparse(3, {{{0, 0.9F}, {1, 0.5F}}, {{0, 0.8F}, {2, 0.3F}}});
  using Pairs = std::vector<Decision>;
  EXPECT_EQ(select(scores, Cardinality::one_to_one, 0.5F), (Pairs{{0, 0, 0.9F}}));
  EXPECT_EQ(select(scores, Cardinality::one_to_many, 0.5F), (Pairs{{0, 0, 0.9F}, {0, 1, 0.5F}}));
  EXPECT_EQ(select(scores, Cardinality::many_to_many, 0.5F),
            (Pairs{{0, 0, 0.9F}, {0, 1, 0.5F}, {1, 0, 0.8F}}));
}

RC_GTEST_PROP(StableMatching, LeavesNoPairThatBothWouldPrefer, ()) {
  const SparseScores scores = any_scores(15);
  Random random(*rc::gen::arbitrary<std::uint64_t>());
  std::vector<float> column_score;
  for (std::size_t pair = 0; pair < scores.size(); ++pair) {
    column_score.push_back(static_cast<float>(random.below(5)));
  }
  const std::vector<Decision> decisions = stable_matching(scores, column_score);

  const auto pair_of = [&](std::uint32_t row, std::uint32_t column) {
    const auto columns = scores.columns_of(row);
    return scores.begin[row] +
           static_cast<std::uint64_t>(std::ranges::find(columns, column) - columns.begin());
  };
  std::map<std::uint32_t, std::uint32_t> of_row, of_column;
  for (const Decision& decision : decisions) {
    const std::uint64_t pair = pair_of(decision.row, decision.column);
    RC_ASSERT(pair < scores.begin[decision.row + 1]);  // a candidate
    RC_ASSERT(scores.score[pair] == decision.score);
    RC_ASSERT(of_row.emplace(decision.row, decision.column).second);
    RC_ASSERT(of_column.emplace(decision.column, decision.row).second);
  }
  for (std::uint32_t row = 0; row < scores.rows(); ++row) {
    for (const std::uint32_t column : scores.columns_of(row)) {
      const std::uint64_t pair = pair_of(row, column);
      const auto row_has = of_row.find(row);
      const auto column_has = of_column.find(column);
      if (row_has != of_row.end() && row_has->second == column) continue;
      const auto prefers = [](float ours, float theirs, bool lower) {
        return ours != theirs ? ours > theirs : lower;
      };
      const bool row_prefers =
          row_has == of_row.end() ||
          prefers(scores.score[pair], scores.score[pair_of(row, row_has->second)], column < row_has->second);
      const bool column_prefers =
          column_has == of_column.end() ||
          prefers(column_score[pair], column_score[pair_of(column_has->second, column)],
                  row < column_has->second);
      RC_ASSERT(!(row_prefers && column_prefers));
    }
  }
}

TEST(StableMatching, RowsGetTheBestThatStabilityAllows) {
  // Each row likes its own column best and each column the other row: both ways are stable.
  const SparseScores scores = sparse(2, {{{0, 2}, {1, 1}}, {{0, 1}, {1, 2}}});
  const std::vector<float> column_score = {1, 2, 2, 1};
  EXPECT_EQ(stable_matching(scores, column_score), (std::vector<Decision>{{0, 0, 2}, {1, 1, 2}}));
}

}  // namespace
}  // namespace dovetail
