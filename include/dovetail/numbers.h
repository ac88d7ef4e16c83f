#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

// Numbers that users write: on the command line, in configuration files and as Python keywords. Each has a
// finite range, which its message, its manual page and docs/parameters.md state.

namespace dovetail {

/// The values that a number may have, both ends included unless `open` excludes the upper one.
struct Range {
  double least = 0;
  double most = 0;
  bool open = false;           ///< `most` itself is excluded
  const char* zero = nullptr;  ///< a word that stands for 0, such as "auto"

  /// False for NaN.
  [[nodiscard]] bool has(double value) const {
    return value >= least && (open ? value < most : value <= most);
  }
};

inline constexpr Range kShare = {0, 1};
inline constexpr Range kShareBelowOne = {.least = 0, .most = 1, .open = true};
inline constexpr Range kCount = {0, 1e9};  ///< 0 has a meaning of its own
inline constexpr Range kPositiveCount = {1, 1e9};
inline constexpr Range kSeed = {0, 0x1p64};             ///< every number of 64 bits
inline constexpr Range kThreads = {0, 4096};            ///< 0: one per core
inline constexpr Range kDuration = {0, 8760.0 * 3600};  ///< in seconds: a year
inline constexpr Range kMemory = {0, 0x1p50};           ///< in bytes: 1024T

/// What the text of a number stands for, and how it is written.
enum class NumberKind : std::uint8_t {
  whole,     ///< 12
  real,      ///< 0.25, 1e-7
  duration,  ///< seconds: 90, 90s, 5m, 2h
  size,      ///< bytes: 1000, 8G, 8GiB (powers of 1024), 8GB (powers of 1000)
};

/// "1 to 16", "0 to below 1", "0 to 8760h".
[[nodiscard]] std::string range_text(NumberKind kind, const Range& range);

/// "a whole number from 1 to 16".
[[nodiscard]] std::string expected_number(NumberKind kind, const Range& range);

/// The seconds that the whole of `text` spells, if it does: a number, alone or with s, m or h.
[[nodiscard]] std::optional<double> parse_duration(std::string_view text);

/// Throw ParameterError with the name, the text and the range where the text is no such number. A whole
/// number, and a size in bytes.
[[nodiscard]] std::uint64_t read_whole_number(std::string_view name, std::string_view text,
                                              const Range& range);
[[nodiscard]] std::uint64_t read_size(std::string_view name, std::string_view text, const Range& range);
/// A number, and a duration in seconds.
[[nodiscard]] double read_real_number(std::string_view name, std::string_view text, const Range& range);
[[nodiscard]] double read_duration(std::string_view name, std::string_view text, const Range& range);

template <typename Value>
inline constexpr bool kIsNumber = std::is_arithmetic_v<Value> && !std::is_same_v<Value, bool>;

/// Whole for integers, real for others.
template <typename Number>
inline constexpr NumberKind kNumberKind = std::is_integral_v<Number> ? NumberKind::whole : NumberKind::real;

/// Reads a number of either type.
template <typename Number>
void read_number(std::string_view name, std::string_view text, const Range& range, Number& value) {
  if constexpr (std::is_integral_v<Number>) {
    value = static_cast<Number>(read_whole_number(name, text, range));
  } else {
    value = read_real_number(name, text, range);
  }
}

/// Throws ParameterError where a number that was not read from a text is outside its range.
void check_number(std::string_view name, NumberKind kind, double value, const Range& range);

}  // namespace dovetail
