#pragma once

#include <dovetail/graph.h>
#include <dovetail/observer.h>

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "graph/word_vectors.h"

namespace dovetail {

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
