#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/bfloat16.h"

namespace dovetail {

/// `count` rows, some columns of each: row b is base + number(b) * stride, seen through a mask of dropout.
template <typename Real>
struct MaskedRows {
  const Stored<Real>* base;
  std::size_t stride;
  const std::uint32_t* numbers;  ///< [count]; null: 0, 1, 2, ...
  std::size_t count;
  const std::uint8_t* mask;  ///< [count, mask_stride] one bit per column, readable 8 bytes further; null: all
  std::size_t mask_stride;
};

/// What brings a column to mean 0 and deviation 1: (x - mean) * inverse.
template <typename Real>
struct ColumnScale {
  Real* mean;     ///< [width]
  Real* inverse;  ///< [width] 1 / sqrt(variance + epsilon)
};

/// Mean and deviation of each column over the rows.
template <typename Real>
void column_scale(const MaskedRows<Real>& rows, std::size_t width, Real epsilon,
                  const ColumnScale<Real>& scale);

/// Products of corresponding standardised rows, added to: xy, xx, yy [rows].
template <typename Real>
struct RowProducts {
  Real* xy;
  Real* xx;
  Real* yy;
};
template <typename Real>
void row_products(const MaskedRows<Real>& x, const ColumnScale<Real>& x_scale, const MaskedRows<Real>& y,
                  const ColumnScale<Real>& y_scale, std::size_t width, std::size_t begin, std::size_t end,
                  const RowProducts<Real>& products);

/// Given dL/dz_b = on_y[b] y_b + on_x[b] z_b for the standardised rows z of x, writes dL/dx: through the
/// standardisation (if `through_scale`: mean and deviation depend on x) and the mask. out: [rows,
/// out_stride]; scratch: [2 width].
template <typename Real>
void standardised_backward(const MaskedRows<Real>& x, const ColumnScale<Real>& x_scale,
                           const MaskedRows<Real>& y, const ColumnScale<Real>& y_scale, std::size_t width,
                           const Real* on_y, const Real* on_x, bool through_scale, Real* scratch,
                           Stored<Real>* out, std::size_t out_stride);

namespace naive {
void column_scale(const MaskedRows<float>& rows, std::size_t width, float epsilon,
                  const ColumnScale<float>& scale);
void row_products(const MaskedRows<float>& x, const ColumnScale<float>& x_scale, const MaskedRows<float>& y,
                  const ColumnScale<float>& y_scale, std::size_t width, std::size_t begin, std::size_t end,
                  const RowProducts<float>& products);
void standardised_backward(const MaskedRows<float>& x, const ColumnScale<float>& x_scale,
                           const MaskedRows<float>& y, const ColumnScale<float>& y_scale, std::size_t width,
                           const float* on_y, const float* on_x, bool through_scale, float* scratch,
                           Bfloat16* out, std::size_t out_stride);
}  // namespace naive

}  // namespace dovetail
