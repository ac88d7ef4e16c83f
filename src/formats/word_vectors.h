#pragma once

#include <dovetail/graph.h>
#include <dovetail/observer.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "common/buffer.h"

namespace dovetail {

/// Vectors of some words, by the words' numbers in the table that asked for them.
struct WordVectors {
  std::size_t dimension = 0;
  Matrix<float> vectors;            ///< [words, dimension]; zeros for words that the file does not have
  std::vector<std::uint8_t> known;  ///< [words] whether the file has the word
  std::uint64_t in_file = 0;        ///< how many words the file has

  [[nodiscard]] std::size_t known_count() const;
};

/// Reads the vectors of the words in `wanted` from a file of word2vec (text or binary), GloVe or fastText
/// (.vec); which of these it is, the file's beginning says (of binary vectors of one or two numbers it may
/// say the wrong thing: their bytes can read as text).
/// A word of the file counts as the word that it is or, if none is wanted in that form, as `simplify` makes
/// of it: "Zürich" in the file, "zurich" wanted. Of several for one word the first counts, for these files
/// have the commonest word first; but a word in its very form beats all others.
[[nodiscard]] WordVectors read_word_vectors(const std::filesystem::path& path, const StringTable& wanted,
                                            const std::function<std::string(std::string_view)>& simplify,
                                            Observer& observer);

}  // namespace dovetail
