#include <dovetail/errors.h>
#include <dovetail/evaluation.h>

#include <gtest/gtest.h>
#include <vector>

namespace dovetail {
namespace {

TEST(RankMetrics, CountsAndMeans) {
  const std::vector<std::uint32_t> ranks{1, 1, 2, 5, 10, 11, 100, 1};
  const RankMetrics metrics = rank_metrics(ranks);
  EXPECT_EQ(metrics.count, 8U);
  EXPECT_DOUBLE_EQ(metrics.hits_at_1, 3 / 8.0);
  EXPECT_DOUBLE_EQ(metrics.hits_at_5, 5 / 8.0);
  EXPECT_DOUBLE_EQ(metrics.hits_at_10, 6 / 8.0);
  EXPECT_NEAR(metrics.mrr, (3 + 0.5 + 0.2 + 0.1 + 1 / 11.0 + 0.01) / 8, 1e-12);
  EXPECT_NEAR(metrics.mean_rank, 131 / 8.0, 1e-12);
}

TEST(RankMetrics, NothingGivesNothing) {
  EXPECT_EQ(rank_metrics({}).count, 0U);
}

TEST(RankMetrics, AnAnswerWithoutRankIsRefused) {
  const std::vector<std::uint32_t> ranks{1, 0};
  EXPECT_THROW((void)rank_metrics(ranks), Error);
}

}  // namespace
}  // namespace dovetail
