#include "common/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <sys/resource.h>

namespace dovetail {

namespace {

/// The code point of the two- or three-byte character that `text` begins with, if it is a control character:
/// C1 (a terminal takes U+009B for ESC [) or one that changes the direction of writing.
std::optional<unsigned> wide_control(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (text.size() >= 2 && byte(0) == 0xC2 && byte(1) >= 0x80 && byte(1) < 0xA0) return byte(1);
  if (text.size() >= 3 && byte(0) == 0xE2 && (byte(1) == 0x80 || byte(1) == 0x81)) {
    const unsigned code = 0x2000U | (byte(1) & 0x3FU) << 6 | (byte(2) & 0x3FU);
    if ((code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069)) return code;
  }
  return std::nullopt;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  for (; !text.empty(); text.remove_prefix(1)) {
    const char c = text.front();
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F) {
      out += c == '\t' ? "\\t" : c == '\n' ? "\\n" : c == '\r' ? "\\r" : fmt::format("\\x{:02X}", byte);
    } else if (const auto code = wide_control(text)) {
      out += fmt::format("\\u{:04X}", *code);
      text.remove_prefix(*code < 0x800 ? 1 : 2);
    } else {
      out += c;
    }
  }
  return out;
}

std::string shortened(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return printable(text);
  while (limit > 0 && (static_cast<unsigned char>(text[limit]) & 0xC0) == 0x80) --limit;
  return printable(text.substr(0, limit)) + "…";
}

std::string printable_lines(std::string_view text) {
  std::string out;
  while (true) {
    const std::size_t end = text.find_first_of("\t\n");
    out += printable(text.substr(0, end));
    if (end == std::string_view::npos) return out;
    out += text[end];
    text.remove_prefix(end + 1);
  }
}

std::string on_one_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return text;
}

std::string shown(std::string_view text, std::size_t limit) {
  return "\"" + shortened(text, limit) + "\"";
}

std::string xml_escaped(std::string_view text) {
  return xml_exact(printable_lines(text));
}

std::string xml_exact(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string with_commas(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, 1, ',');
  return digits;
}

std::string human_bytes(std::uint64_t bytes) {
  static constexpr std::array kUnits = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 1024 && unit + 1 < kUnits.size()) {
    value /= 1024;
    ++unit;
  }
  return unit == 0 ? fmt::format("{} bytes", bytes) : fmt::format("{:.1f} {}", value, kUnits.at(unit));
}

std::optional<std::uint64_t> parse_bytes(std::string_view text) {
  static constexpr std::string_view kUnits = "KMGT";
  double base = 1024;
  const std::size_t end = text.size();
  if (text.ends_with("iB")) {
    text.remove_suffix(2);
  } else if (text.ends_with('B')) {
    text.remove_suffix(1);
    base = 1000;
  }
  const std::size_t unit = text.empty() ? std::string_view::npos : kUnits.find(text.back());
  if (unit != std::string_view::npos) {
    text.remove_suffix(1);
  } else if (text.size() != end) {
    return std::nullopt;  // 8B, 8iB
  }
  const double scale = unit == std::string_view::npos ? 1 : std::pow(base, static_cast<double>(unit + 1));
  const std::optional<double> number = parse_number(text);
  constexpr double kMost = 1e18;
  if (!number || *number < 0 || *number * scale > kMost) return std::nullopt;
  return static_cast<std::uint64_t>(*number * scale);
}

std::string duration_text(double seconds) {
  const auto whole = static_cast<std::uint64_t>(std::llround(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{}:{:02} min", whole / 60, whole % 60);
  return fmt::format("{}:{:02} h", whole / 3600, whole / 60 % 60);
}

std::optional<double> parse_number(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(number)) return std::nullopt;
  return number;
}

std::uint64_t peak_memory_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

}  // namespace dovetail
