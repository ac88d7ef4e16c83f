#include "kernels/scores.h"

#include <algorithm>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/scores.cpp"
#include <hwy/foreach_target.h>

#include "kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dovetail::HWY_NAMESPACE {

/// Rows of a by rows of b whose sums fit into 16 registers together with their operands.
constexpr std::size_t kRowsA = 4;
constexpr std::size_t kRowsB = 3;
/// Rows of b by one of a, for bytes: measured to be faster than square tiles.
constexpr std::size_t kByteRowsB = 6;
/// Rows of a that stay in the second-level cache while all of b passes.
constexpr std::size_t kByteBlock = 96;
/// Two products of at most 15 * 7 fit into 16 bits this often, with room to spare.
constexpr std::size_t kMostSummed = 128;

#if HWY_TARGET == HWY_SCALAR
void four_bit_fast(const std::uint8_t* a, const std::int8_t* b, const std::int32_t* b_sums,
                   const ScoreBlock& block) {
  naive::four_bit_scores(a, b, b_sums, block);
}
#else
/// Products of unsigned a and signed b bytes, neighbouring ones added, in 16 bits.
struct ByteLanes {
  using D8 = HWY_CAPPED(std::uint8_t, kCodeUnit);
  using D16 = hn::Repartition<std::int16_t, D8>;
  using D32 = hn::Repartition<std::int32_t, D8>;
  using Codes = hn::Vec<D8>;
  using Sum = hn::Vec<D16>;

  static HWY_INLINE std::size_t lanes() { return hn::Lanes(D8()); }

  static HWY_INLINE Codes load(const void* p) { return hn::LoadU(D8(), static_cast<const std::uint8_t*>(p)); }

  static HWY_INLINE Sum multiply_add(Codes av, Codes bv, Sum sum) {
#if HWY_TARGET == HWY_AVX2
    return hn::Add(sum, Sum{_mm256_maddubs_epi16(av.raw, bv.raw)});
#elif HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
    return hn::Add(sum, Sum{_mm512_maddubs_epi16(av.raw, bv.raw)});
#elif HWY_TARGET == HWY_SSSE3 || HWY_TARGET == HWY_SSE4
    return hn::Add(sum, Sum{_mm_maddubs_epi16(av.raw, bv.raw)});
#else
    // Even and odd bytes as 16-bit numbers; a is below 128, so shifting it as a signed number is safe.
    const D16 wide;
    const auto a16 = hn::BitCast(wide, av);
    const auto b16 = hn::BitCast(wide, bv);
    const auto even =
        hn::Mul(hn::ShiftRight<8>(hn::ShiftLeft<8>(a16)), hn::ShiftRight<8>(hn::ShiftLeft<8>(b16)));
    const auto odd = hn::Mul(hn::ShiftRight<8>(a16), hn::ShiftRight<8>(b16));
    return hn::Add(sum, hn::Add(even, odd));
#endif
  }

  static HWY_INLINE std::int32_t total(Sum sum) {
    const auto odd = hn::ShiftRight<16>(hn::BitCast(D32(), sum));
    const auto even = hn::ShiftRight<16>(hn::ShiftLeft<16>(hn::BitCast(D32(), sum)));
    return hn::GetLane(hn::SumOfLanes(D32(), hn::Add(even, odd)));
  }
};

/// One row of a with RB rows of b.
template <std::size_t RB>
HWY_INLINE void four_bit_tile(const std::uint8_t* a, const std::int8_t* b, const std::int32_t* b_sums,
                              std::size_t columns, float unit, float* out) {
  std::int32_t totals[RB] = {};
  const std::size_t most = kMostSummed * ByteLanes::lanes();
  for (std::size_t begin = 0; begin < columns; begin += most) {
    const std::size_t end = HWY_MIN(columns, begin + most);
    ByteLanes::Sum sums[RB];
    for (std::size_t j = 0; j < RB; ++j) sums[j] = hn::Zero(ByteLanes::D16());
    for (std::size_t c = begin; c < end; c += kCodeUnit) {
      for (std::size_t part = c; part < c + kCodeUnit; part += ByteLanes::lanes()) {
        const auto av = ByteLanes::load(a + part);
        for (std::size_t j = 0; j < RB; ++j) {
          sums[j] = ByteLanes::multiply_add(av, ByteLanes::load(b + j * columns + part), sums[j]);
        }
      }
    }
    for (std::size_t j = 0; j < RB; ++j) totals[j] += ByteLanes::total(sums[j]);
  }
  for (std::size_t j = 0; j < RB; ++j) out[j] = unit * static_cast<float>(totals[j] - 8 * b_sums[j]);
}

/// All rows of a in the block with RB rows of b, which stay in the first-level cache meanwhile.
template <std::size_t RB>
HWY_INLINE void four_bit_strip(const std::uint8_t* a, std::size_t a_rows, const std::int8_t* b,
                               const std::int32_t* b_sums, const ScoreBlock& block, float* out) {
  const std::size_t k = block.columns;
  for (std::size_t i = 0; i < a_rows; ++i) {
    four_bit_tile<RB>(a + i * k, b, b_sums, k, block.unit, out + i * block.out_stride);
  }
}

void four_bit_fast(const std::uint8_t* a, const std::int8_t* b, const std::int32_t* b_sums,
                   const ScoreBlock& block) {
  const std::size_t k = block.columns;
  for (std::size_t first = 0; first < block.a_rows; first += kByteBlock) {
    const std::size_t rows = HWY_MIN(kByteBlock, block.a_rows - first);
    float* const out = block.out + first * block.out_stride;
    std::size_t j = 0;
    for (; j + kByteRowsB <= block.b_rows; j += kByteRowsB) {
      four_bit_strip<kByteRowsB>(a + first * k, rows, b + j * k, b_sums + j, block, out + j);
    }
    for (; j < block.b_rows; ++j) {
      four_bit_strip<1>(a + first * k, rows, b + j * k, b_sums + j, block, out + j);
    }
  }
}

#endif  // HWY_TARGET == HWY_SCALAR

template <class L, std::size_t RA, std::size_t RB>
HWY_INLINE void exact_tile(const Bfloat16* a, const Bfloat16* b, std::size_t columns, float* out,
                           std::size_t out_stride) {
  typename L::V sums[RA][RB];
  for (std::size_t i = 0; i < RA; ++i) {
    for (std::size_t j = 0; j < RB; ++j) sums[i][j] = L::zero();
  }
  for (std::size_t c = 0; c < columns; c += L::lanes()) {
    typename L::V bv[RB];
    for (std::size_t j = 0; j < RB; ++j) bv[j] = L::load_row(b + j * columns + c);
    for (std::size_t i = 0; i < RA; ++i) {
      const auto av = L::load_row(a + i * columns + c);
      for (std::size_t j = 0; j < RB; ++j) sums[i][j] = L::mul_add(av, bv[j], sums[i][j]);
    }
  }
  for (std::size_t i = 0; i < RA; ++i) {
    for (std::size_t j = 0; j < RB; ++j) out[i * out_stride + j] = L::sum(sums[i][j]);
  }
}

template <class L>
HWY_INLINE void exact_block(const Bfloat16* a, const Bfloat16* b, const ScoreBlock& block) {
  const std::size_t k = block.columns;
  std::size_t i = 0;
  for (; i + kRowsA <= block.a_rows; i += kRowsA) {
    std::size_t j = 0;
    float* const out = block.out + i * block.out_stride;
    for (; j + kRowsB <= block.b_rows; j += kRowsB) {
      exact_tile<L, kRowsA, kRowsB>(a + i * k, b + j * k, k, out + j, block.out_stride);
    }
    for (; j < block.b_rows; ++j)
      exact_tile<L, kRowsA, 1>(a + i * k, b + j * k, k, out + j, block.out_stride);
  }
  for (; i < block.a_rows; ++i) {
    for (std::size_t j = 0; j < block.b_rows; ++j) {
      exact_tile<L, 1, 1>(a + i * k, b + j * k, k, block.out + i * block.out_stride + j, block.out_stride);
    }
  }
}

void codes_fast(const Bfloat16* x, float step, int offset, std::size_t columns, std::uint8_t* out) {
  using L = VectorLanes;
  const hn::RebindToSigned<L::D> integers;
  const hn::Rebind<std::int16_t, L::D> middle;
  const hn::Rebind<std::int8_t, L::D> bytes;
  const auto scale = L::set(1 / step);
  for (std::size_t c = 0; c < columns; c += L::lanes()) {
    const auto value = L::mul(scale, L::load_row(x + c));
    const auto code = hn::NearestInt(hn::Min(hn::Max(value, L::set(-7)), L::set(7)));
    const auto shifted = hn::Add(code, hn::Set(integers, offset));
    hn::StoreU(hn::DemoteTo(bytes, hn::DemoteTo(middle, shifted)), bytes,
               reinterpret_cast<std::int8_t*>(out + c));
  }
}

void exact_fast(const Bfloat16* a, const Bfloat16* b, const ScoreBlock& block) {
  exact_block<VectorLanes>(a, b, block);
}

float dot_rows_fast(const Bfloat16* a, const Bfloat16* b, std::size_t columns) {
  using L = VectorLanes;
  auto even = L::zero(), odd = L::zero();
  for (std::size_t c = 0; c < columns; c += kRowUnit) {
    for (std::size_t i = 0; i < kRowUnit; i += 2 * L::lanes()) {
      even = L::mul_add(L::load_row(a + c + i), L::load_row(b + c + i), even);
      if (i + L::lanes() < kRowUnit) {
        odd = L::mul_add(L::load_row(a + c + i + L::lanes()), L::load_row(b + c + i + L::lanes()), odd);
      }
    }
  }
  return L::sum(L::add(even, odd));
}

/// `bar_at(i)` gives the bars from place i on as a vector, or one as a number.
template <typename T, typename VectorBar, typename Bar>
HWY_INLINE std::size_t find(const T* scores, std::size_t begin, std::size_t end, const VectorBar& bars_at,
                            const Bar& bar_at) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = begin;
  for (; i + lanes <= end; i += lanes) {
    const auto score = hn::LoadU(d, scores + i);
    const auto reaching = hn::Eq(hn::Max(score, bars_at(d, i)), score);  // there is no >= for words
    const auto first = hn::FindFirstTrue(d, reaching);
    if (first >= 0) return i + static_cast<std::size_t>(first);
  }
  for (; i < end; ++i) {
    if (scores[i] >= bar_at(i)) return i;
  }
  return end;
}

template <typename T>
HWY_INLINE std::size_t find_one_bar(const T* scores, T bar, std::size_t begin, std::size_t end) {
  return find(
      scores, begin, end, [bar](auto d, std::size_t) HWY_ATTR { return hn::Set(d, bar); },
      [bar](std::size_t) { return bar; });
}

template <typename T>
HWY_INLINE std::size_t find_own_bars(const T* scores, const T* bars, std::size_t begin, std::size_t end) {
  return find(
      scores, begin, end, [bars](auto d, std::size_t i) HWY_ATTR { return hn::LoadU(d, bars + i); },
      [bars](std::size_t i) { return bars[i]; });
}

std::size_t find_float_one(const float* scores, float bar, std::size_t begin, std::size_t end) {
  return find_one_bar(scores, bar, begin, end);
}
std::size_t find_float_own(const float* scores, const float* bars, std::size_t begin, std::size_t end) {
  return find_own_bars(scores, bars, begin, end);
}
std::size_t find_word_one(const std::uint16_t* scores, std::uint16_t bar, std::size_t begin,
                          std::size_t end) {
  return find_one_bar(scores, bar, begin, end);
}
std::size_t find_word_own(const std::uint16_t* scores, const std::uint16_t* bars, std::size_t begin,
                          std::size_t end) {
  return find_own_bars(scores, bars, begin, end);
}

}  // namespace dovetail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dovetail {

HWY_EXPORT(four_bit_fast);
HWY_EXPORT(codes_fast);
HWY_EXPORT(exact_fast);
HWY_EXPORT(dot_rows_fast);
HWY_EXPORT(find_float_one);
HWY_EXPORT(find_float_own);
HWY_EXPORT(find_word_one);
HWY_EXPORT(find_word_own);

void exact_scores(const Bfloat16* a, const Bfloat16* b, const ScoreBlock& block) {
  HWY_DYNAMIC_DISPATCH(exact_fast)(a, b, block);
}

void four_bit_scores(const std::uint8_t* a, const std::int8_t* b, const std::int32_t* b_sums,
                     const ScoreBlock& block) {
  HWY_DYNAMIC_DISPATCH(four_bit_fast)(a, b, b_sums, block);
}

float dot_rows(const Bfloat16* a, const Bfloat16* b, std::size_t columns) {
  return HWY_DYNAMIC_DISPATCH(dot_rows_fast)(a, b, columns);
}

void four_bit_codes(const Bfloat16* x, float step, int offset, std::size_t columns, std::uint8_t* out) {
  HWY_DYNAMIC_DISPATCH(codes_fast)(x, step, offset, columns, out);
}

std::size_t find_reaching(const float* scores, float bar, std::size_t begin, std::size_t end) {
  return HWY_DYNAMIC_DISPATCH(find_float_one)(scores, bar, begin, end);
}

std::size_t find_reaching(const float* scores, const float* bars, std::size_t begin, std::size_t end) {
  return HWY_DYNAMIC_DISPATCH(find_float_own)(scores, bars, begin, end);
}

std::size_t find_reaching(const std::uint16_t* scores, std::uint16_t bar, std::size_t begin,
                          std::size_t end) {
  return HWY_DYNAMIC_DISPATCH(find_word_one)(scores, bar, begin, end);
}

std::size_t find_reaching(const std::uint16_t* scores, const std::uint16_t* bars, std::size_t begin,
                          std::size_t end) {
  return HWY_DYNAMIC_DISPATCH(find_word_own)(scores, bars, begin, end);
}

namespace naive {

std::size_t find_reaching(const float* scores, float bar, std::size_t begin, std::size_t end) {
  while (begin < end && !(scores[begin] >= bar)) ++begin;
  return begin;
}

std::size_t find_reaching(const float* scores, const float* bars, std::size_t begin, std::size_t end) {
  while (begin < end && !(scores[begin] >= bars[begin])) ++begin;
  return begin;
}

void exact_scores(const Bfloat16* a, const Bfloat16* b, const ScoreBlock& block) {
  HWY_NAMESPACE::exact_block<HWY_NAMESPACE::ScalarLanes<float>>(a, b, block);
}

void four_bit_scores(const std::uint8_t* a, const std::int8_t* b, const std::int32_t* b_sums,
                     const ScoreBlock& block) {
  for (std::size_t i = 0; i < block.a_rows; ++i) {
    for (std::size_t j = 0; j < block.b_rows; ++j) {
      std::int32_t sum = -8 * b_sums[j];
      for (std::size_t c = 0; c < block.columns; ++c)
        sum += a[i * block.columns + c] * b[j * block.columns + c];
      block.out[i * block.out_stride + j] = block.unit * static_cast<float>(sum);
    }
  }
}

void four_bit_codes(const Bfloat16* x, float step, int offset, std::size_t columns, std::uint8_t* out) {
  for (std::size_t c = 0; c < columns; ++c) {
    const float code = std::clamp(std::nearbyint(to_real(x[c]) * (1 / step)), -7.0F, 7.0F);
    out[c] = static_cast<std::uint8_t>(static_cast<int>(code) + offset);
  }
}

}  // namespace naive

}  // namespace dovetail
#endif  // HWY_ONCE
