#include "values/soft_logistic.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace dovetail {

namespace {

constexpr std::size_t kSteps = 30;
constexpr double kSmallStep = 1e-4;
constexpr double kLongestStep = 5;  // of a coefficient: far from the solution Newton's method overshoots

double sigmoid(double x) {
  return x >= 0 ? 1 / (1 + std::exp(-x)) : std::exp(x) / (1 + std::exp(x));
}

/// Solves matrix x = right for a symmetric positive definite matrix [n, n], by Cholesky's method.
std::vector<double> solve(std::vector<double> matrix, std::vector<double> right) {
  const std::size_t n = right.size();
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = j; i < n; ++i) {
      double sum = matrix[i * n + j];
      for (std::size_t k = 0; k < j; ++k) sum -= matrix[i * n + k] * matrix[j * n + k];
      matrix[i * n + j] = i == j ? std::sqrt(std::max(sum, 1e-12)) : sum / matrix[j * n + j];
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < i; ++k) right[i] -= matrix[i * n + k] * right[k];
    right[i] /= matrix[i * n + i];
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) right[i] -= matrix[k * n + i] * right[k];
    right[i] /= matrix[i * n + i];
  }
  return right;
}

std::vector<double> newton_step(const SoftExamples& examples, const std::vector<double>& at, double penalty) {
  const std::size_t width = examples.width, size = width + 1;
  std::vector<double> gradient(size, 0), curvature(size * size, 0), input(size, 1);
  for (std::size_t n = 0; n < examples.target.size(); ++n) {
    double score = at[width];
    for (std::size_t f = 0; f < width; ++f) {
      input[f] = examples.inputs[n * width + f];
      score += at[f] * input[f];
    }
    const double chance = sigmoid(score);
    const double error = examples.weight[n] * (examples.target[n] - chance);
    const double bend = examples.weight[n] * chance * (1 - chance);
    for (std::size_t i = 0; i < size; ++i) {
      gradient[i] += error * input[i];
      const double scaled = bend * input[i];
      for (std::size_t j = 0; j <= i; ++j) curvature[i * size + j] += scaled * input[j];
    }
  }
  for (std::size_t f = 0; f < size; ++f) {
    gradient[f] -= f < width ? penalty * at[f] : 0;
    curvature[f * size + f] += f < width ? penalty : 1e-6;
  }
  return solve(std::move(curvature), std::move(gradient));
}

}  // namespace

std::vector<double> fit_soft_logistic(const SoftExamples& examples, double penalty) {
  std::vector<double> at(examples.width + 1, 0);
  if (examples.target.empty()) return at;
  for (std::size_t step = 0; step < kSteps; ++step) {
    const std::vector<double> move = newton_step(examples, at, penalty);
    double longest = 0;
    for (const double m : move) longest = std::max(longest, std::abs(m));
    if (!std::isfinite(longest)) break;
    const double scale = longest > kLongestStep ? kLongestStep / longest : 1;
    for (std::size_t f = 0; f < at.size(); ++f) at[f] += scale * move[f];
    if (longest < kSmallStep) break;
  }
  return at;
}

}  // namespace dovetail
