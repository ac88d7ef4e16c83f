#pragma once

#include <dovetail/text.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace dovetail {

/// The length in bytes of the UTF-8 character that `text` begins with; 0 if it begins with none.
[[nodiscard]] std::size_t character_length(std::string_view text);
/// Whether the whole of `text` is UTF-8.
[[nodiscard]] bool is_utf8(std::string_view text);

/// `text` with what has a meaning in XML and HTML spelt out, for a reader who must get the very same text.
[[nodiscard]] std::string xml_exact(std::string_view text);

/// The same for a page that people look at: printable(), but for tabs and line ends.
[[nodiscard]] std::string xml_escaped(std::string_view text);

/// The bytes that the whole of `text` spells, if it does: a number, alone, with K, M, G, T or KiB, MiB, GiB,
/// TiB for powers of 1024, or with KB, MB, GB, TB for powers of 1000.
[[nodiscard]] std::optional<std::uint64_t> parse_bytes(std::string_view text);

/// The finite number that the whole of `text` spells, if it does.
[[nodiscard]] std::optional<double> parse_number(std::string_view text);

}  // namespace dovetail
