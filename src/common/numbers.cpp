#include <dovetail/errors.h>
#include <dovetail/numbers.h>

#include <charconv>
#include <cmath>
#include <fmt/format.h>

#include "common/text.h"

namespace dovetail {
namespace {

/// 1000000 as 1,000,000; 1e300 as it is usually written.
std::string number_text(double value) {
  constexpr double kGrouped = 1e4, kBeyond = 0x1p64;
  if (value == kBeyond) return with_commas(~std::uint64_t{0});
  if (value >= kGrouped && value < kBeyond && value == std::floor(value)) {
    return with_commas(static_cast<std::uint64_t>(value));
  }
  std::string text = fmt::format("{}", value);
  std::erase(text, '+');  // of 1e+300
  return text;
}

std::string end_text(NumberKind kind, double value) {
  if (kind == NumberKind::duration && value >= 3600) return fmt::format("{}h", value / 3600);
  if (kind == NumberKind::size && value >= 0x1p40) return fmt::format("{}T", value / 0x1p40);
  return number_text(value);
}

[[noreturn]] void refuse(std::string_view name, std::string_view found, NumberKind kind, const Range& range) {
  throw ParameterError(fmt::format("{} is {}; expected {}", name, found, expected_number(kind, range)));
}

/// The value, if there is one and the range has it.
template <typename Number>
Number within(std::string_view name, std::string_view text, NumberKind kind, const Range& range,
              const std::optional<Number>& value) {
  if (!value || !range.has(static_cast<double>(*value))) refuse(name, shown(text), kind, range);
  return *value;
}

std::optional<std::uint64_t> parse_whole(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

std::string range_text(NumberKind kind, const Range& range) {
  return fmt::format("{} to {}{}{}", end_text(kind, range.least), range.open ? "below " : "",
                     end_text(kind, range.most),
                     range.zero == nullptr ? "" : fmt::format(", or {}", range.zero));
}

std::string expected_number(NumberKind kind, const Range& range) {
  const std::string values = range_text(kind, range);
  switch (kind) {
    case NumberKind::whole:
      return "a whole number from " + values;
    case NumberKind::real:
      return "a number from " + values;
    case NumberKind::duration:
      return fmt::format("a duration from {}, such as 90 or 90s, 5m or 2h", values);
    case NumberKind::size:
      break;
  }
  return fmt::format("a size from {}, such as 512M, 8G, 8GB or 8GiB", values);
}

std::optional<double> parse_duration(std::string_view text) {
  double unit = 1;
  if (!text.empty() && std::string_view("smh").find(text.back()) != std::string_view::npos) {
    unit = text.back() == 'h' ? 3600 : text.back() == 'm' ? 60 : 1;
    text.remove_suffix(1);
  }
  const std::optional<double> number = parse_number(text);
  if (!number) return std::nullopt;
  return *number * unit;
}

std::uint64_t read_whole_number(std::string_view name, std::string_view text, const Range& range) {
  if (range.zero != nullptr && text == range.zero) return 0;
  return within(name, text, NumberKind::whole, range, parse_whole(text));
}

std::uint64_t read_size(std::string_view name, std::string_view text, const Range& range) {
  return within(name, text, NumberKind::size, range, parse_bytes(text));
}

double read_real_number(std::string_view name, std::string_view text, const Range& range) {
  return within(name, text, NumberKind::real, range, parse_number(text));
}

double read_duration(std::string_view name, std::string_view text, const Range& range) {
  return within(name, text, NumberKind::duration, range, parse_duration(text));
}

void check_number(std::string_view name, NumberKind kind, double value, const Range& range) {
  if (!range.has(value)) refuse(name, fmt::format("{}", value), kind, range);
}

}  // namespace dovetail
