#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

// Text for people: messages, tables and pages. The library uses the same functions for its own messages.

namespace dovetail {

/// `text` as it may be shown on a terminal: control characters, also the ones above ASCII and those that
/// change the direction of writing, and bytes that are not UTF-8 spelt out as \n, \xNN or \uNNNN.
[[nodiscard]] std::string printable(std::string_view text);

/// The same, but for tabs and line ends.
[[nodiscard]] std::string printable_lines(std::string_view text);

/// printable(), cut to `limit` bytes at a character's end.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t limit);

/// The same in quotes.
[[nodiscard]] std::string shown(std::string_view text, std::size_t limit = 60);

/// With spaces for line ends.
[[nodiscard]] std::string on_one_line(std::string text);

/// 1234567 -> "1,234,567".
[[nodiscard]] std::string with_commas(std::uint64_t number);

/// "s" where the number wants a plural.
[[nodiscard]] constexpr const char* plural(std::uint64_t number) {
  return number == 1 ? "" : "s";
}

/// 1536 -> "1.5 KiB".
[[nodiscard]] std::string human_bytes(std::uint64_t bytes);

/// 75.2 -> "1:15 min".
[[nodiscard]] std::string duration_text(double seconds);

/// The most memory this process has had resident, in bytes.
[[nodiscard]] std::uint64_t peak_memory_bytes();

}  // namespace dovetail
