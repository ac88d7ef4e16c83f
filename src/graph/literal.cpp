#include "graph/literal.h"

#include <charconv>
#include <cstdint>
#include <fmt/format.h>
#include <optional>

namespace dovetail {

namespace {

bool append_code_point(std::string& out, std::uint32_t code) {
  if (code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return false;
  const auto put = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0 | code >> 6), put(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    put(0xE0 | code >> 12), put(0x80 | (code >> 6 & 0x3F)), put(0x80 | (code & 0x3F));
  } else {
    put(0xF0 | code >> 18), put(0x80 | (code >> 12 & 0x3F)), put(0x80 | (code >> 6 & 0x3F)),
        put(0x80 | (code & 0x3F));
  }
  return true;
}

bool append_hex_escape(std::string& out, std::string_view digits, std::size_t length) {
  if (digits.size() < length) return false;
  std::uint32_t code = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + length, code, 16);
  return error == std::errc{} && end == digits.data() + length && append_code_point(out, code);
}

/// The code of the control character, or of one that Unicode never assigns, that `text` begins with; `length`
/// says how many bytes it has.
std::optional<std::uint32_t> control_at(std::string_view text, std::size_t& length) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) {
    const bool control = (byte(0) < 0x20 && byte(0) != '\t') || byte(0) == 0x7F;
    return control ? std::optional<std::uint32_t>(byte(0)) : std::nullopt;
  }
  if (byte(0) == 0xC2 && text.size() > 1 && byte(1) < 0xA0) {
    length = 2;
    return byte(1);
  }
  if (text.starts_with("\xE2\x80\xA8") || text.starts_with("\xE2\x80\xA9") ||
      text.starts_with("\xEF\xBF\xBE") || text.starts_with("\xEF\xBF\xBF")) {
    length = 3;
    return (byte(0) & 0x0FU) << 12 | (byte(1) & 0x3FU) << 6 | (byte(2) & 0x3FU);
  }
  return std::nullopt;
}

}  // namespace

bool append_unescaped(std::string& out, std::string_view text) {
  static constexpr std::string_view kLetters = "tbnrf\"'\\";
  static constexpr std::string_view kMeanings = "\t\b\n\r\f\"'\\";
  while (true) {
    const std::size_t slash = text.find('\\');
    out += text.substr(0, slash);
    if (slash == std::string_view::npos) return true;
    text.remove_prefix(slash + 1);
    if (text.empty()) return false;
    const char kind = text.front();
    text.remove_prefix(1);
    if (kind == 'u' || kind == 'U') {
      const std::size_t length = kind == 'u' ? 4 : 8;
      if (!append_hex_escape(out, text, length)) return false;
      text.remove_prefix(length);
    } else {
      const std::size_t which = kLetters.find(kind);
      if (which == std::string_view::npos) return false;
      out += kMeanings[which];
    }
  }
}

bool is_literal(std::string_view text) {
  if (!text.starts_with('"')) return false;
  std::size_t close = 1;
  while (close < text.size() && text[close] != '"') close += text[close] == '\\' ? 2 : 1;
  if (close >= text.size()) return false;
  std::string ignored;
  if (!append_unescaped(ignored, text.substr(1, close - 1))) return false;
  const std::string_view rest = text.substr(close + 1);
  if (rest.starts_with("^^<")) return rest.find('>') == rest.size() - 1;
  return rest.empty() ||
         (rest.starts_with('@') && rest.size() > 1 && rest.find_first_of("\" \t") == rest.npos);
}

LiteralParts split_literal(std::string_view literal) {
  LiteralParts parts;
  const std::size_t close = literal.rfind('"');
  (void)append_unescaped(parts.text, literal.substr(1, close - 1));
  const std::string_view rest = literal.substr(close + 1);
  if (rest.starts_with('@')) parts.language = rest.substr(1);
  if (rest.starts_with("^^<")) parts.datatype = rest.substr(3, rest.size() - 4);
  return parts;
}

std::string escaped_controls(std::string_view term) {
  std::string out;
  std::size_t copied = 0;
  for (std::size_t at = 0; at < term.size();) {
    std::size_t length = 1;
    if (const auto code = control_at(term.substr(at), length)) {
      out += term.substr(copied, at - copied);
      out += fmt::format("\\u{:04X}", *code);
      copied = at + length;
    }
    at += length;
  }
  out += term.substr(copied);
  return out;
}

std::string make_literal(std::string_view text, std::string_view language, std::string_view datatype) {
  std::string out = "\"";
  for (const char c : text) {
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      default:
        out += c;
    }
  }
  out += '"';
  if (!language.empty()) {
    out += '@';
    out += language;
  } else if (!datatype.empty()) {
    out += "^^<";
    out += datatype;
    out += '>';
  }
  return out;
}

}  // namespace dovetail
