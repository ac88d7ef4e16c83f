// Confidences without seeds, on scores whose truth is known.
#include "deciding/estimated_confidence.h"

#include <cmath>
#include <gtest/gtest.h>
#include <utility>

#include "common/random.h"

namespace dovetail {
namespace {

/// About normal, of deviation 1.
double noise(Random& random) {
  double sum = 0;
  for (int n = 0; n < 12; ++n) sum += random.uniform();
  return sum - 6;
}

/// Row i and column i are the same for i < shared; everything else has no counterpart.
LinkProbabilities made_probabilities(std::size_t rows, std::size_t columns, std::size_t shared,
                                     double ahead) {
  constexpr std::size_t kOthers = 30;
  Random random(7);
  SparseBuilder scores(rows, columns);
  for (std::size_t row = 0; row < rows; ++row) {
    if (row < shared) scores.add(row, row, static_cast<float>(ahead + 2 * noise(random)));
    const std::size_t first = random.below(columns);
    for (std::size_t n = 0; n < kOthers; ++n) {
      const std::size_t column = (first + n * 37) % columns;
      if (column != row) scores.add(row, column, static_cast<float>(2 * noise(random)));
    }
  }
  ThreadPool pool(1);
  return sinkhorn(scores.build(), {.iterations = 50, .temperature = 1, .no_counterpart = 0}, pool);
}

/// Mean confidence of all links, and how many of them are right.
std::pair<double, double> expected_and_true(const LinkProbabilities& probabilities, std::size_t shared) {
  const EstimatedConfidence estimate = estimate_confidence(probabilities);
  double expected = 0, right = 0;
  const std::vector<Decision> links = mutual_best(probabilities.pairs);
  for (const Decision& link : links) {
    expected += estimate(link.score);
    right += link.row == link.column && link.row < shared ? 1 : 0;
  }
  const auto count = static_cast<double>(links.size());
  return {expected / count, right / count};
}

struct World {
  std::size_t rows, columns, shared;
  double ahead;
};

class EstimatedWithoutSeeds : public testing::TestWithParam<World> {};

TEST_P(EstimatedWithoutSeeds, ExpectsThePrecisionThatThereIs) {
  const auto [rows, columns, shared, ahead] = GetParam();
  const auto [expected, right] = expected_and_true(made_probabilities(rows, columns, shared, ahead), shared);
  EXPECT_NEAR(expected, right, 0.08);
}

INSTANTIATE_TEST_SUITE_P(Worlds, EstimatedWithoutSeeds,
                         testing::Values(World{1001, 1001, 1001, 12}, World{1001, 1001, 700, 12},
                                         World{1001, 1001, 400, 9}, World{501, 5001, 400, 12},
                                         World{5001, 501, 400, 12}));

TEST(EstimatedConfidence, IsMonotoneAndBetweenZeroAndOne) {
  const EstimatedConfidence estimate = estimate_confidence(made_probabilities(1001, 1001, 600, 9));
  double before = 0;
  for (int n = 0; n <= 100; ++n) {
    const double value = estimate(n / 100.0);
    EXPECT_GE(value, before);
    EXPECT_LE(value, 1);
    before = value;
  }
}

TEST(EstimatedConfidence, KnowsNothingWithoutLinks) {
  ThreadPool pool(1);
  const LinkProbabilities nothing = sinkhorn(no_pairs(3, 3), {.no_counterpart = 0}, pool);
  EXPECT_EQ(estimate_confidence(nothing)(0.9), 0);
}

TEST(Decoys, ARowWithoutItsColumnChoosesTheNextOneUnlessAnotherRowHasIt) {
  SparseBuilder builder(2, 3);
  builder.add(0, 0, 0.90F);
  builder.add(0, 1, 0.05F);  // row 1 has it
  builder.add(1, 1, 0.90F);
  builder.add(1, 2, 0.05F);  // nobody else wants it
  const LinkProbabilities probabilities{builder.build(), {0.05F, 0.05F}, {0.1F, 0.05F, 0.95F}};
  const std::vector<Decision> both{{0, 0, 0.9F}, {1, 1, 0.9F}};
  const Decoys decoys = row_decoys(probabilities, both);
  EXPECT_EQ(decoys.tried, 2U);
  EXPECT_EQ(decoys.rows, 2U);
  ASSERT_EQ(decoys.chosen.size(), 1U) << "row 0 finds its second choice taken";
  EXPECT_GT(decoys.chosen[0], 0.3F) << "the share of the lost column goes to what is left";
  EXPECT_LT(decoys.chosen[0], 0.6F) << "and to having no counterpart";
}

}  // namespace
}  // namespace dovetail
