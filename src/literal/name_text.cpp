#include "literal/name_text.h"

#include <dovetail/errors.h>

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <string>
#include <unicode/brkiter.h>
#include <unicode/normalizer2.h>
#include <unicode/translit.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unordered_map>
#include <vector>

#include "graph/naming.h"

namespace dovetail {

namespace {

/// The signs between the two steps stand for what Latin does not write (the soft sign, hamza, ain); the last
/// step would make apostrophes of them, and so cut words in two.
constexpr const char* kToLatin = "Any-Latin; [\\u02B9\\u02BA\\u02BC\\u02BE\\u02BF] Remove; Latin-ASCII";

void check(UErrorCode code, const char* what) {
  if (U_FAILURE(code) == 0) return;
  throw Error(fmt::format("ICU cannot {}: {}; are its data files installed?", what, u_errorName(code)));
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// "S%C3%A3o_Paulo" -> "São Paulo". A '%' that begins no code stays.
std::string decode_identifier(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size() && hex_value(text[i + 1]) >= 0 && hex_value(text[i + 2]) >= 0) {
      out += static_cast<char>(hex_value(text[i + 1]) * 16 + hex_value(text[i + 2]));
      i += 2;
    } else {
      out += text[i] == '_' ? ' ' : text[i];
    }
  }
  return out;
}

bool is_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

/// What the whole way through ICU would make of a text that is ASCII, as most are.
std::string ascii_words(std::string_view text) {
  std::string out;
  bool gap = false;
  for (char c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (!is_digit(c) && (c < 'a' || c > 'z')) {
      gap = true;
      continue;
    }
    if (gap && !out.empty()) out += ' ';
    gap = false;
    out += c;
  }
  return out;
}

/// Accents and vowel points are decoration, and often left out. Not so the marks that make another letter:
/// nukta (7), the voicing marks of kana (8) and virama (9), and those of class 0, the vowels of Indic
/// scripts.
bool is_decoration(UChar32 c) {
  const int combining = u_getCombiningClass(c);
  return combining != 0 && (combining < 7 || combining > 9);
}

bool is_of_word(UChar32 c) {
  return u_isalnum(c) != 0 || (U_GET_GC_MASK(c) & U_GC_M_MASK) != 0;
}

icu::UnicodeString normalised(const icu::Normalizer2& form, const icu::UnicodeString& text) {
  UErrorCode code = U_ZERO_ERROR;
  icu::UnicodeString out = form.normalize(text, code);
  check(code, "normalise a text");
  return out;
}

/// One code for what looks alike: full-width letters, ligatures.
icu::UnicodeString composed(const icu::UnicodeString& text) {
  UErrorCode code = U_ZERO_ERROR;
  const icu::Normalizer2* const form = icu::Normalizer2::getNFKCInstance(code);
  check(code, "find its normal forms");
  return normalised(*form, text);
}

/// Decomposed, without decoration, case folded, composed again (word vectors are, and Hangul would fall into
/// its strokes).
icu::UnicodeString simplified(const icu::UnicodeString& text) {
  UErrorCode code = U_ZERO_ERROR;
  const icu::Normalizer2* const form = icu::Normalizer2::getNFKDInstance(code);
  check(code, "find its normal forms");
  const icu::UnicodeString decomposed = normalised(*form, text);
  icu::UnicodeString bare;
  for (std::int32_t i = 0; i < decomposed.length(); i = decomposed.moveIndex32(i, 1)) {
    if (!is_decoration(decomposed.char32At(i))) bare.append(decomposed.char32At(i));
  }
  return composed(bare.foldCase());
}

/// Calls body(word) for each longest run of characters that make up words.
template <typename Body>
void for_each_word(const icu::UnicodeString& text, const Body& body) {
  std::int32_t begin = 0, i = 0;
  const auto end_word = [&] {
    if (i > begin) body(text.tempSubStringBetween(begin, i));
  };
  for (; i < text.length(); i = text.moveIndex32(i, 1)) {
    if (is_of_word(text.char32At(i))) continue;
    end_word();
    begin = text.moveIndex32(i, 1);
  }
  end_word();
}

/// Appends a word, with a space in front unless it is the first. What is no part of a word is left out.
void append_word(const icu::UnicodeString& word, icu::UnicodeString& out) {
  bool gap = !out.isEmpty();
  for_each_word(word, [&](const icu::UnicodeString& part) {
    if (gap) out.append(u' ');
    gap = false;
    out.append(part);
  });
}

std::string to_utf8(const icu::UnicodeString& text) {
  std::string out;
  text.toUTF8String(out);
  return out;
}

}  // namespace

GivenText name_text(const KnowledgeGraph& graph, EntityId entity, NameSource source) {
  if (source != NameSource::identifiers) {
    const std::string_view label = graph.label(entity);
    if (!label.empty() || source == NameSource::labels) return {label, false};
  }
  const std::string_view identifier = graph.entity(entity);
  if (!iri_prefix(graph).empty()) return {};  // the id of a row
  if (identifier.starts_with("_:") || std::ranges::all_of(identifier, is_digit)) return {};
  return {last_part(identifier), true};
}

struct NameNormaliser::Tools {
  std::unique_ptr<icu::Transliterator> to_latin;    // made when the first name needs it
  std::unique_ptr<icu::BreakIterator> word_breaks;  // likewise

  void transliterate(icu::UnicodeString& text) {
    if (!to_latin) {
      UErrorCode code = U_ZERO_ERROR;
      to_latin.reset(icu::Transliterator::createInstance(kToLatin, UTRANS_FORWARD, code));
      check(code, "transliterate to Latin");
    }
    to_latin->transliterate(text);
  }

  icu::BreakIterator& breaks() {
    if (!word_breaks) {
      UErrorCode code = U_ZERO_ERROR;
      word_breaks.reset(icu::BreakIterator::createWordInstance(icu::Locale::getRoot(), code));
      check(code, "find the ends of words");
    }
    return *word_breaks;
  }
};

namespace {

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// A few letters, perhaps a separator, then at least three hexadecimal digits, two of them decimal ones.
bool is_number_code(std::string_view text) {
  constexpr std::size_t kMostLetters = 4, kFewestDigits = 3, kDecimal = 2;
  const auto is_hex = [](char c) { return hex_value(c) >= 0 || c == '-'; };
  std::size_t begin = 0;
  while (begin < text.size() && is_letter(text[begin])) ++begin;
  if (begin > kMostLetters && !std::ranges::all_of(text, is_hex)) return false;
  if (begin < text.size() && (text[begin] == '_' || text[begin] == '-' || text[begin] == ':')) ++begin;
  const std::string_view digits = text.substr(begin);
  return digits.size() >= kFewestDigits && std::ranges::all_of(digits, is_hex) &&
         std::ranges::count_if(digits, is_digit) >= static_cast<std::ptrdiff_t>(kDecimal);
}

/// One word in which letters and digits take turns, as in 01ARZ3NDEK or m.0dl4z.
bool is_mixed_code(std::string_view text) {
  constexpr std::size_t kShortest = 6, kTurns = 3;
  std::size_t turns = 0;
  char last = '\0';
  for (const char c : text) {
    const char kind = is_digit(c) ? 'd' : is_letter(c) ? 'l' : c == '.' || c == '-' ? last : ' ';
    if (kind == ' ') return false;
    turns += last != '\0' && kind != last ? 1 : 0;
    last = kind;
  }
  return text.size() >= kShortest && turns >= kTurns;
}

/// What is left of an identifier without its digits.
std::string without_digits(std::string_view text) {
  std::string rest;
  std::ranges::copy_if(text, std::back_inserter(rest), [](char c) { return !is_digit(c); });
  return rest;
}

}  // namespace

std::vector<std::uint8_t> code_identifiers(const KnowledgeGraph& graph, NameSource source) {
  constexpr std::size_t kPart = 10;  // a tenth of the identifiers, of one pattern, is no accident
  constexpr std::size_t kFewest = 5;
  std::vector<std::uint8_t> is_code(graph.entity_count(), 0);
  std::unordered_map<std::string, std::size_t> counts;  // by what differs in digits alone
  std::size_t named = 0, codes = 0;
  const auto each_identifier = [&](const auto& body) {
    for (EntityId entity = 0; entity < graph.entity_count(); ++entity) {
      if (const GivenText given = name_text(graph, entity, source); given.of_identifier)
        body(entity, given.text);
    }
  };
  each_identifier([&](EntityId entity, std::string_view text) {
    ++named;
    is_code[entity] = is_number_code(text) || is_mixed_code(text) ? 1 : 0;
    codes += is_code[entity];
    if (std::ranges::any_of(text, is_digit)) ++counts[without_digits(text)];
  });
  // A few names that look like codes are names: A380.
  if (kPart * codes < named) std::ranges::fill(is_code, std::uint8_t{0});
  each_identifier([&](EntityId entity, std::string_view text) {
    if (is_code[entity] != 0 || std::ranges::none_of(text, is_digit)) return;
    const std::size_t alike = counts[without_digits(text)];
    if (alike >= std::clamp<std::size_t>(named, 2, kFewest) && kPart * alike >= named) is_code[entity] = 1;
  });
  return is_code;
}

NameNormaliser::NameNormaliser(bool transliterate)
    : tools_(std::make_unique<Tools>()), transliterate_(transliterate) {}
NameNormaliser::~NameNormaliser() = default;

std::string NameNormaliser::words(const GivenText& name) {
  const std::string text = name.of_identifier ? decode_identifier(name.text) : std::string(name.text);
  if (is_ascii(text)) return ascii_words(text);
  const icu::UnicodeString unicode = composed(icu::UnicodeString::fromUTF8(text));
  icu::UnicodeString out;
  for_each_word(unicode, [&](icu::UnicodeString word) {
    // Before marks are stripped, since in other scripts than Latin they are vowels. Word by word, since each
    // Chinese character would become a word: Beijing, not bei jing.
    if (transliterate_) tools_->transliterate(word);
    append_word(simplified(word), out);
  });
  return to_utf8(out);
}

std::string NameNormaliser::words_for_vectors(const GivenText& name) {
  const std::string text = name.of_identifier ? decode_identifier(name.text) : std::string(name.text);
  if (is_ascii(text)) return ascii_words(text);
  const icu::UnicodeString unicode = simplified(icu::UnicodeString::fromUTF8(text));
  icu::UnicodeString out;
  icu::BreakIterator& breaks = tools_->breaks();
  breaks.setText(unicode);
  std::int32_t begin = breaks.first();
  for (std::int32_t end = breaks.next(); end != icu::BreakIterator::DONE; begin = end, end = breaks.next()) {
    for_each_word(unicode.tempSubStringBetween(begin, end),
                  [&](const icu::UnicodeString& word) { append_word(word, out); });
  }
  return to_utf8(out);
}

}  // namespace dovetail
