// The vector operations that the kernels are written in: once over Highway for float (VectorLanes), once one
// value at a time (ScalarLanes), the naive version that the tests hold the fast one against and that double
// precision runs on. Included once per CPU target; see foreach_target.h of Highway.
#include <cmath>
#include <cstddef>
#include <cstdint>

#if defined(DOVETAIL_KERNELS_LANES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef DOVETAIL_KERNELS_LANES_INL_H
#undef DOVETAIL_KERNELS_LANES_INL_H
#else
#define DOVETAIL_KERNELS_LANES_INL_H
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include "kernels/bfloat16.h"

HWY_BEFORE_NAMESPACE();
namespace dovetail::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <typename RealType>
struct ScalarLanes {
  using Real = RealType;
  using Row = Stored<Real>;
  using V = Real;
  static constexpr std::size_t lanes() { return 1; }

  static V zero() { return 0; }
  static V set(Real x) { return x; }
  static V load(const Real* p) { return *p; }
  static void store(V v, Real* p) { *p = v; }
  static V load_row(const Row* p) { return to_real(*p); }
  static void store_row(V v, Row* p) {
    if constexpr (sizeof(Row) == sizeof(Real)) {
      *p = v;
    } else {
      *p = to_bfloat16(v);
    }
  }
  /// The values whose bit in `mask` is set, 0 for the others; `column` is the first value's bit.
  static V keep(V v, const std::uint8_t* mask, std::size_t column) {
    return (mask[column / 8] >> (column % 8) & 1) != 0 ? v : 0;
  }

  static V add(V a, V b) { return a + b; }
  static V sub(V a, V b) { return a - b; }
  static V mul(V a, V b) { return a * b; }
  static V mul_add(V a, V b, V c) { return a * b + c; }
  static V neg_mul_add(V a, V b, V c) { return c - a * b; }
  static V div(V a, V b) { return a / b; }
  static V sqrt(V a) { return std::sqrt(a); }
  static V max(V a, V b) { return a > b ? a : b; }
  static Real sum(V v) { return v; }

  static V elu(V x) { return x > 0 ? x : std::expm1(x); }
  static V elu_slope(V y) { return y > 0 ? Real{1} : Real{1} + y; }
  static V elu_slope_times_input(V y) {
    if (y > 0) return y;
    return y > Real{-1} ? (Real{1} + y) * std::log1p(y) : Real{0};
  }
};

struct VectorLanes {
  using Real = float;
  using Row = Bfloat16;
  using D = HWY_CAPPED(float, kRowUnit);
  using V = hn::Vec<D>;
  static HWY_INLINE std::size_t lanes() { return hn::Lanes(D()); }

  static HWY_INLINE V zero() { return hn::Zero(D()); }
  static HWY_INLINE V set(float x) { return hn::Set(D(), x); }
  static HWY_INLINE V load(const float* p) { return hn::LoadU(D(), p); }
  static HWY_INLINE void store(V v, float* p) { hn::StoreU(v, D(), p); }
  static HWY_INLINE V load_row(const Bfloat16* p) {
    const hn::RebindToUnsigned<D> wide;
    const hn::Rebind<std::uint16_t, D> narrow;
    const auto halves = hn::LoadU(narrow, reinterpret_cast<const std::uint16_t*>(p));
    return hn::BitCast(D(), hn::ShiftLeft<16>(hn::PromoteTo(wide, halves)));
  }
  static HWY_INLINE void store_row(V v, Bfloat16* p) {
    const hn::RebindToUnsigned<D> wide;
    const hn::RebindToSigned<D> wide_signed;
    const hn::Rebind<std::uint16_t, D> narrow;
    const auto bits = hn::BitCast(wide, v);
    const auto odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(wide, 1));
    const auto rounded = hn::ShiftRight<16>(hn::Add(hn::Add(bits, hn::Set(wide, 0x7FFF)), odd));
    hn::StoreU(hn::DemoteTo(narrow, hn::BitCast(wide_signed, rounded)), narrow,
               reinterpret_cast<std::uint16_t*>(p));
  }
  static HWY_INLINE V keep(V v, const std::uint8_t* mask, std::size_t column) {
    if (lanes() % 8 == 0) {
      return hn::IfThenElseZero(hn::LoadMaskBits(D(), mask + column / 8), v);
    } else {
      const std::uint8_t bits[8] = {static_cast<std::uint8_t>(mask[column / 8] >> (column % 8))};
      return hn::IfThenElseZero(hn::LoadMaskBits(D(), bits), v);
    }
  }

  static HWY_INLINE V add(V a, V b) { return hn::Add(a, b); }
  static HWY_INLINE V sub(V a, V b) { return hn::Sub(a, b); }
  static HWY_INLINE V mul(V a, V b) { return hn::Mul(a, b); }
  static HWY_INLINE V mul_add(V a, V b, V c) { return hn::MulAdd(a, b, c); }
  static HWY_INLINE V neg_mul_add(V a, V b, V c) { return hn::NegMulAdd(a, b, c); }
  static HWY_INLINE V div(V a, V b) { return hn::Div(a, b); }
  static HWY_INLINE V sqrt(V a) { return hn::Sqrt(a); }
  static HWY_INLINE V max(V a, V b) { return hn::Max(a, b); }
  static HWY_INLINE float sum(V v) { return hn::GetLane(hn::SumOfLanes(D(), v)); }

  /// expm1 for the negative ones: the series for a sixteenth of x, then four times expm1(2y) = e (e + 2).
  /// Good to 1e-4 of its value, far below what Bfloat16 keeps; below -8 the result is -1 within that.
  static HWY_INLINE V elu(V x) {
    const V positive = hn::Max(x, zero());
    const V y = hn::Mul(hn::Max(hn::Min(x, zero()), set(-8.0F)), set(1.0F / 16));
    V series = hn::MulAdd(y, set(1.0F / 120), set(1.0F / 24));
    series = hn::MulAdd(y, series, set(1.0F / 6));
    series = hn::MulAdd(y, series, set(0.5F));
    V e = hn::MulAdd(hn::Mul(y, y), series, y);
    const V two = set(2.0F);
    e = hn::Mul(e, hn::Add(e, two));
    e = hn::Mul(e, hn::Add(e, two));
    e = hn::Mul(e, hn::Add(e, two));
    e = hn::Mul(e, hn::Add(e, two));
    return hn::Add(positive, e);
  }
  static HWY_INLINE V elu_slope(V y) { return hn::Add(hn::Min(y, zero()), set(1.0F)); }
  /// ELU'(x) x from y = ELU(x); the logarithm by the series of 2 atanh(y / (2 + y)).
  static HWY_INLINE V elu_slope_times_input(V y) {
    const V positive = hn::Max(y, zero());
    const V negative = hn::Min(y, zero());
    const V s = hn::Div(negative, hn::Add(negative, set(2.0F)));
    const V s2 = hn::Mul(s, s);
    V series = hn::MulAdd(s2, set(2.0F / 11), set(2.0F / 9));
    series = hn::MulAdd(s2, series, set(2.0F / 7));
    series = hn::MulAdd(s2, series, set(2.0F / 5));
    series = hn::MulAdd(s2, series, set(2.0F / 3));
    series = hn::MulAdd(s2, series, set(2.0F));
    return hn::MulAdd(hn::Mul(s, series), hn::Add(negative, set(1.0F)), positive);
  }
};

HWY_INLINE void prefetch_row(const void* row, std::size_t bytes) {
  for (std::size_t line = 0; line < bytes; line += 64) hwy::Prefetch(static_cast<const char*>(row) + line);
}

template <class L>
HWY_INLINE void clear(typename L::Real* row, std::size_t size) {
  for (std::size_t c = 0; c < size; c += L::lanes()) L::store(L::zero(), row + c);
}

}  // namespace dovetail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
