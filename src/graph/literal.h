#pragma once

#include <dovetail/literal.h>

#include <string>
#include <string_view>

namespace dovetail {

/// Whether the whole of `text` is a literal in N-Triples syntax.
[[nodiscard]] bool is_literal(std::string_view text);

/// A term of N-Triples with characters that some readers take for the end of a line (U+2028 and its like),
/// and other control characters, as escapes.
[[nodiscard]] std::string escaped_controls(std::string_view term);

/// Appends `text` with the escapes of N-Triples (\t \n \" \\ \uXXXX \UXXXXXXXX ...) replaced by what they
/// stand for. False if there is an escape that is none.
[[nodiscard]] bool append_unescaped(std::string& out, std::string_view text);

}  // namespace dovetail
