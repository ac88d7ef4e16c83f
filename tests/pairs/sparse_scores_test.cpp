#include "pairs/sparse_scores.h"

#include <gtest/gtest.h>
#include <map>
#include <rapidcheck/gtest.h>
#include <utility>
#include <vector>

#include "pairs/random_scores.h"

namespace dovetail {
namespace {

std::map<std::pair<std::size_t, std::size_t>, float> as_map(const SparseScores& scores, bool swapped) {
  std::map<std::pair<std::size_t, std::size_t>, float> pairs;
  for (std::size_t i = 0; i < scores.rows(); ++i) {
    for (std::size_t k = 0; k < scores.columns_of(i).size(); ++k) {
      const std::size_t j = scores.columns_of(i)[k];
      pairs[swapped ? std::pair(j, i) : std::pair(i, j)] = scores.scores_of(i)[k];
    }
  }
  return pairs;
}

RC_GTEST_PROP(SparseScores, TransposedHasTheSamePairsInOrder, ()) {
  const SparseScores scores = any_scores(12);
  const SparseScores turned = transposed(scores);
  RC_ASSERT(turned.rows() == scores.columns);
  RC_ASSERT(turned.columns == scores.rows());
  RC_ASSERT(as_map(turned, true) == as_map(scores, false));
  for (std::size_t j = 0; j < turned.rows(); ++j) RC_ASSERT(std::ranges::is_sorted(turned.columns_of(j)));
}

TEST(SparseScores, UnionHasThePairsOfBothSidesOnce) {
  TopLists by_row(2, 2), by_column(3, 2);
  for (const Scored& item : {Scored{2, 0.9F}, {0, 0.5F}, {1, 0.1F}}) by_row.offer(0, item);
  by_row.offer(1, {1, 0.4F});
  by_column.offer(0, {1, 0.3F});
  by_column.offer(0, {0, 0.5F});
  by_column.offer(2, {0, 0.9F});
  ThreadPool pool(2);
  const SparseScores scores = union_of(by_row, by_column, pool);
  EXPECT_EQ(scores.columns, 3U);
  EXPECT_EQ(scores.begin, (std::vector<std::uint64_t>{0, 2, 4}));
  EXPECT_EQ(scores.column, (std::vector<std::uint32_t>{0, 2, 0, 1}));  // not (0, 1): it is third of two
  EXPECT_EQ(scores.score, (std::vector<float>{0.5F, 0.9F, 0.3F, 0.4F}));
}

}  // namespace
}  // namespace dovetail
