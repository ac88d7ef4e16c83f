#pragma once

#include <span>

namespace dovetail {

/// Some measurements of one thing.
struct Summary {
  std::size_t count = 0;
  double mean = 0;
  double deviation = 0;  ///< of a sample: divided by count - 1; 0 for one measurement
};
[[nodiscard]] Summary summarise(std::span<const double> values);

/// The probability that Student's t with so many degrees of freedom (above 0) is as far from 0 as `t` or
/// farther, on either side.
[[nodiscard]] double t_tails(double t, double freedom);

/// The one-sample t-test: how likely a mean as far from `expected` as this one, or farther, on either side,
/// would be if that were the true one.
struct TTest {
  double t = 0;
  double p = 1;
};
/// Needs two measurements at least that are not all the same.
[[nodiscard]] TTest t_test(const Summary& sample, double expected);

/// The least-squares line y = intercept + slope x, and the share of y's variance that it explains.
struct Line {
  double intercept = 0, slope = 0, r_squared = 0;
};
[[nodiscard]] Line fit_line(std::span<const double> x, std::span<const double> y);
/// The same in logarithms: the slope is the exponent of y = a x^slope. All values are above 0.
[[nodiscard]] Line fit_power(std::span<const double> x, std::span<const double> y);

}  // namespace dovetail
