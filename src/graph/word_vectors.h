#pragma once

#include <dovetail/graph.h>
#include <dovetail/observer.h>

#include <algorithm>
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

  [[nodiscard]] std::size_t known_count() const {
    return static_cast<std::size_t>(std::ranges::count_if(known, [](std::uint8_t k) { return k != 0; }));
  }
};

/// Reads the vectors of the words that are wanted from a file; see read_word_vectors() of formats. Who
/// compares names is handed one of these and opens no file.
using WordVectorReader = std::function<WordVectors(
    const std::filesystem::path& path, const StringTable& wanted,
    const std::function<std::string(std::string_view)>& simplify, Observer& observer)>;

}  // namespace dovetail
