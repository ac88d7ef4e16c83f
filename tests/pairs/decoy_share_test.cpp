// How many entities have no counterpart, on scores whose truth is known.
#include "pairs/decoy_share.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "common/random.h"

namespace dovetail {
namespace {

/// About normal, of deviation 1.
double noise(Random& random) {
  double sum = 0;
  for (int n = 0; n < 12; ++n) sum += random.uniform();
  return sum - 6;
}

/// Best scores of `entities`, of which a share has no counterpart: theirs are about 0, and of one in five
/// nothing is left; those of others are about `ahead`.
BestScores made(std::size_t entities, double without, double ahead, std::uint64_t seed) {
  Random random(seed);
  BestScores scores;
  for (std::size_t n = 0; n < entities; ++n) {
    const bool none = static_cast<double>(n) < without * static_cast<double>(entities);
    if (none && n % 5 == 0) {
      ++scores.nothing;
    } else {
      scores.ascending.push_back((none ? 0 : ahead) + noise(random));
    }
  }
  std::ranges::sort(scores.ascending);
  return scores;
}

class ShareWithoutCounterpart : public testing::TestWithParam<double> {};

TEST_P(ShareWithoutCounterpart, IsBoundedFromAboveAndClosely) {
  const double without = GetParam();
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const double share = share_without_counterpart(made(2000, without, 6, seed), made(400, 1, 0, seed + 100));
    EXPECT_GT(share, 0.85 * without - 0.02) << seed << ": the least of several uncertain ratios";
    EXPECT_LT(share, without + 0.06) << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(Shares, ShareWithoutCounterpart, testing::Values(0, 0.1, 0.4, 0.8));

TEST(DecoyShare, IsOneWhereRightAndWrongScoreAlikeOrNothingIsKnown) {
  EXPECT_GT(share_without_counterpart(made(2000, 0.2, 0, 1), made(400, 1, 0, 2)), 0.65);
  EXPECT_EQ(share_without_counterpart(made(10, 0.5, 6, 1), {}), 1);
  EXPECT_EQ(share_without_counterpart({}, made(10, 1, 6, 1)), 1);
}

TEST(DecoyShare, CountsEntitiesWithoutACandidateBelowAllScores) {
  const BestScores scores{.ascending = {1, 2, 2, 3}, .nothing = 4};
  EXPECT_EQ(scores.share_up_to(0), 0.5);
  EXPECT_EQ(scores.share_up_to(2), 0.875);
  EXPECT_EQ(scores.share_up_to(9), 1);
}

}  // namespace
}  // namespace dovetail
