#include "study/statistics.h"

#include <cmath>
#include <cstddef>
#include <vector>

namespace dovetail {

Summary summarise(std::span<const double> values) {
  Summary summary{.count = values.size()};
  if (values.empty()) return summary;
  const auto count = static_cast<double>(values.size());
  for (const double value : values) summary.mean += value / count;
  double squares = 0;
  for (const double value : values) squares += (value - summary.mean) * (value - summary.mean);
  if (values.size() > 1) summary.deviation = std::sqrt(squares / (count - 1));
  return summary;
}

namespace {

/// The continued fraction of the incomplete beta function (NIST's Digital Library of Mathematical
/// Functions, 8.17.22), by Lentz's method. Converges in some ten terms for x < (a + 1) / (a + b + 2).
double beta_fraction(double a, double b, double x) {
  constexpr double kTiny = 1e-300;  // in place of a 0 to divide by
  constexpr double kPrecision = 1e-16;
  const auto not_zero = [](double value) { return std::abs(value) < kTiny ? kTiny : value; };
  double numerator = 1;
  double denominator = 1 / not_zero(1 - (a + b) * x / (a + 1));
  double value = denominator;
  for (int m = 1; m < 1000; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    double factor = 1;
    for (const double term : {even, odd}) {
      denominator = 1 / not_zero(1 + term * denominator);
      numerator = not_zero(1 + term / numerator);
      factor = numerator * denominator;
      value *= factor;
    }
    if (std::abs(factor - 1) < kPrecision) break;
  }
  return value;
}

/// The regularised incomplete beta function I_x(a, b); `rest` is 1 - x, given for its own precision.
double beta_share(double a, double b, double x, double rest) {
  if (x <= 0) return 0;
  if (x > (a + 1) / (a + b + 2)) return 1 - beta_share(b, a, rest, x);
  const double log_beta = std::lgamma(a) + std::lgamma(b) - std::lgamma(a + b);
  return std::exp(a * std::log(x) + b * std::log(rest) - log_beta) * beta_fraction(a, b, x) / a;
}

}  // namespace

double t_tails(double t, double freedom) {
  const double square = t * t;
  if (std::isinf(square)) return 0;
  return beta_share(freedom / 2, 0.5, freedom / (freedom + square), square / (freedom + square));
}

TTest t_test(const Summary& sample, double expected) {
  const auto count = static_cast<double>(sample.count);
  const double t = (sample.mean - expected) / (sample.deviation / std::sqrt(count));
  return {.t = t, .p = t_tails(t, count - 1)};
}

Line fit_line(std::span<const double> x, std::span<const double> y) {
  const double x_mean = summarise(x).mean, y_mean = summarise(y).mean;
  double xx = 0, xy = 0, yy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - x_mean) * (x[i] - x_mean);
    xy += (x[i] - x_mean) * (y[i] - y_mean);
    yy += (y[i] - y_mean) * (y[i] - y_mean);
  }
  Line line;
  if (xx > 0) line.slope = xy / xx;
  line.intercept = y_mean - line.slope * x_mean;
  if (xx > 0 && yy > 0) line.r_squared = xy * xy / (xx * yy);
  return line;
}

Line fit_power(std::span<const double> x, std::span<const double> y) {
  std::vector<double> log_x, log_y;
  for (const double value : x) log_x.push_back(std::log(value));
  for (const double value : y) log_y.push_back(std::log(value));
  return fit_line(log_x, log_y);
}

}  // namespace dovetail
