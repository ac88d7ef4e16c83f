#include "kernels/standardised.h"

#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/standardised.cpp"
#include <hwy/foreach_target.h>

#include "kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dovetail::HWY_NAMESPACE {

/// One row of MaskedRows.
template <class L>
struct MaskedRow {
  const typename L::Row* values;
  const std::uint8_t* mask;

  HWY_INLINE MaskedRow(const MaskedRows<typename L::Real>& rows, std::size_t b)
      : values(rows.base + (rows.numbers == nullptr ? b : rows.numbers[b]) * rows.stride),
        mask(rows.mask == nullptr ? nullptr : rows.mask + b * rows.mask_stride) {}

  HWY_INLINE typename L::V load(std::size_t c) const {
    const auto v = L::load_row(values + c);
    return mask == nullptr ? v : L::keep(v, mask, c);
  }
};

template <class L>
HWY_INLINE typename L::V standardised(const MaskedRow<L>& row, const ColumnScale<typename L::Real>& scale,
                                      std::size_t c) {
  return L::mul(L::sub(row.load(c), L::load(scale.mean + c)), L::load(scale.inverse + c));
}

template <class L>
void scale_columns(const MaskedRows<typename L::Real>& rows, std::size_t width, typename L::Real epsilon,
                   const ColumnScale<typename L::Real>& scale) {
  using Real = typename L::Real;
  clear<L>(scale.mean, width);
  clear<L>(scale.inverse, width);
  for (std::size_t b = 0; b < rows.count; ++b) {
    const MaskedRow<L> row(rows, b);
    for (std::size_t c = 0; c < width; c += L::lanes()) {
      const auto v = row.load(c);
      L::store(L::add(L::load(scale.mean + c), v), scale.mean + c);
      L::store(L::mul_add(v, v, L::load(scale.inverse + c)), scale.inverse + c);
    }
  }
  const auto share = L::set(Real{1} / static_cast<Real>(rows.count));
  for (std::size_t c = 0; c < width; c += L::lanes()) {
    const auto mean = L::mul(share, L::load(scale.mean + c));
    const auto square = L::mul(share, L::load(scale.inverse + c));
    const auto variance = L::max(L::neg_mul_add(mean, mean, square), L::zero());
    L::store(mean, scale.mean + c);
    L::store(L::div(L::set(1), L::sqrt(L::add(variance, L::set(epsilon)))), scale.inverse + c);
  }
}

template <class L>
void multiply_rows(const MaskedRows<typename L::Real>& x, const ColumnScale<typename L::Real>& x_scale,
                   const MaskedRows<typename L::Real>& y, const ColumnScale<typename L::Real>& y_scale,
                   std::size_t width, std::size_t begin, std::size_t end,
                   const RowProducts<typename L::Real>& products) {
  for (std::size_t b = begin; b < end; ++b) {
    const MaskedRow<L> x_row(x, b);
    const MaskedRow<L> y_row(y, b);
    auto xy = L::zero(), xx = L::zero(), yy = L::zero();
    for (std::size_t c = 0; c < width; c += L::lanes()) {
      const auto xc = standardised<L>(x_row, x_scale, c);
      const auto yc = standardised<L>(y_row, y_scale, c);
      xy = L::mul_add(xc, yc, xy);
      xx = L::mul_add(xc, xc, xx);
      yy = L::mul_add(yc, yc, yy);
    }
    products.xy[b] += L::sum(xy);
    products.xx[b] += L::sum(xx);
    products.yy[b] += L::sum(yy);
  }
}

template <class L>
void backward(const MaskedRows<typename L::Real>& x, const ColumnScale<typename L::Real>& x_scale,
              const MaskedRows<typename L::Real>& y, const ColumnScale<typename L::Real>& y_scale,
              std::size_t width, const typename L::Real* on_y, const typename L::Real* on_x,
              bool through_scale, typename L::Real* scratch, typename L::Row* out, std::size_t out_stride) {
  using Real = typename L::Real;
  Real* const sum = scratch;
  Real* const product = scratch + width;
  clear<L>(scratch, 2 * width);
  for (std::size_t b = 0; through_scale && b < x.count; ++b) {
    const MaskedRow<L> x_row(x, b);
    const MaskedRow<L> y_row(y, b);
    const auto a = L::set(on_y[b]), e = L::set(on_x[b]);
    for (std::size_t c = 0; c < width; c += L::lanes()) {
      const auto z = standardised<L>(x_row, x_scale, c);
      const auto dz = L::mul_add(a, standardised<L>(y_row, y_scale, c), L::mul(e, z));
      L::store(L::add(L::load(sum + c), dz), sum + c);
      L::store(L::mul_add(dz, z, L::load(product + c)), product + c);
    }
  }
  const auto share = L::set(Real{1} / static_cast<Real>(x.count));
  for (std::size_t c = 0; c < 2 * width; c += L::lanes()) {
    L::store(L::mul(share, L::load(scratch + c)), scratch + c);
  }
  for (std::size_t b = 0; b < x.count; ++b) {
    const MaskedRow<L> x_row(x, b);
    const MaskedRow<L> y_row(y, b);
    const auto a = L::set(on_y[b]), e = L::set(on_x[b]);
    for (std::size_t c = 0; c < width; c += L::lanes()) {
      const auto z = standardised<L>(x_row, x_scale, c);
      auto dz = L::mul_add(a, standardised<L>(y_row, y_scale, c), L::mul(e, z));
      dz = L::neg_mul_add(z, L::load(product + c), L::sub(dz, L::load(sum + c)));
      auto dx = L::mul(dz, L::load(x_scale.inverse + c));
      if (x_row.mask != nullptr) dx = L::keep(dx, x_row.mask, c);
      L::store_row(dx, out + b * out_stride + c);
    }
  }
}

void scale_fast(const MaskedRows<float>& rows, std::size_t width, float epsilon,
                const ColumnScale<float>& scale) {
  scale_columns<VectorLanes>(rows, width, epsilon, scale);
}
void products_fast(const MaskedRows<float>& x, const ColumnScale<float>& x_scale, const MaskedRows<float>& y,
                   const ColumnScale<float>& y_scale, std::size_t width, std::size_t begin, std::size_t end,
                   const RowProducts<float>& products) {
  multiply_rows<VectorLanes>(x, x_scale, y, y_scale, width, begin, end, products);
}
void backward_fast(const MaskedRows<float>& x, const ColumnScale<float>& x_scale, const MaskedRows<float>& y,
                   const ColumnScale<float>& y_scale, std::size_t width, const float* on_y, const float* on_x,
                   bool through_scale, float* scratch, Bfloat16* out, std::size_t out_stride) {
  backward<VectorLanes>(x, x_scale, y, y_scale, width, on_y, on_x, through_scale, scratch, out, out_stride);
}

}  // namespace dovetail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dovetail {

namespace simple = HWY_NAMESPACE;
using DoubleLanes = simple::ScalarLanes<double>;
using NaiveLanes = simple::ScalarLanes<float>;

HWY_EXPORT(scale_fast);
HWY_EXPORT(products_fast);
HWY_EXPORT(backward_fast);

template <>
void column_scale(const MaskedRows<float>& rows, std::size_t width, float epsilon,
                  const ColumnScale<float>& scale) {
  HWY_DYNAMIC_DISPATCH(scale_fast)(rows, width, epsilon, scale);
}
template <>
void column_scale(const MaskedRows<double>& rows, std::size_t width, double epsilon,
                  const ColumnScale<double>& scale) {
  simple::scale_columns<DoubleLanes>(rows, width, epsilon, scale);
}
template <>
void row_products(const MaskedRows<float>& x, const ColumnScale<float>& x_scale, const MaskedRows<float>& y,
                  const ColumnScale<float>& y_scale, std::size_t width, std::size_t begin, std::size_t end,
                  const RowProducts<float>& products) {
  HWY_DYNAMIC_DISPATCH(products_fast)(x, x_scale, y, y_scale, width, begin, end, products);
}
template <>
void row_products(const MaskedRows<double>& x, const ColumnScale<double>& x_scale,
                  const MaskedRows<double>& y, const ColumnScale<double>& y_scale, std::size_t width,
                  std::size_t begin, std::size_t end, const RowProducts<double>& products) {
  simple::multiply_rows<DoubleLanes>(x, x_scale, y, y_scale, width, begin, end, products);
}
template <>
void standardised_backward(const MaskedRows<float>& x, const ColumnScale<float>& x_scale,
                           const MaskedRows<float>& y, const ColumnScale<float>& y_scale, std::size_t width,
                           const float* on_y, const float* on_x, bool through_scale, float* scratch,
                           Bfloat16* out, std::size_t out_stride) {
  HWY_DYNAMIC_DISPATCH(backward_fast)
  (x, x_scale, y, y_scale, width, on_y, on_x, through_scale, scratch, out, out_stride);
}
template <>
void standardised_backward(const MaskedRows<double>& x, const ColumnScale<double>& x_scale,
                           const MaskedRows<double>& y, const ColumnScale<double>& y_scale, std::size_t width,
                           const double* on_y, const double* on_x, bool through_scale, double* scratch,
                           double* out, std::size_t out_stride) {
  simple::backward<DoubleLanes>(x, x_scale, y, y_scale, width, on_y, on_x, through_scale, scratch, out,
                                out_stride);
}

namespace naive {
void column_scale(const MaskedRows<float>& rows, std::size_t width, float epsilon,
                  const ColumnScale<float>& scale) {
  simple::scale_columns<NaiveLanes>(rows, width, epsilon, scale);
}
void row_products(const MaskedRows<float>& x, const ColumnScale<float>& x_scale, const MaskedRows<float>& y,
                  const ColumnScale<float>& y_scale, std::size_t width, std::size_t begin, std::size_t end,
                  const RowProducts<float>& products) {
  simple::multiply_rows<NaiveLanes>(x, x_scale, y, y_scale, width, begin, end, products);
}
void standardised_backward(const MaskedRows<float>& x, const ColumnScale<float>& x_scale,
                           const MaskedRows<float>& y, const ColumnScale<float>& y_scale, std::size_t width,
                           const float* on_y, const float* on_x, bool through_scale, float* scratch,
                           Bfloat16* out, std::size_t out_stride) {
  simple::backward<NaiveLanes>(x, x_scale, y, y_scale, width, on_y, on_x, through_scale, scratch, out,
                               out_stride);
}
}  // namespace naive

}  // namespace dovetail
#endif  // HWY_ONCE
