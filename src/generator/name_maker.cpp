#include "generator/name_maker.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "common/random.h"
#include "generator/permutation.h"

namespace dovetail {

namespace {

using std::string_view;

enum NamePurpose : std::uint64_t {
  kSpelling = 300,
  kSubject,
  kStyle,
  kTranslate,
  kTypeOrder,
  kOrder,
  kDrop,
  kAdd,
  kAlias,
  kMistype,
  kPool,
  kCommon,
  kRegion,
};

constexpr std::array<string_view, 32> kOnsets = {"b",  "br", "c", "ch", "d", "dr", "f", "g", "gr", "h",  "j",
                                                 "k",  "l",  "m", "n",  "p", "ph", "r", "s", "sh", "st", "t",
                                                 "th", "tr", "v", "w",  "z", "kr", "l", "m", "r",  ""};
constexpr std::array<string_view, 12> kVowels = {"a", "e", "i",  "o",  "u",  "a",
                                                 "e", "o", "ai", "ea", "ou", "y"};
constexpr std::array<string_view, 16> kCodas = {"",  "",  "",  "",  "",  "n",  "r",  "l",
                                                "s", "m", "t", "k", "x", "nd", "rt", "n"};
constexpr std::array<string_view, 4> kParticles = {"of", "the", "and", "in"};
constexpr std::uint64_t kThe = 1;
constexpr std::array<string_view, 4> kRightParticles = {"de", "la", "et", "en"};

struct Rule {
  string_view from, to;
};
// How the right side may write what the left side writes; longer groups first, since the first fit counts.
constexpr std::array<Rule, 20> kRules = {
    {{"ph", "f"}, {"th", "t"},  {"sh", "sch"}, {"ch", "tsch"}, {"ee", "ie"}, {"kr", "chr"}, {"ou", "u"},
     {"ea", "é"}, {"ai", "ei"}, {"nd", "nt"},  {"c", "k"},     {"v", "w"},   {"w", "v"},    {"x", "ks"},
     {"y", "i"},  {"z", "ts"},  {"j", "y"},    {"dr", "der"},  {"o", "ó"},   {"u", "ü"}}};

// How many words the pools that many entities share hold; the first of each are frequent.
constexpr std::uint64_t kGivenNames = 1500;
constexpr std::uint64_t kCommonWords = 3000;
constexpr std::uint64_t kClassWords = 3;  // per type

std::uint64_t skewed_below(std::uint64_t random, std::uint64_t size) {
  return scaled(static_cast<std::uint64_t>(static_cast<unsigned __int128>(random) * random >> 64), size);
}

}  // namespace

void append_word(std::uint64_t random, std::string& out) {
  // Two syllables of 6,144 forms each tell 38 million words apart, three 230 thousand million.
  const std::uint64_t syllables = 2 + (random & 3) / 2;
  for (std::uint64_t i = 0; i < syllables; ++i) {
    random = mix64(random);
    out += kOnsets[random % kOnsets.size()];
    out += kVowels[(random >> 16) % kVowels.size()];
    out += kCodas[(random >> 32) % kCodas.size()];
  }
}

NameMaker::NameMaker(std::uint64_t seed, double difference)
    : seed_(derived_seed(seed, kSpelling)), difference_(difference) {
  for (std::size_t i = 0; i < kRules.size(); ++i) {
    if (!happens(difference * 1.5, kSpelling, i)) continue;
    spellings_[static_cast<std::size_t>(kRules[i].from[0] - 'a')].push_back({kRules[i].from, kRules[i].to});
  }
}

bool NameMaker::happens(double share, std::uint64_t purpose, std::uint64_t key) const {
  const std::uint64_t random = derived_seed(seed_ ^ purpose, key);
  return static_cast<double>(random >> 11) * 0x1.0p-53 < share;
}

void NameMaker::add(Kind kind, std::uint64_t key) {
  Word& word = words_.emplace_back(Word{{}, kind, key});
  if (kind == Kind::number) {
    word.text = std::to_string(key);
  } else if (kind == Kind::particle) {
    word.text = kParticles[key];
  } else {
    append_word(derived_seed(seed_ ^ static_cast<std::uint64_t>(kind), key), word.text);
  }
}

void NameMaker::compose(const Subject& subject) {
  words_.clear();
  const std::uint64_t random = derived_seed(seed_ ^ kSubject, subject.entity);
  switch (derived_seed(seed_ ^ kStyle, subject.type) % 4) {
    case 0:
      compose_person(random);
      break;
    case 1:
      compose_work(random);
      break;
    default:
      compose_classed(subject, random);
  }
}

void NameMaker::compose_person(std::uint64_t random) {
  add(Kind::pooled, skewed_below(mix64(random), kGivenNames));
  if (random % 5 == 0) add(Kind::pooled, skewed_below(mix64(random + 1), kGivenNames));
  add(Kind::own, random);
}

void NameMaker::compose_work(std::uint64_t random) {
  if (random % 4 == 0) add(Kind::particle, kThe);
  add(Kind::common, kClassWords * 1000 + skewed_below(mix64(random), kCommonWords));
  if (random % 3 == 0) add(Kind::particle, 2 * (random >> 8 & 1));
  add(Kind::own, random);
  if (random % 7 == 0) add(Kind::number, 1900 + (random >> 20) % 125);
}

void NameMaker::compose_classed(const Subject& subject, std::uint64_t random) {
  const std::uint64_t class_word = derived_seed(kCommon, subject.type * kClassWords + random % kClassWords);
  const bool class_first = (derived_seed(seed_ ^ kStyle, subject.type) >> 8 & 1) != 0;
  if (class_first) {
    add(Kind::common, class_word);
    if (random % 2 == 0) add(Kind::particle, 0);
  }
  add(Kind::own, random);
  if (!class_first && random % 8 != 0) add(Kind::common, class_word);
  if (random % 6 == 0) {
    add(Kind::particle, 3);
    add(Kind::region, subject.community);
  }
  if (random % 11 == 0)
    add(Kind::number, (random >> 20) % 2 == 0 ? 1 + (random >> 24) % 30 : 1800 + (random >> 24) % 225);
}

void NameMaker::translate() {
  for (Word& word : words_) {
    if (word.kind == Kind::particle && difference_ > 0) {
      if (happens(difference_ * 2, kTranslate, word.key)) word.text = kRightParticles[word.key];
    } else if (word.kind == Kind::common && happens(difference_, kTranslate, word.key)) {
      word.text.clear();
      append_word(derived_seed(seed_ ^ kTranslate, word.key), word.text);
    }
    if (word.kind != Kind::number) respell(word.text);
  }
}

void NameMaker::respell(std::string& word) {
  scratch_.clear();
  for (std::size_t i = 0; i < word.size();) {
    // Nothing is respelt twice, so what is looked at is always a letter from a to z.
    const std::vector<Spelling>& spellings = spellings_[static_cast<std::size_t>(word[i] - 'a')];
    const auto rule = std::find_if(spellings.begin(), spellings.end(), [&](const Spelling& spelling) {
      // A letter beyond ASCII is not put first, where it would have to become a capital.
      return string_view(word).substr(i, spelling.from.size()) == spelling.from &&
             (i > 0 || (static_cast<unsigned char>(spelling.to[0]) & 0x80) == 0);
    });
    if (rule == spellings.end()) {
      scratch_ += word[i++];
    } else {
      scratch_ += rule->to;
      i += rule->from.size();
    }
  }
  std::swap(word, scratch_);
}

void NameMaker::reorder(const Subject& subject) {
  if (words_.size() < 2) return;
  const bool by_type = happens(difference_ / 2, kTypeOrder, subject.type);
  const bool by_name = happens(difference_ / 4, kOrder, subject.entity);
  if (by_type != by_name) std::rotate(words_.begin(), words_.end() - 1, words_.end());
}

void NameMaker::drop_or_add(const Subject& subject) {
  if (happens(difference_ / 2, kDrop, subject.entity)) {
    const auto own = [](const Word& word) { return word.kind == Kind::own; };
    const auto word = std::find_if_not(words_.begin(), words_.end(), own);
    if (word != words_.end()) words_.erase(word);
  }
  if (happens(difference_ / 3, kAdd, subject.entity)) {
    const bool has_region =
        std::any_of(words_.begin(), words_.end(), [](const Word& word) { return word.kind == Kind::region; });
    add(has_region ? Kind::pooled : Kind::region, subject.community);
    respell(words_.back().text);
  }
  if (happens(difference_ * difference_ / 4, kAlias, subject.entity)) {
    words_.clear();
    add(Kind::own, derived_seed(seed_ ^ kAlias, subject.entity));
    add(Kind::own, derived_seed(seed_ ^ kAlias, ~subject.entity));
  }
}

void NameMaker::trim_particles() {
  const auto dangles = [](const Word& word) { return word.kind == Kind::particle; };
  while (dangles(words_.back())) words_.pop_back();
  while (dangles(words_.front()) && words_.front().key != kThe) words_.erase(words_.begin());
}

void NameMaker::mistype(Side side, const Subject& subject) {
  const std::uint64_t key = subject.entity * 2 + static_cast<std::uint64_t>(side);
  if (!happens(difference_ / 4, kMistype, key)) return;
  std::uint64_t random = derived_seed(seed_ ^ kMistype, ~key);
  std::string& text = words_[random % words_.size()].text;
  random >>= 16;
  const std::size_t at = 1 + random % std::max<std::size_t>(text.size() - 1, 1);
  // Only ASCII letters move, lest a character of two bytes be torn apart.
  const auto movable = [&](std::size_t i) {
    return i > 0 && i < text.size() && text[i] >= 'a' && text[i] <= 'z';
  };
  if (!movable(at)) return;
  switch (random >> 32 & 3) {
    case 0:
      text.erase(at, 1);
      break;
    case 1:
      text.insert(at, 1, text[at]);
      break;
    case 2:
      if (movable(at + 1)) std::swap(text[at], text[at + 1]);
      break;
    default:
      text[at] = static_cast<char>('a' + (random >> 40) % 26);
  }
}

void NameMaker::write(std::string& name) const {
  name.clear();
  for (const Word& word : words_) {
    if (!name.empty()) name += ' ';
    const std::size_t start = name.size();
    name += word.text;
    const bool capital = word.kind != Kind::particle || start == 0;
    if (capital && name[start] >= 'a' && name[start] <= 'z')
      name[start] = static_cast<char>(name[start] - 'a' + 'A');
  }
}

void NameMaker::name(Side side, const Subject& subject, std::string& name) {
  compose(subject);
  Subject written = subject;
  if (subject.copy) written.entity = ~subject.entity;
  if (side == Side::right) {
    translate();
    reorder(written);
    drop_or_add(written);
    trim_particles();
  }
  mistype(side, written);
  write(name);
}

}  // namespace dovetail
