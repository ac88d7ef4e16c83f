#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/utf8.h"

namespace dovetail {

/// Of longer texts only the beginning is compared, so that one value cannot take all of the time.
inline constexpr std::size_t kComparedBytes = 4096;

/// Words in lower case without accents, one blank between two. Everything that is no letter or digit
/// separates words. Invalid UTF-8 separates too.
[[nodiscard]] std::string normalised_words(std::string_view text);

/// Calls body(hash) for every run of three characters of each word with a blank in front and behind: the
/// grams of "ab" are " ab" and "ab ".
template <typename Body>
void for_each_gram(std::string_view words, const Body& body);

/// Calls body(hash) for every word.
template <typename Body>
void for_each_word(std::string_view words, const Body& body);

/// Hashes of the codes in a text: words with a digit, of at least four letters and digits, without the
/// punctuation inside them ("EZ-XS/88W" is "ezxs88w"); and the whole text, if it is short and looks like one.
[[nodiscard]] std::vector<std::uint64_t> code_terms(std::string_view text);

[[nodiscard]] std::uint64_t hash_text(std::string_view text);

template <typename Body>
void for_each_word(std::string_view words, const Body& body) {
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    if (end > 0) body(hash_text(words.substr(0, end)));
    words.remove_prefix(std::min(end + 1, words.size()));
  }
}

template <typename Body>
void for_each_gram(std::string_view words, const Body& body) {
  // The last three characters, 21 bits each, the newest at the bottom.
  constexpr std::uint64_t kMask = (std::uint64_t{1} << 63) - 1;
  std::uint64_t last = ' ';
  std::size_t in_word = 1;
  const auto take = [&](std::uint32_t character) {
    last = (last << 21 | character) & kMask;
    if (++in_word >= 3) body(last);
  };
  for_each_character(words, [&](std::uint32_t character) {
    take(character);
    if (character == ' ') in_word = 1;
  });
  if (!words.empty()) take(' ');
}

}  // namespace dovetail
