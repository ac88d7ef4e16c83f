#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/bfloat16.h"

namespace dovetail {

/// Some rows of a table by number. The array is kPrefetchAhead longer than `count`.
struct RowNumbers {
  const std::uint32_t* numbers;
  std::size_t count;
};

/// out = ELU(mean of table's rows), or the mean itself. table: [rows, width]; scratch, out: [width].
/// No rows give zeros.
template <typename Real>
void mean_rows_forward(RowNumbers rows, const Stored<Real>* table, std::size_t width, bool elu, Real* scratch,
                       Stored<Real>* out);

/// The backward of mean_rows_forward for one table row: out = sum of the gradient rows of the nodes whose
/// mean it is in, as far as need >= least; those rows already hold ELU' and 1 / count.
/// gradient: [nodes, stride], of which the first `width` columns count. False: no node needs it.
template <typename Real>
[[nodiscard]] bool mean_rows_backward(RowNumbers nodes, const std::uint8_t* need, std::uint8_t least,
                                      const Stored<Real>* gradient, std::size_t stride, std::size_t width,
                                      Real* out);

template <typename Real>
[[nodiscard]] Real dot(const Real* a, const Real* b, std::size_t size);
template <typename Real>
[[nodiscard]] Real dot_stored(const Real* a, const Stored<Real>* b, std::size_t size);
/// y += a x
template <typename Real>
void add_scaled(const Real* x, Real a, std::size_t size, Real* y);
template <typename Real>
void add_scaled_stored(const Stored<Real>* x, Real a, std::size_t size, Real* y);
template <typename Real>
void store_row(const Real* x, std::size_t size, Stored<Real>* out);
/// out = ELU(x)
template <typename Real>
void store_elu_row(const Real* x, std::size_t size, Stored<Real>* out);

/// One step of an optimiser on one row. state_a, state_b: running mean of the gradient and of its square.
template <typename Real>
struct OptimiserStep {
  Real rate;
  Real decay_mean;    ///< what remains of state_a: for rows that missed steps, with all their decay
  Real decay_square;  ///< what remains of state_b
  Real gain_mean;     ///< how much of the new gradient enters state_a
  Real gain_square;   ///< and of its square state_b
  Real correction;    ///< Adam: factor on state_b that undoes its start at zero
  Real epsilon;
};

/// Centered RMSprop: w -= rate g / (sqrt(b - a^2) + epsilon).
template <typename Real>
void rmsprop_row(const OptimiserStep<Real>& step, const Real* gradient, std::size_t size, Real* state_a,
                 Real* state_b, Real* row);
/// Adam: w -= rate a / (sqrt(correction b) + epsilon); the correction of `a` is in the rate.
/// A null gradient stands for zeros.
template <typename Real>
void adam_row(const OptimiserStep<Real>& step, const Real* gradient, std::size_t size, Real* state_a,
              Real* state_b, Real* row);

namespace naive {
void mean_rows_forward(RowNumbers rows, const Bfloat16* table, std::size_t width, bool elu, float* scratch,
                       Bfloat16* out);
[[nodiscard]] bool mean_rows_backward(RowNumbers nodes, const std::uint8_t* need, std::uint8_t least,
                                      const Bfloat16* gradient, std::size_t stride, std::size_t width,
                                      float* out);
[[nodiscard]] float dot(const float* a, const float* b, std::size_t size);
void store_elu_row(const float* x, std::size_t size, Bfloat16* out);
void rmsprop_row(const OptimiserStep<float>& step, const float* gradient, std::size_t size, float* state_a,
                 float* state_b, float* row);
void adam_row(const OptimiserStep<float>& step, const float* gradient, std::size_t size, float* state_a,
              float* state_b, float* row);
}  // namespace naive

}  // namespace dovetail
