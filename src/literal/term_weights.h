#pragma once

#include <dovetail/graph.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "common/term_rows.h"

namespace dovetail {

/// The terms (character grams, words) that occur in each of a list of names, repetitions included.
using TermLists = CompressedRows<std::uint32_t>;

/// The terms of both sides' names, in one numbering.
struct Terms {
  std::array<TermLists, 2> sides;  ///< by Side
  std::size_t count = 0;           ///< different terms
};

/// The names of both sides: normalised words with single spaces, by entity.
using NameTables = std::array<StringTable, 2>;

/// Pairs and triples of characters of ^first second$. A name is taken as a whole: grams across the space tell
/// which words stand side by side, and find more than words each by themselves do.
[[nodiscard]] Terms character_grams(const NameTables& names);
/// Whole words; `words` gets the word of each number.
[[nodiscard]] Terms whole_words(const NameTables& names, StringTable& words);

/// ln((N + 1) / df) of each term: N names that are not empty, df of them with the term. The 1 is for pairs of
/// very few names, where a term of all of them would otherwise count nothing and no two names be alike.
[[nodiscard]] std::vector<double> inverse_frequencies(const Terms& terms);

/// tf * idf, each row scaled to the length `length`.
[[nodiscard]] TermRows weighted_rows(const TermLists& lists, const std::vector<double>& frequencies,
                                     double length);

/// The rows of `a` with those of `b` behind them; the terms of `b` count from `first`.
[[nodiscard]] TermRows joined(const TermRows& a, const TermRows& b, std::size_t first);

}  // namespace dovetail
