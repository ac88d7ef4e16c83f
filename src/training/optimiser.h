#pragma once

#include <dovetail/training.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/buffer.h"
#include "common/prefetch.h"

namespace dovetail {

/// The optimiser's state for one matrix of parameters. Rows without a gradient are not touched; what they
/// missed is made up when they are next needed, exactly.
template <typename Real>
class RowOptimiser {
 public:
  RowOptimiser(const TrainingOptions& options, std::size_t rows, std::size_t columns);

  /// Moves a row by its gradient in step `step`, counted from 1.
  void update(std::size_t row, std::uint32_t step, const Real* gradient, Matrix<Real>& parameters);

  /// Says that a row will be updated soon.
  [[gnu::always_inline]] inline void ask_for_row(std::size_t row) const {
    if (options_.optimiser == Optimiser::gradient_descent) return;
    ask_for(state_.row(row), state_.columns() * sizeof(Real));
    ask_for(&last_[row], sizeof last_[row]);
  }

  /// Adam moves rows even where the gradient is zero; this brings a row to where it stands after `step`.
  void settle(std::size_t row, std::uint32_t step, Matrix<Real>& parameters);
  /// Whether settle() is needed before a row is read.
  [[nodiscard]] bool moves_without_gradient() const { return options_.optimiser == Optimiser::adam; }

  /// All that updates change, and the learning rate, for an archive to write or to read.
  template <typename Archive>
  void visit_state(Archive& archive) {
    archive(options_.learning_rate, state_, last_);
  }

  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  [[nodiscard]] Real decay_over(std::uint32_t steps) const;
  void adam_step(std::size_t row, std::uint32_t step, const Real* gradient, Matrix<Real>& parameters);

  TrainingOptions options_;
  [[nodiscard]] Real* mean(std::size_t row) { return state_.row(row); }
  [[nodiscard]] Real* square(std::size_t row) { return state_.row(row) + state_.columns() / 2; }

  Matrix<Real> state_;               // [rows, 2 columns] running means of the gradient | of its square
  std::vector<std::uint32_t> last_;  // [rows] the step the state is of
  std::vector<Real> powers_;         // of the decay
};

}  // namespace dovetail
