#include "deciding/logistic.h"

#include <dovetail/errors.h>

#include <algorithm>
#include <cmath>

namespace dovetail {
namespace {

double sigmoid(double x) {
  return x >= 0 ? 1 / (1 + std::exp(-x)) : std::exp(x) / (1 + std::exp(x));
}

/// log(1 + exp(x))
double softplus(double x) {
  return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x)));
}

double standardised(const LogisticModel& model, std::size_t feature, double value) {
  return model.deviation[feature] > 0 ? (value - model.mean[feature]) / model.deviation[feature] : 0;
}

/// The standardised examples with a last column of ones for the intercept, and what the weights cost.
class Problem {
 public:
  Problem(const LogisticModel& model, const FeatureTable& examples, std::span<const std::uint8_t> outcome,
          double l2)
      : rows_(outcome.size()), width_(examples.names.size() + 1), l2_(l2) {
    inputs_.reserve(rows_ * width_);
    for (std::size_t i = 0; i < rows_; ++i) {
      for (std::size_t f = 0; f + 1 < width_; ++f) {
        inputs_.push_back(standardised(model, f, examples.values[i * (width_ - 1) + f]));
      }
      inputs_.push_back(1);
    }
    const auto right = static_cast<double>(std::ranges::count_if(outcome, [](auto o) { return o != 0; }));
    const double wrong = static_cast<double>(rows_) - right;
    for (const std::uint8_t o : outcome)
      targets_.push_back(o != 0 ? (right + 1) / (right + 2) : 1 / (wrong + 2));
  }

  [[nodiscard]] double loss(const std::vector<double>& weights) const {
    double sum = 0;
    for (std::size_t f = 0; f + 1 < width_; ++f) sum += l2_ / 2 * weights[f] * weights[f];
    for (std::size_t i = 0; i < rows_; ++i) {
      const double x = score(i, weights);
      sum += softplus(x) - targets_[i] * x;
    }
    return sum;
  }

  /// Where the loss would be least if it were the parabola that it looks like here.
  [[nodiscard]] std::vector<double> newton_step(const std::vector<double>& weights) const {
    std::vector<double> gradient(width_, 0);
    std::vector<double> curvature(width_ * width_, 0);
    for (std::size_t i = 0; i < rows_; ++i) {
      const double* const input = inputs_.data() + i * width_;
      const double chance = sigmoid(score(i, weights));
      const double error = targets_[i] - chance;
      const double bend = chance * (1 - chance);
      for (std::size_t a = 0; a < width_; ++a) {
        gradient[a] += error * input[a];
        for (std::size_t b = 0; b <= a; ++b) curvature[a * width_ + b] += bend * input[a] * input[b];
      }
    }
    for (std::size_t f = 0; f < width_; ++f) {
      const bool intercept = f + 1 == width_;
      gradient[f] -= intercept ? 0 : l2_ * weights[f];
      curvature[f * width_ + f] += intercept ? 1e-9 : std::max(l2_, 1e-9);
    }
    return solve_positive(std::move(curvature), std::move(gradient));
  }

 private:
  [[nodiscard]] double score(std::size_t i, const std::vector<double>& weights) const {
    double sum = 0;
    for (std::size_t f = 0; f < width_; ++f) sum += weights[f] * inputs_[i * width_ + f];
    return sum;
  }

  std::size_t rows_, width_;
  double l2_;
  std::vector<double> inputs_;  // [rows, width]
  std::vector<double> targets_;
};

/// Means and deviations; a deviation that is only rounding counts as 0.
LogisticModel standardisation(const FeatureTable& examples) {
  const std::size_t features = examples.names.size();
  LogisticModel model{examples.names, std::vector<double>(features, 0), std::vector<double>(features, 0),
                      std::vector<double>(features, 0), 0};
  const auto count = static_cast<double>(examples.rows());
  for (std::size_t f = 0; f < features; ++f) {
    double size = 0;
    for (std::size_t i = 0; i < examples.rows(); ++i) {
      const double value = examples.row(i)[f];
      if (!std::isfinite(value))
        throw Error("the feature \"" + examples.names[f] + "\" is not a finite number");
      model.mean[f] += value / count;
      size = std::max(size, std::abs(value));
    }
    double variance = 0;
    for (std::size_t i = 0; i < examples.rows(); ++i) {
      const double difference = examples.row(i)[f] - model.mean[f];
      variance += difference * difference / count;
    }
    model.deviation[f] = std::sqrt(variance) > 1e-9 * size ? std::sqrt(variance) : 0;
  }
  return model;
}

}  // namespace

std::vector<double> solve_positive(std::vector<double> matrix, std::vector<double> right) {
  const std::size_t n = right.size();
  const auto at = [&](std::size_t i, std::size_t j) -> double& { return matrix[i * n + j]; };
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t k = 0; k < j; ++k) at(j, j) -= at(j, k) * at(j, k);
    at(j, j) = std::sqrt(std::max(at(j, j), 1e-12));  // rounding can take a tiny pivot below 0
    for (std::size_t i = j + 1; i < n; ++i) {
      for (std::size_t k = 0; k < j; ++k) at(i, j) -= at(i, k) * at(j, k);
      at(i, j) /= at(j, j);
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < i; ++k) right[i] -= at(i, k) * right[k];
    right[i] /= at(i, i);
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) right[i] -= at(k, i) * right[k];
    right[i] /= at(i, i);
  }
  return right;
}

LogisticModel fit_logistic(const FeatureTable& examples, std::span<const std::uint8_t> outcome,
                           const LogisticOptions& options) {
  if (examples.values.size() != outcome.size() * examples.names.size()) {
    throw Error("features and outcomes differ in number");
  }
  if (!(options.l2 >= 0)) throw ParameterError("the L2 weight of a regression must not be below 0");
  LogisticModel model = standardisation(examples);
  const Problem problem(model, examples, outcome, options.l2);
  std::vector<double> weights(examples.names.size() + 1, 0);
  double loss = problem.loss(weights);
  for (std::size_t n = 0; n < options.iterations; ++n) {
    const std::vector<double> step = problem.newton_step(weights);
    // Newton's step can overshoot far from the optimum; half as far, and so on, until it gets better.
    double length = 1;
    double gained = 0;
    for (; length > 1e-6 && gained <= 0; length /= 2) {
      std::vector<double> next = weights;
      for (std::size_t f = 0; f < next.size(); ++f) next[f] += length * step[f];
      const double next_loss = problem.loss(next);
      if (!(next_loss < loss)) continue;
      gained = loss - next_loss;
      loss = next_loss;
      weights = std::move(next);
    }
    if (gained <= 1e-12 * (1 + loss)) break;
  }
  model.intercept = weights.back();
  weights.pop_back();
  model.weight = std::move(weights);
  return model;
}

std::vector<double> predict(const LogisticModel& model, const FeatureTable& table) {
  if (table.names != model.features)
    throw Error("the features are not those that the regression was fitted on");
  std::vector<double> out(table.rows());
  for (std::size_t i = 0; i < out.size(); ++i) {
    double sum = model.intercept;
    for (std::size_t f = 0; f < model.weight.size(); ++f) {
      sum += model.weight[f] * standardised(model, f, table.row(i)[f]);
    }
    out[i] = sigmoid(sum);
  }
  return out;
}

}  // namespace dovetail
