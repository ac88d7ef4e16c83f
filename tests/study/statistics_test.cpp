#include "study/statistics.h"

#include <cmath>
#include <gtest/gtest.h>
#include <vector>

namespace dovetail {
namespace {

TEST(Statistics, MeanAndDeviationOfASample) {
  const Summary summary = summarise(std::vector<double>{2, 4, 4, 4, 5, 5, 7, 9});
  EXPECT_EQ(summary.count, 8U);
  EXPECT_DOUBLE_EQ(summary.mean, 5);
  EXPECT_NEAR(summary.deviation, std::sqrt(32.0 / 7), 1e-12);
  EXPECT_EQ(summarise(std::vector<double>{3}).deviation, 0);
  EXPECT_EQ(summarise(std::vector<double>{}).count, 0U);
}

/// With two degrees of freedom the distribution has a closed form: p = 1 - |t| / sqrt(2 + t^2), two-sided.
TEST(Statistics, TTestAgreesWithTheClosedForm) {
  for (const double expected : {1.0, 2.5, 3.4, 7.0}) {
    const TTest test = t_test(summarise(std::vector<double>{2, 3, 4}), expected);
    EXPECT_NEAR(test.t, (3 - expected) / std::sqrt(1.0 / 3), 1e-12);
    EXPECT_NEAR(test.p, 1 - std::abs(test.t) / std::sqrt(2 + test.t * test.t), 1e-12);
  }
  // A mean as far above as below is as unlikely.
  EXPECT_NEAR(t_test({5, 0.7, 0.01}, 0.68).p, t_test({5, 0.7, 0.01}, 0.72).p, 1e-12);
}

TEST(Statistics, LinesAndPowersAreFound) {
  const std::vector<double> x{1, 2, 4, 8};
  const Line line = fit_line(x, std::vector<double>{5, 8, 14, 26});
  EXPECT_NEAR(line.intercept, 2, 1e-12);
  EXPECT_NEAR(line.slope, 3, 1e-12);
  EXPECT_NEAR(line.r_squared, 1, 1e-12);
  const Line power = fit_power(x, std::vector<double>{3, 12, 48, 192});
  EXPECT_NEAR(power.slope, 2, 1e-12);
  EXPECT_NEAR(std::exp(power.intercept), 3, 1e-12);
  EXPECT_LT(fit_line(x, std::vector<double>{1, -1, 1, -1}).r_squared, 0.5);
}

}  // namespace
}  // namespace dovetail
