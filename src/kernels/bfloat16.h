#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace dovetail {

/// The upper half of a float: its range, and eight bits of precision. What feature rows are stored in, since
/// gathering them is what a training step spends its time on.
struct Bfloat16 {
  std::uint16_t bits = 0;
};

inline float to_real(Bfloat16 value) {
  return std::bit_cast<float>(std::uint32_t{value.bits} << 16);
}
inline double to_real(double value) {
  return value;
}

/// Rounded to nearest, ties to even.
inline Bfloat16 to_bfloat16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return {static_cast<std::uint16_t>((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16)};
}

/// What rows are stored in when they are computed in Real. Double keeps everything, so that the same code
/// can be checked against finite differences.
template <typename Real>
struct StoredAs;
template <>
struct StoredAs<float> {
  using type = Bfloat16;
};
template <>
struct StoredAs<double> {
  using type = double;
};
template <typename Real>
using Stored = typename StoredAs<Real>::type;

/// Rows are padded with zeros to this many values, so that no kernel has a remainder to treat.
inline constexpr std::size_t kRowUnit = 16;
constexpr std::size_t padded(std::size_t columns) {
  return (columns + kRowUnit - 1) / kRowUnit * kRowUnit;
}

/// How many rows ahead of their use kernels ask for a row. Arrays of row numbers that kernels walk through
/// are that much longer than their content, with valid row numbers at the end.
inline constexpr std::size_t kPrefetchAhead = 4;

}  // namespace dovetail
