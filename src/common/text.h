#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace dovetail {

/// `text` as it may be shown on a terminal: control characters, also the ones above ASCII and those that
/// change the direction of writing, spelt out as \n, \xNN or \uNNNN.
[[nodiscard]] std::string printable(std::string_view text);

/// The same, but for tabs and line ends.
[[nodiscard]] std::string printable_lines(std::string_view text);

/// printable(), cut to `limit` bytes at a character's end.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t limit);

/// The same in quotes.
[[nodiscard]] std::string shown(std::string_view text, std::size_t limit = 60);

/// `text` with what has a meaning in XML and HTML spelt out, for a reader who must get the very same text.
[[nodiscard]] std::string xml_exact(std::string_view text);

/// The same for a page that people look at: printable(), but for tabs and line ends.
[[nodiscard]] std::string xml_escaped(std::string_view text);

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

/// The bytes that the whole of `text` spells, if it does: a number, alone, with K, M, G, T or KiB, MiB, GiB,
/// TiB for powers of 1024, or with KB, MB, GB, TB for powers of 1000.
[[nodiscard]] std::optional<std::uint64_t> parse_bytes(std::string_view text);

/// 75.2 -> "1:15 min".
[[nodiscard]] std::string duration_text(double seconds);

/// The finite number that the whole of `text` spells, if it does.
[[nodiscard]] std::optional<double> parse_number(std::string_view text);

/// The most memory this process has had resident, in bytes.
[[nodiscard]] std::uint64_t peak_memory_bytes();

}  // namespace dovetail
