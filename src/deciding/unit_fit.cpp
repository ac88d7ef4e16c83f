#include "deciding/unit_fit.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "deciding/logistic.h"

namespace dovetail {
namespace {

constexpr std::size_t kIterations = 50;
/// Half of this times the squared weights joins the loss; weights are tens.
constexpr double kPenalty = 1e-3;
constexpr double kLeastWeight = 0.1;
constexpr double kLongestStep = 5;

/// First and second derivatives of the log-likelihood in the weights; the second of the negative.
struct Derivatives {
  std::vector<double> gradient, curvature;  // [signals], [signals, signals]
};

void add_row(const SparseScores& pairs, std::span<const std::vector<float>> scores, std::size_t row,
             std::size_t wanted, std::span<const double> weight, Derivatives& sums) {
  const std::size_t count = scores.size();
  const auto logit = [&](std::uint64_t n) {
    double sum = 0;
    for (std::size_t k = 0; k < count; ++k) sum += weight[k] * static_cast<double>(scores[k][n]);
    return sum;
  };
  double highest = -INFINITY;
  for (std::uint64_t n = pairs.begin[row]; n < pairs.begin[row + 1]; ++n) {
    highest = std::max(highest, logit(n));
  }
  double total = 0;
  std::vector<double> mean(count, 0), square(count * count, 0);
  for (std::uint64_t n = pairs.begin[row]; n < pairs.begin[row + 1]; ++n) {
    const double p = std::exp(logit(n) - highest);
    total += p;
    for (std::size_t k = 0; k < count; ++k) {
      mean[k] += p * static_cast<double>(scores[k][n]);
      for (std::size_t m = 0; m <= k; ++m) {
        square[k * count + m] += p * static_cast<double>(scores[k][n]) * static_cast<double>(scores[m][n]);
      }
    }
  }
  for (std::size_t k = 0; k < count; ++k) {
    sums.gradient[k] += static_cast<double>(scores[k][wanted]) - mean[k] / total;
    for (std::size_t m = 0; m <= k; ++m) {
      sums.curvature[k * count + m] += square[k * count + m] / total - mean[k] * mean[m] / (total * total);
    }
  }
}

}  // namespace

std::vector<double> fit_units(const SparseScores& pairs, std::span<const std::vector<float>> scores,
                              RowPairs wanted) {
  const std::size_t count = scores.size();
  std::vector<double> weight(count, 1);
  for (std::size_t iteration = 0; iteration < kIterations; ++iteration) {
    Derivatives sums{std::vector<double>(count, 0), std::vector<double>(count * count, 0)};
    for (const auto& [row, column] : wanted) {
      const std::size_t place = find_column(pairs, row, column);
      if (place != SparseScores::kAbsent) add_row(pairs, scores, row, place, weight, sums);
    }
    for (std::size_t k = 0; k < count; ++k) {
      sums.gradient[k] -= kPenalty * weight[k];
      sums.curvature[k * count + k] += kPenalty;
    }
    const std::vector<double> step = solve_positive(std::move(sums.curvature), std::move(sums.gradient));
    // The likelihood is concave, but a full step from far away may overshoot.
    double longest = 0;
    for (const double one : step) longest = std::max(longest, std::abs(one));
    const double share = std::min(1.0, kLongestStep / std::max(longest, 1e-12));
    for (std::size_t k = 0; k < count; ++k) weight[k] += share * step[k];
    if (longest < 1e-6) break;
  }
  std::vector<double> units;
  for (const double one : weight) units.push_back(1 / std::max(one, kLeastWeight));
  return units;
}

}  // namespace dovetail
