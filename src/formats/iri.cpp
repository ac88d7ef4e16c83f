#include "formats/iri.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

namespace dovetail {

namespace {

bool is_alpha(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0;
}
bool is_alnum(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0;
}

bool has_scheme(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon + 1 == text.size() || colon < 2 || !is_alpha(text[0]))
    return false;
  return std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(colon),
                     [](char c) { return is_alnum(c) || c == '+' || c == '-' || c == '.'; });
}

bool is_blank(std::string_view text) {
  return text.size() > 2 && text.starts_with("_:") && is_alnum(text[2]) &&
         std::all_of(text.begin() + 2, text.end(),
                     [](char c) { return is_alnum(c) || c == '_' || c == '-'; });
}

void append_encoded(std::string& out, std::string_view text, std::string_view forbidden) {
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte <= 0x20 || byte == 0x7F || forbidden.find(c) != std::string_view::npos) {
      out += fmt::format("%{:02X}", byte);
    } else {
      out += c;
    }
  }
}

}  // namespace

std::string to_iri(std::string_view identifier, IriRole role) {
  std::string out;
  if (is_blank(identifier) && role == IriRole::entity) {
    out = identifier;
  } else if (has_scheme(identifier)) {
    append_encoded(out, identifier, "<>\"{}|^`\\");
  } else {
    out = role == IriRole::entity ? "urn:dovetail:entity:" : "urn:dovetail:relation:";
    // RDF/XML wants a relation's last part to begin like an XML name.
    if (role == IriRole::relation && !identifier.empty() && !is_alpha(identifier.front())) out += '_';
    append_encoded(out, identifier, "<>\"{}|^`\\%/?#");
  }
  return out;
}

}  // namespace dovetail
