#pragma once

#include <dovetail/calibration.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace dovetail {

/// Features of some examples, by name.
struct FeatureTable {
  std::vector<std::string> names;
  std::vector<double> values;  ///< [rows, names]

  [[nodiscard]] std::size_t rows() const { return names.empty() ? 0 : values.size() / names.size(); }
  [[nodiscard]] std::span<const double> row(std::size_t i) const {
    return {values.data() + i * names.size(), names.size()};
  }
};

struct LogisticOptions {
  double l2 = 1;  ///< half of this times the squared weights, of features of deviation 1, joins the loss
  std::size_t iterations = 100;
};

/// Logistic regression by Newton's method. Features are standardised. The outcomes, 0 or 1, are smoothed as
/// Platt (1999) does, as if there were one more example of each kind, so that a handful of examples, examples
/// of one kind only and examples that a plane divides all give finite weights and no confidence of 1.
/// Throws Error if a feature is not a finite number.
[[nodiscard]] LogisticModel fit_logistic(const FeatureTable& examples, std::span<const std::uint8_t> outcome,
                                         const LogisticOptions& options = {});

/// By row. Throws Error if the features are not those that the model was fitted on.
[[nodiscard]] std::vector<double> predict(const LogisticModel& model, const FeatureTable& table);

/// Solves matrix x = right for a symmetric positive definite matrix [n, n], by Cholesky's method; only its
/// lower half is looked at.
[[nodiscard]] std::vector<double> solve_positive(std::vector<double> matrix, std::vector<double> right);

}  // namespace dovetail
