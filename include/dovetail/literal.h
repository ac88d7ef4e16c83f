#pragma once

#include <string>
#include <string_view>

// Literals have one form in the library, N-Triples syntax: "text", "text"@en, "text"^^<datatype>.

namespace dovetail {

struct LiteralParts {
  std::string text;  ///< without escapes
  std::string_view language;
  std::string_view datatype;
};

/// Takes apart a literal in N-Triples syntax that is known to be well-formed.
[[nodiscard]] LiteralParts split_literal(std::string_view literal);

/// Puts a literal together; `language` and `datatype` may be empty.
[[nodiscard]] std::string make_literal(std::string_view text, std::string_view language,
                                       std::string_view datatype);

}  // namespace dovetail
