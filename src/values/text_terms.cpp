#include "values/text_terms.h"

#include <algorithm>
#include <array>
#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/utf8.h>
#include <xxhash.h>

#include "values/typed_value.h"

namespace dovetail {

namespace {

constexpr bool is_ascii_letter_or_digit(unsigned char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

constexpr char ascii_lower(unsigned char c) {
  return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

void append_utf8(std::string& out, UChar32 character) {
  std::array<char, U8_MAX_LENGTH> bytes{};
  std::int32_t length = 0;
  U8_APPEND_UNSAFE(bytes.data(), length, character);
  out.append(bytes.data(), static_cast<std::size_t>(length));
}

/// Adds what a character beyond ASCII decomposes to; false if it separates words.
bool append_decomposed(std::string& out, UChar32 character) {
  static const UNormalizer2* const kCompatibility = [] {
    UErrorCode error = U_ZERO_ERROR;
    return unorm2_getNFKDInstance(&error);
  }();
  std::array<UChar, 24> parts{};
  UErrorCode error = U_ZERO_ERROR;
  std::int32_t length = kCompatibility == nullptr
                            ? -1
                            : unorm2_getDecomposition(kCompatibility, character, parts.data(),
                                                      static_cast<std::int32_t>(parts.size()), &error);
  if (length < 0 || U_FAILURE(error) != 0) {
    length = 0;
    U16_APPEND_UNSAFE(parts.data(), length, character);
  }
  bool any = false;
  for (std::int32_t i = 0; i < length;) {
    UChar32 part = 0;
    U16_NEXT(parts.data(), i, length, part);
    const auto type = u_charType(part);
    if (type == U_NON_SPACING_MARK || type == U_ENCLOSING_MARK) {
      any = true;  // an accent belongs to the word before it
    } else if (u_isalnum(part) != 0) {
      append_utf8(out, u_tolower(part));
      any = true;
    }
  }
  return any;
}

}  // namespace

std::uint64_t hash_text(std::string_view text) {
  return XXH3_64bits(text.data(), text.size());
}

std::string normalised_words(std::string_view text) {
  text = text.substr(0, kComparedBytes);
  std::string out;
  out.reserve(text.size());
  const auto separate = [&] {
    if (!out.empty() && out.back() != ' ') out += ' ';
  };
  const auto size = static_cast<std::int32_t>(text.size());
  for (std::int32_t i = 0; i < size;) {
    const auto c = static_cast<unsigned char>(text[static_cast<std::size_t>(i)]);
    if (c < 0x80) {
      ++i;
      if (is_ascii_letter_or_digit(c)) {
        out += ascii_lower(c);
      } else if (c != '\'') {  // O'Brien is one word
        separate();
      }
      continue;
    }
    UChar32 character = 0;
    U8_NEXT(reinterpret_cast<const std::uint8_t*>(text.data()), i, size, character);
    if (character < 0 || !append_decomposed(out, character)) separate();
  }
  if (out.ends_with(' ')) out.pop_back();
  return out;
}

std::vector<std::uint64_t> code_terms(std::string_view text) {
  text = text.substr(0, kComparedBytes);
  std::vector<std::uint64_t> codes;
  std::string code;
  bool digit = false;
  const auto finish = [&] {
    if (digit && code.size() >= 4) codes.push_back(hash_text(code));
    code.clear();
    digit = false;
  };
  for (const char raw : text) {
    const auto c = static_cast<unsigned char>(raw);
    if (is_ascii_letter_or_digit(c)) {
      code += ascii_lower(c);
      digit = digit || (c >= '0' && c <= '9');
    } else if (c != '-' && c != '/' && c != '.') {
      finish();
    }
  }
  finish();
  if (looks_like_code(text)) {
    for (const char raw : text) {
      const auto c = static_cast<unsigned char>(raw);
      if (is_ascii_letter_or_digit(c)) code += ascii_lower(c);
    }
    digit = true;
    finish();
  }
  std::ranges::sort(codes);
  codes.erase(std::unique(codes.begin(), codes.end()), codes.end());
  return codes;
}

}  // namespace dovetail
