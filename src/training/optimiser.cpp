#include "training/optimiser.h"

#include <cmath>

#include "kernels/rows.h"

namespace dovetail {
namespace {

constexpr double kAdamMeanDecay = 0.9;
constexpr double kAdamSquareDecay = 0.999;
/// Of the decay, kept: most rows are touched again within so many steps.
constexpr std::size_t kPowers = 64;

}  // namespace

template <typename Real>
RowOptimiser<Real>::RowOptimiser(const TrainingOptions& options, std::size_t rows, std::size_t columns)
    : options_(options) {
  if (options.optimiser == Optimiser::gradient_descent) return;
  state_ = Matrix<Real>(rows, 2 * columns);
  last_.assign(rows, 0);
  powers_.resize(kPowers);
  for (std::size_t n = 0; n < kPowers; ++n) {
    powers_[n] = static_cast<Real>(std::pow(options.decay, static_cast<double>(n)));
  }
}

template <typename Real>
Real RowOptimiser<Real>::decay_over(std::uint32_t steps) const {
  return steps < kPowers ? powers_[steps] : static_cast<Real>(std::pow(options_.decay, steps));
}

template <typename Real>
void RowOptimiser<Real>::update(std::size_t row, std::uint32_t step, const Real* gradient,
                                Matrix<Real>& parameters) {
  const auto rate = static_cast<Real>(options_.learning_rate);
  switch (options_.optimiser) {
    case Optimiser::gradient_descent:
      add_scaled(gradient, -rate, parameters.columns(), parameters.row(row));
      return;
    case Optimiser::adam:
      settle(row, step - 1, parameters);
      adam_step(row, step, gradient, parameters);
      return;
    case Optimiser::rmsprop: {
      const auto decay = decay_over(step - last_[row]);
      const auto gain = static_cast<Real>(1 - options_.decay);
      last_[row] = step;
      rmsprop_row<Real>({.rate = rate,
                         .decay_mean = decay,
                         .decay_square = decay,
                         .gain_mean = gain,
                         .gain_square = gain,
                         .correction = 1,
                         .epsilon = static_cast<Real>(options_.epsilon)},
                        gradient, parameters.columns(), mean(row), square(row), parameters.row(row));
    }
  }
}

template <typename Real>
void RowOptimiser<Real>::settle(std::size_t row, std::uint32_t step, Matrix<Real>& parameters) {
  if (!moves_without_gradient()) return;
  if (last_[row] == 0) last_[row] = step;  // never moved: its state is zero, and stays so
  while (last_[row] < step) adam_step(row, last_[row] + 1, nullptr, parameters);
}

template <typename Real>
void RowOptimiser<Real>::adam_step(std::size_t row, std::uint32_t step, const Real* gradient,
                                   Matrix<Real>& parameters) {
  last_[row] = step;
  const double mean_share = 1 - std::pow(kAdamMeanDecay, step);
  const double square_share = 1 - std::pow(kAdamSquareDecay, step);
  adam_row<Real>({.rate = static_cast<Real>(options_.learning_rate / mean_share),
                  .decay_mean = static_cast<Real>(kAdamMeanDecay),
                  .decay_square = static_cast<Real>(kAdamSquareDecay),
                  .gain_mean = static_cast<Real>(1 - kAdamMeanDecay),
                  .gain_square = static_cast<Real>(1 - kAdamSquareDecay),
                  .correction = static_cast<Real>(1 / square_share),
                  .epsilon = static_cast<Real>(options_.epsilon)},
                 gradient, parameters.columns(), mean(row), square(row), parameters.row(row));
}

template <typename Real>
std::size_t RowOptimiser<Real>::memory_bytes() const {
  return state_.span().size_bytes() + last_.size() * sizeof(last_[0]);
}

template class RowOptimiser<float>;
template class RowOptimiser<double>;

}  // namespace dovetail
