#include "study/statistics.h"

#include <boost/math/distributions/students_t.hpp>
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

TTest t_test(const Summary& sample, double expected) {
  const auto count = static_cast<double>(sample.count);
  const double t = (sample.mean - expected) / (sample.deviation / std::sqrt(count));
  const boost::math::students_t distribution(count - 1);
  return {.t = t, .p = 2 * boost::math::cdf(boost::math::complement(distribution, std::abs(t)))};
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
