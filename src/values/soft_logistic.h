#pragma once

#include <cstddef>
#include <vector>

namespace dovetail {

/// Examples whose outcome is a probability.
struct SoftExamples {
  std::size_t width = 0;      ///< inputs of each
  std::vector<float> inputs;  ///< [examples, width]
  std::vector<float> target;  ///< [examples] from 0 to 1
  std::vector<float> weight;  ///< [examples] how many examples each one stands for
};

/// Logistic regression by Newton's method; half of `penalty` times the squared coefficients joins the loss.
/// The coefficients in order, then the intercept.
[[nodiscard]] std::vector<double> fit_soft_logistic(const SoftExamples& examples, double penalty);

}  // namespace dovetail
