#pragma once

#include <dovetail/graph.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dovetail {

/// Appends a pronounceable word of two or three syllables that follows from a random number.
void append_word(std::uint64_t random, std::string& out);

/// Makes pronounceable names for the entities of a generated pair. An entity's name is a function of the
/// seed and the entity; the right side's differs from the left's as names of two languages do:
/// - letters and letter groups are written in another way, the same way in all names ("ph" as "f");
/// - common words such as those for "institute" are other words, the same ones in all names;
/// - some types put their words in another order, some names do;
/// - words are dropped or added, letters mistyped, and a few names have nothing in common.
class NameMaker {
 public:
  struct Subject {
    std::uint64_t entity;
    std::uint32_t type;
    std::uint32_t community;
    bool copy = false;  ///< the side has it twice, and this is the second, written in a way of its own
  };

  /// `difference` from 0, both sides write the same, to 1.
  NameMaker(std::uint64_t seed, double difference);

  /// Writes the name that `side` gives the entity to `name`. One object serves one thread.
  void name(Side side, const Subject& subject, std::string& name);

 private:
  enum class Kind : std::uint8_t { own, pooled, common, region, particle, number };
  struct Word {
    std::string text;  // lower case
    Kind kind;
    std::uint64_t key;  // what the word is made from; the same word, the same key
  };
  struct Spelling {
    std::string_view from, to;
  };

  void compose(const Subject& subject);
  void compose_person(std::uint64_t random);
  void compose_work(std::uint64_t random);
  void compose_classed(const Subject& subject, std::uint64_t random);
  void add(Kind kind, std::uint64_t key);
  void translate();
  void reorder(const Subject& subject);
  void drop_or_add(const Subject& subject);
  /// An "of" at either end has lost what it joined.
  void trim_particles();
  void mistype(Side side, const Subject& subject);
  void respell(std::string& word);
  void write(std::string& name) const;

  /// Whether a thing that happens to a share of the keys happens to this one.
  [[nodiscard]] bool happens(double share, std::uint64_t purpose, std::uint64_t key) const;

  std::uint64_t seed_;
  double difference_;
  std::array<std::vector<Spelling>, 26> spellings_;  // of the right side, by the first letter of `from`
  std::vector<Word> words_;                          // of the name that is being made; kept for their memory
  std::string scratch_;
};

}  // namespace dovetail
