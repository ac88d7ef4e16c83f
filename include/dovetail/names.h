#pragma once

#include <cstdint>
#include <filesystem>

namespace dovetail {

/// Where the name of an entity is taken from. An entity that has none there has no name, and resembles none
/// by name.
enum class NameSource : std::uint8_t {
  automatic,    ///< the label, or the last part of the identifier where there is no label
  labels,       ///< the label only
  identifiers,  ///< the last part of the identifier only
};

/// How much each way of comparing two names counts. The similarity of two names is the mean of the cosines
/// of these, weighted so; a weight of 0 leaves one out.
struct NameWeights {
  double characters = 1;  ///< pairs and triples of characters: catches spellings, needs no language
  double words = 0.5;     ///< whole words, rare ones counting more
  double vectors = 0.5;   ///< means of word vectors; counts only where a file of them is given
};

struct NameOptions {
  NameSource source = NameSource::automatic;
  /// Writes names of other scripts in Latin letters, so that 東京 and Tōkyō have something in common (Chinese
  /// characters are read as Mandarin: dong jing). Never done for looking up word vectors.
  bool transliterate = true;
  NameWeights weights{};
  /// Files of word vectors: word2vec (text or binary), GloVe or fastText (.vec), compressed or not. For names
  /// in one language one of the two is enough; for two languages, give two files whose vectors were trained
  /// or mapped into one space.
  std::filesystem::path left_vectors{};
  std::filesystem::path right_vectors{};
};

}  // namespace dovetail
