#include "kernels/rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/rows.cpp"
#include <hwy/foreach_target.h>

#include "kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dovetail::HWY_NAMESPACE {

/// Rows that are added to a sum at a time: the sum is loaded and stored once for all of them.
constexpr std::size_t kRowsAtOnce = 4;

/// sum += the rows, or sum = the rows for the first ones.
template <class L, std::size_t N>
HWY_INLINE void add_rows(const typename L::Row* const (&rows)[kRowsAtOnce], bool first, std::size_t width,
                         typename L::Real* HWY_RESTRICT sum) {
  for (std::size_t c = 0; c < width; c += L::lanes()) {
    auto total = first ? L::zero() : L::load(sum + c);
    for (std::size_t n = 0; n < N; ++n) total = L::add(total, L::load_row(rows[n] + c));
    L::store(total, sum + c);
  }
}

/// Collects rows and adds them up some at a time.
template <class L>
class RowSum {
 public:
  HWY_INLINE RowSum(std::size_t width, typename L::Real* sum) : width_(width), sum_(sum) {}

  HWY_INLINE void add(const typename L::Row* row) {
    rows_[count_++] = row;
    if (count_ < kRowsAtOnce) return;
    add_rows<L, kRowsAtOnce>(rows_, first_, width_, sum_);
    first_ = false;
    count_ = 0;
  }
  /// False: there were no rows, and the sum is not set.
  HWY_INLINE bool finish() {
    if (count_ == 3) add_rows<L, 3>(rows_, first_, width_, sum_);
    if (count_ == 2) add_rows<L, 2>(rows_, first_, width_, sum_);
    if (count_ == 1) add_rows<L, 1>(rows_, first_, width_, sum_);
    return count_ > 0 || !first_;
  }

 private:
  const typename L::Row* rows_[kRowsAtOnce] = {};
  std::size_t count_ = 0;
  bool first_ = true;
  std::size_t width_;
  typename L::Real* sum_;
};

template <class L>
void mean_forward(RowNumbers rows, const typename L::Row* table, std::size_t width, bool elu,
                  typename L::Real* scratch, typename L::Row* out) {
  using Real = typename L::Real;
  RowSum<L> sum(width, scratch);
  for (std::size_t i = 0; i < rows.count; ++i) {
    prefetch_row(table + rows.numbers[i + kPrefetchAhead] * width, width * sizeof(*table));
    sum.add(table + rows.numbers[i] * width);
  }
  if (!sum.finish()) clear<L>(scratch, width);
  const auto scale = L::set(Real{1} / static_cast<Real>(HWY_MAX(rows.count, std::size_t{1})));
  for (std::size_t c = 0; c < width; c += L::lanes()) {
    const auto mean = L::mul(scale, L::load(scratch + c));
    L::store_row(elu ? L::elu(mean) : mean, out + c);
  }
}

template <class L>
bool mean_backward(RowNumbers nodes, const std::uint8_t* need, std::uint8_t least,
                   const typename L::Row* gradient, std::size_t stride, std::size_t width,
                   typename L::Real* out) {
  RowSum<L> sum(width, out);
  for (std::size_t i = 0; i < nodes.count; ++i) {
    const std::uint32_t ahead = nodes.numbers[i + kPrefetchAhead];
    if (need[ahead] >= least) prefetch_row(gradient + ahead * stride, width * sizeof(*gradient));
    if (need[nodes.numbers[i]] >= least) sum.add(gradient + nodes.numbers[i] * stride);
  }
  return sum.finish();
}

template <class L>
typename L::Real dot_rows(const typename L::Real* a, const typename L::Real* b, std::size_t size) {
  auto sum = L::zero();
  for (std::size_t c = 0; c < size; c += L::lanes()) sum = L::mul_add(L::load(a + c), L::load(b + c), sum);
  return L::sum(sum);
}
template <class L>
typename L::Real dot_stored_rows(const typename L::Real* a, const typename L::Row* b, std::size_t size) {
  auto sum = L::zero();
  for (std::size_t c = 0; c < size; c += L::lanes()) {
    sum = L::mul_add(L::load(a + c), L::load_row(b + c), sum);
  }
  return L::sum(sum);
}

template <class L>
void add_scaled_rows(const typename L::Real* x, typename L::Real a, std::size_t size, typename L::Real* y) {
  const auto factor = L::set(a);
  for (std::size_t c = 0; c < size; c += L::lanes()) {
    L::store(L::mul_add(factor, L::load(x + c), L::load(y + c)), y + c);
  }
}
template <class L>
void add_scaled_stored_rows(const typename L::Row* x, typename L::Real a, std::size_t size,
                            typename L::Real* y) {
  const auto factor = L::set(a);
  for (std::size_t c = 0; c < size; c += L::lanes()) {
    L::store(L::mul_add(factor, L::load_row(x + c), L::load(y + c)), y + c);
  }
}
template <class L>
void store_rows(const typename L::Real* x, std::size_t size, typename L::Row* out) {
  for (std::size_t c = 0; c < size; c += L::lanes()) L::store_row(L::load(x + c), out + c);
}
template <class L>
void store_elu_rows(const typename L::Real* x, std::size_t size, typename L::Row* out) {
  for (std::size_t c = 0; c < size; c += L::lanes()) L::store_row(L::elu(L::load(x + c)), out + c);
}

template <class L>
void rmsprop(const OptimiserStep<typename L::Real>& step, const typename L::Real* gradient, std::size_t size,
             typename L::Real* state_a, typename L::Real* state_b, typename L::Real* row) {
  const auto decay_mean = L::set(step.decay_mean), gain_mean = L::set(step.gain_mean);
  const auto decay_square = L::set(step.decay_square), gain_square = L::set(step.gain_square);
  const auto rate = L::set(step.rate), epsilon = L::set(step.epsilon);
  for (std::size_t c = 0; c < size; c += L::lanes()) {
    const auto g = L::load(gradient + c);
    const auto mean = L::mul_add(decay_mean, L::load(state_a + c), L::mul(gain_mean, g));
    const auto square = L::mul_add(decay_square, L::load(state_b + c), L::mul(gain_square, L::mul(g, g)));
    L::store(mean, state_a + c);
    L::store(square, state_b + c);
    const auto variance = L::max(L::neg_mul_add(mean, mean, square), L::zero());
    const auto move = L::div(L::mul(rate, g), L::add(L::sqrt(variance), epsilon));
    L::store(L::sub(L::load(row + c), move), row + c);
  }
}

template <class L>
void adam(const OptimiserStep<typename L::Real>& step, const typename L::Real* gradient, std::size_t size,
          typename L::Real* state_a, typename L::Real* state_b, typename L::Real* row) {
  const auto decay_mean = L::set(step.decay_mean), gain_mean = L::set(step.gain_mean);
  const auto decay_square = L::set(step.decay_square), gain_square = L::set(step.gain_square);
  const auto rate = L::set(step.rate), epsilon = L::set(step.epsilon), correct = L::set(step.correction);
  for (std::size_t c = 0; c < size; c += L::lanes()) {
    const auto g = gradient == nullptr ? L::zero() : L::load(gradient + c);
    const auto mean = L::mul_add(decay_mean, L::load(state_a + c), L::mul(gain_mean, g));
    const auto square = L::mul_add(decay_square, L::load(state_b + c), L::mul(gain_square, L::mul(g, g)));
    L::store(mean, state_a + c);
    L::store(square, state_b + c);
    const auto move = L::div(L::mul(rate, mean), L::add(L::sqrt(L::mul(correct, square)), epsilon));
    L::store(L::sub(L::load(row + c), move), row + c);
  }
}

/// The names under which the vector versions are dispatched; Highway's tables take no templates.
void mean_forward_fast(RowNumbers rows, const Bfloat16* table, std::size_t width, bool elu, float* scratch,
                       Bfloat16* out) {
  mean_forward<VectorLanes>(rows, table, width, elu, scratch, out);
}
bool mean_backward_fast(RowNumbers nodes, const std::uint8_t* need, std::uint8_t least,
                        const Bfloat16* gradient, std::size_t stride, std::size_t width, float* out) {
  return mean_backward<VectorLanes>(nodes, need, least, gradient, stride, width, out);
}
float dot_fast(const float* a, const float* b, std::size_t size) {
  return dot_rows<VectorLanes>(a, b, size);
}
float dot_stored_fast(const float* a, const Bfloat16* b, std::size_t size) {
  return dot_stored_rows<VectorLanes>(a, b, size);
}
void add_scaled_fast(const float* x, float a, std::size_t size, float* y) {
  add_scaled_rows<VectorLanes>(x, a, size, y);
}
void add_scaled_stored_fast(const Bfloat16* x, float a, std::size_t size, float* y) {
  add_scaled_stored_rows<VectorLanes>(x, a, size, y);
}
void store_fast(const float* x, std::size_t size, Bfloat16* out) {
  store_rows<VectorLanes>(x, size, out);
}
void store_elu_fast(const float* x, std::size_t size, Bfloat16* out) {
  store_elu_rows<VectorLanes>(x, size, out);
}
void rmsprop_fast(const OptimiserStep<float>& step, const float* gradient, std::size_t size, float* state_a,
                  float* state_b, float* row) {
  rmsprop<VectorLanes>(step, gradient, size, state_a, state_b, row);
}
void adam_fast(const OptimiserStep<float>& step, const float* gradient, std::size_t size, float* state_a,
               float* state_b, float* row) {
  adam<VectorLanes>(step, gradient, size, state_a, state_b, row);
}

}  // namespace dovetail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dovetail {

namespace simple = HWY_NAMESPACE;
using DoubleLanes = simple::ScalarLanes<double>;
using NaiveLanes = simple::ScalarLanes<float>;

HWY_EXPORT(mean_forward_fast);
HWY_EXPORT(mean_backward_fast);
HWY_EXPORT(dot_fast);
HWY_EXPORT(dot_stored_fast);
HWY_EXPORT(add_scaled_fast);
HWY_EXPORT(add_scaled_stored_fast);
HWY_EXPORT(store_fast);
HWY_EXPORT(store_elu_fast);
HWY_EXPORT(rmsprop_fast);
HWY_EXPORT(adam_fast);

template <>
void mean_rows_forward<float>(RowNumbers rows, const Bfloat16* table, std::size_t width, bool elu,
                              float* scratch, Bfloat16* out) {
  HWY_DYNAMIC_DISPATCH(mean_forward_fast)(rows, table, width, elu, scratch, out);
}
template <>
void mean_rows_forward<double>(RowNumbers rows, const double* table, std::size_t width, bool elu,
                               double* scratch, double* out) {
  simple::mean_forward<DoubleLanes>(rows, table, width, elu, scratch, out);
}
template <>
bool mean_rows_backward(RowNumbers nodes, const std::uint8_t* need, std::uint8_t least,
                        const Bfloat16* gradient, std::size_t stride, std::size_t width, float* out) {
  return HWY_DYNAMIC_DISPATCH(mean_backward_fast)(nodes, need, least, gradient, stride, width, out);
}
template <>
bool mean_rows_backward(RowNumbers nodes, const std::uint8_t* need, std::uint8_t least,
                        const double* gradient, std::size_t stride, std::size_t width, double* out) {
  return simple::mean_backward<DoubleLanes>(nodes, need, least, gradient, stride, width, out);
}
template <>
float dot(const float* a, const float* b, std::size_t size) {
  return HWY_DYNAMIC_DISPATCH(dot_fast)(a, b, size);
}
template <>
double dot(const double* a, const double* b, std::size_t size) {
  return simple::dot_rows<DoubleLanes>(a, b, size);
}
template <>
float dot_stored<float>(const float* a, const Bfloat16* b, std::size_t size) {
  return HWY_DYNAMIC_DISPATCH(dot_stored_fast)(a, b, size);
}
template <>
double dot_stored<double>(const double* a, const double* b, std::size_t size) {
  return simple::dot_stored_rows<DoubleLanes>(a, b, size);
}
template <>
void add_scaled(const float* x, float a, std::size_t size, float* y) {
  HWY_DYNAMIC_DISPATCH(add_scaled_fast)(x, a, size, y);
}
template <>
void add_scaled(const double* x, double a, std::size_t size, double* y) {
  simple::add_scaled_rows<DoubleLanes>(x, a, size, y);
}
template <>
void add_scaled_stored<float>(const Bfloat16* x, float a, std::size_t size, float* y) {
  HWY_DYNAMIC_DISPATCH(add_scaled_stored_fast)(x, a, size, y);
}
template <>
void add_scaled_stored<double>(const double* x, double a, std::size_t size, double* y) {
  simple::add_scaled_stored_rows<DoubleLanes>(x, a, size, y);
}
template <>
void store_row<float>(const float* x, std::size_t size, Bfloat16* out) {
  HWY_DYNAMIC_DISPATCH(store_fast)(x, size, out);
}
template <>
void store_row<double>(const double* x, std::size_t size, double* out) {
  simple::store_rows<DoubleLanes>(x, size, out);
}
template <>
void store_elu_row<float>(const float* x, std::size_t size, Bfloat16* out) {
  HWY_DYNAMIC_DISPATCH(store_elu_fast)(x, size, out);
}
template <>
void store_elu_row<double>(const double* x, std::size_t size, double* out) {
  simple::store_elu_rows<DoubleLanes>(x, size, out);
}
template <>
void rmsprop_row(const OptimiserStep<float>& step, const float* gradient, std::size_t size, float* state_a,
                 float* state_b, float* row) {
  HWY_DYNAMIC_DISPATCH(rmsprop_fast)(step, gradient, size, state_a, state_b, row);
}
template <>
void rmsprop_row(const OptimiserStep<double>& step, const double* gradient, std::size_t size, double* state_a,
                 double* state_b, double* row) {
  simple::rmsprop<DoubleLanes>(step, gradient, size, state_a, state_b, row);
}
template <>
void adam_row(const OptimiserStep<float>& step, const float* gradient, std::size_t size, float* state_a,
              float* state_b, float* row) {
  HWY_DYNAMIC_DISPATCH(adam_fast)(step, gradient, size, state_a, state_b, row);
}
template <>
void adam_row(const OptimiserStep<double>& step, const double* gradient, std::size_t size, double* state_a,
              double* state_b, double* row) {
  simple::adam<DoubleLanes>(step, gradient, size, state_a, state_b, row);
}

namespace naive {
void mean_rows_forward(RowNumbers rows, const Bfloat16* table, std::size_t width, bool elu, float* scratch,
                       Bfloat16* out) {
  simple::mean_forward<NaiveLanes>(rows, table, width, elu, scratch, out);
}
bool mean_rows_backward(RowNumbers nodes, const std::uint8_t* need, std::uint8_t least,
                        const Bfloat16* gradient, std::size_t stride, std::size_t width, float* out) {
  return simple::mean_backward<NaiveLanes>(nodes, need, least, gradient, stride, width, out);
}
float dot(const float* a, const float* b, std::size_t size) {
  return simple::dot_rows<NaiveLanes>(a, b, size);
}
void store_elu_row(const float* x, std::size_t size, Bfloat16* out) {
  simple::store_elu_rows<NaiveLanes>(x, size, out);
}
void rmsprop_row(const OptimiserStep<float>& step, const float* gradient, std::size_t size, float* state_a,
                 float* state_b, float* row) {
  simple::rmsprop<NaiveLanes>(step, gradient, size, state_a, state_b, row);
}
void adam_row(const OptimiserStep<float>& step, const float* gradient, std::size_t size, float* state_a,
              float* state_b, float* row) {
  simple::adam<NaiveLanes>(step, gradient, size, state_a, state_b, row);
}
}  // namespace naive

}  // namespace dovetail
#endif  // HWY_ONCE
