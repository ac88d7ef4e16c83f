#include "study/statistics.h"

#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <numbers>
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

/// The two tails by finite sums, for whole degrees of freedom (Abramowitz and Stegun, 26.7.3 and 26.7.4):
/// nothing in common with the continued fraction, but no use far out, where 1 - A loses its digits.
double naive_tails(double t, int freedom) {
  const double angle = std::atan(std::abs(t) / std::sqrt(freedom));
  const double cosine = std::cos(angle), sine = std::sin(angle);
  double term = freedom % 2 == 0 ? 1 : cosine, sum = freedom == 1 ? 0 : term;
  for (int k = freedom % 2 == 0 ? 2 : 3; k < freedom; k += 2) {
    term *= cosine * cosine * (k - 1) / k;
    sum += term;
  }
  const double inside = freedom % 2 == 0 ? sine * sum : 2 * std::numbers::inv_pi * (angle + sine * sum);
  return 1 - inside;
}

TEST(Statistics, TailsOfStudentsTAgreeWithFiniteSums) {
  for (int freedom = 1; freedom <= 200; ++freedom) {
    for (const double t : {0.0, 1e-9, 0.01, 0.3, 0.7, 1.0, 1.5, 1.96, 2.5, 4.0, 8.0, 20.0, -3.0}) {
      EXPECT_NEAR(t_tails(t, freedom), naive_tails(t, freedom), 1e-10) << t << " " << freedom;
    }
  }
}

TEST(Statistics, TailsOfStudentsTAreTheKnownOnes) {
  struct Known {
    double t;
    double freedom;
    double p;
  };
  // Computed with 40 digits. Far out too: the error is relative.
  constexpr std::array kKnown = {Known{1, 1, 0.5},
                                 Known{12.706204736432095, 1, 0.049999999998991306},
                                 Known{4.3026527299112747, 2, 0.049999999996516631},
                                 Known{0.001, 3, 0.99926489496946094},
                                 Known{2.5, 4, 0.066766544811988145},
                                 Known{40, 5, 1.8411962171772954e-7},
                                 Known{2.228138852, 10, 0.049999999998836525},
                                 Known{0.5, 29, 0.62084808419378136},
                                 Known{-2.042272456, 30, 0.050000000031691388},
                                 Known{8, 50, 1.6632966028321384e-10},
                                 Known{12, 99, 5.1306296878974855e-21},
                                 Known{1.983971519, 100, 0.049999999946029494},
                                 Known{0.1, 150, 0.92047785308997078},
                                 Known{1.971896224, 200, 0.049999999957873274},
                                 Known{35, 200, 3.198043743601084e-87}};
  for (const Known& known : kKnown) {
    EXPECT_NEAR(t_tails(known.t, known.freedom) / known.p, 1, 1e-10) << known.t << " " << known.freedom;
  }
  EXPECT_EQ(t_tails(0, 7), 1);
  EXPECT_EQ(t_tails(HUGE_VAL, 7), 0);
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
