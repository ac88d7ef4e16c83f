#include "alignment/deciding.h"

#include <dovetail/graph_builder.h>

#include <cmath>
#include <gtest/gtest.h>

#include "common/random.h"

namespace dovetail {
namespace {

/// One row for each confidence; a pair's confidence is that of the decoder.
Ranking ranking_of(const std::vector<float>& chances) {
  SparseBuilder pairs(chances.size(), chances.size());
  for (std::size_t n = 0; n < chances.size(); ++n) pairs.add(n, n, chances[n]);
  Ranking ranking;
  ranking.probabilities.pairs = ranking.decoded = pairs.build();
  ranking.probabilities.none_row.assign(chances.size(), 0);
  ranking.probabilities.none_column.assign(chances.size(), 0);
  return ranking;
}

Pools pools_of(std::size_t count) {
  Pools pools;
  for (EntityId entity = 0; entity < count; ++entity) {
    pools.left.push_back(entity);
    pools.right.push_back(entity);
  }
  return pools;
}

GraphPair no_graphs() {
  return {GraphBuilder().build(std::nullopt), GraphBuilder().build(std::nullopt)};
}

Decisions decided(const std::vector<float>& chances, DecidingOptions options) {
  options.pool = CandidatePool::open;
  options.calibrate = false;
  return decide(no_graphs(), pools_of(chances.size()), ranking_of(chances), std::nullopt, options);
}

TEST(Deciding, APrecisionKeepsTheSurestLinksWithThatMeanConfidence) {
  const std::vector<float> chances{0.99F, 0.5F, 0.95F, 0.91F};
  EXPECT_EQ(decided(chances, {}).links.size(), 4U);
  EXPECT_EQ(decided(chances, {.precision = 0.95}).links.size(), 3U) << "their mean is .95";
  EXPECT_EQ(decided(chances, {.precision = 0.96}).links.size(), 2U);
  EXPECT_EQ(decided(chances, {.precision = 0.995}).links.size(), 0U) << "no set has it";
}

TEST(Deciding, EntitiesOfBothSidesAreListedWithTheirBestCandidateAndTheReason) {
  const Decisions decisions = decided({0.99F, 0.5F}, {.min_confidence = 0.9});
  ASSERT_EQ(decisions.unmatched_left.size(), 1U);
  ASSERT_EQ(decisions.unmatched_right.size(), 1U);
  for (const Unmatched& entity : {decisions.unmatched_left[0], decisions.unmatched_right[0]}) {
    EXPECT_EQ(entity.entity, 1U);
    EXPECT_EQ(entity.candidate, 1U);
    EXPECT_EQ(entity.score, 0.5F);
    EXPECT_EQ(entity.reason, UnmatchedReason::unsure);
  }
}

TEST(Deciding, TheExpectedPrecisionIsTheMeanConfidence) {
  const ExpectedPrecision expected = expected_precision(std::vector<double>{0.9, 0.7}, 100);
  EXPECT_DOUBLE_EQ(expected.right, 1.6);
  EXPECT_DOUBLE_EQ(expected.precision, 0.8);
  EXPECT_LT(expected.precision_low, 0.8);
  EXPECT_GT(expected.precision_high, 0.8);
  EXPECT_GT(expected.precision_low, expected_precision(std::vector<double>{0.9, 0.7}, 1).precision_low)
      << "fewer examples say less";
}

TEST(Deciding, TheShareOfAnOutcomeIsFoundFromPredictionsMadeForOneHalf) {
  // Scores of the two kinds are normal around -1 and 1, so that 1 / (1 + exp(-2 x)) is right for one half.
  Random random(3);
  std::vector<double> predictions;
  for (int n = 0; n < 20000; ++n) {
    double x = n % 10 == 0 ? 1 : -1;
    for (int k = 0; k < 12; ++k) x += random.uniform() - 0.5;
    predictions.push_back(1 / (1 + std::exp(-2 * x)));
  }
  EXPECT_NEAR(estimated_share(predictions), 0.1, 0.02);
  EXPECT_DOUBLE_EQ(with_share(0.5, 0.1), 0.1);
  EXPECT_DOUBLE_EQ(with_share(0.3, 0.5), 0.3);
}

}  // namespace
}  // namespace dovetail
