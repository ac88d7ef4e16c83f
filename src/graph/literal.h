#pragma once

#include <string>
#include <string_view>

namespace dovetail {

// Literals travel through the program in one form, N-Triples syntax: "text", "text"@en, "text"^^<datatype>.

struct LiteralParts {
  std::string text;  ///< without escapes
  std::string_view language;
  std::string_view datatype;
};

/// Whether the whole of `text` is a literal in N-Triples syntax.
[[nodiscard]] bool is_literal(std::string_view text);

/// Takes apart a literal in N-Triples syntax that is known to be well-formed.
[[nodiscard]] LiteralParts split_literal(std::string_view literal);

/// Puts a literal together; `language` and `datatype` may be empty.
[[nodiscard]] std::string make_literal(std::string_view text, std::string_view language,
                                       std::string_view datatype);

/// A term of N-Triples with characters that some readers take for the end of a line (U+2028 and its like),
/// and other control characters, as escapes.
[[nodiscard]] std::string escaped_controls(std::string_view term);

/// Appends `text` with the escapes of N-Triples (\t \n \" \\ \uXXXX \UXXXXXXXX ...) replaced by what they
/// stand for. False if there is an escape that is none.
[[nodiscard]] bool append_unescaped(std::string& out, std::string_view text);

}  // namespace dovetail
