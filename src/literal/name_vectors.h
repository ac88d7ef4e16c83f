#pragma once

#include <dovetail/graph.h>
#include <dovetail/names.h>
#include <dovetail/observer.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/buffer.h"
#include "common/term_rows.h"
#include "common/threads.h"
#include "graph/word_vectors.h"
#include "kernels/bfloat16.h"

namespace dovetail {

/// The names of one side as vectors, by entity. The similarity of two names is the product of their rows of
/// terms plus the product of their means: each part's rows are scaled by the root of its weight, so that the
/// products add up to the weighted mean of the cosines.
struct SideNameVectors {
  TermRows terms;          ///< characters' grams, then words
  Matrix<Bfloat16> means;  ///< [entities, padded(dimension)] of word vectors; no rows without these
  std::vector<std::uint8_t> has_name;  ///< [entities]
  std::size_t named = 0;               ///< entities that have a name
  std::size_t unique = 0;              ///< those whose name no other entity of the side has
  double known_words = 0;  ///< share of the words in names, repetitions counted, that have a word vector
};

struct NameVectors {
  std::array<SideNameVectors, 2> sides;  ///< by Side
  std::size_t term_count = 0;

  [[nodiscard]] const SideNameVectors& side(Side side) const { return sides[static_cast<std::size_t>(side)]; }
  [[nodiscard]] bool has_means() const { return sides[0].means.columns() > 0; }
};

/// `read` reads the word vectors, if the options name files of them. Frequencies are counted over the names
/// of both graphs. Throws ParameterError where weights are no weights or the word vectors of the two sides do
/// not fit together; InputError and SystemError for files.
[[nodiscard]] NameVectors make_name_vectors(const GraphPair& pair, const NameOptions& options,
                                            const WordVectorReader& read, ThreadPool& pool,
                                            Observer& observer);

}  // namespace dovetail
