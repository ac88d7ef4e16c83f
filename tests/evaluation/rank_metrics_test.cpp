#include <gtest/gtest.h>

#include <array>
#include <cstdint>

#include <dovetail/errors.h>
#include <dovetail/evaluation.h>

namespace dovetail {
namespace {

TEST(RankMetrics, CountsHitsAndMeans) {
  const std::array<std::uint32_t, 4> ranks = {1, 2, 6, 20};
  const RankMetrics metrics = rank_metrics(ranks);
  EXPECT_EQ(metrics.count, 4U);
  EXPECT_EQ(metrics.hits_at_1, 0.25);
  EXPECT_EQ(metrics.hits_at_5, 0.5);
  EXPECT_EQ(metrics.hits_at_10, 0.75);
  EXPECT_DOUBLE_EQ(metrics.mrr, (1 + 0.5 + 1.0 / 6 + 0.05) / 4);
  EXPECT_DOUBLE_EQ(metrics.mean_rank, 29.0 / 4);
}

TEST(RankMetrics, RefusesARankOfZero) {
  const std::array<std::uint32_t, 2> ranks = {1, 0};
  EXPECT_THROW((void)rank_metrics(ranks), Error);
}

TEST(RankMetrics, NothingToRankIsNoDivisionByZero) {
  const RankMetrics metrics = rank_metrics({});
  EXPECT_EQ(metrics.count, 0U);
  EXPECT_EQ(metrics.hits_at_1, 0);
}

}  // namespace
}  // namespace dovetail
