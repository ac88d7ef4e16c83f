#include "literal/name_vectors.h"

#include <dovetail/errors.h>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "literal/name_text.h"
#include "literal/term_weights.h"

namespace dovetail {

namespace {

constexpr std::size_t kNamesGrain = 4096;

void check(const NameOptions& options) {
  const NameWeights& weights = options.weights;
  for (const auto& [weight, what] : {std::pair(weights.characters, "characters"),
                                     {weights.words, "words"},
                                     {weights.vectors, "word vectors"}}) {
    if (std::isfinite(weight) && weight >= 0) continue;
    throw ParameterError(fmt::format("the weight of {} in names is {}; it must be at least 0", what, weight));
  }
}

std::size_t unique_names(const StringTable& names) {
  std::unordered_map<std::string_view, std::size_t> counts;
  for (std::size_t e = 0; e < names.size(); ++e) {
    if (!names[e].empty()) ++counts[names[e]];
  }
  return static_cast<std::size_t>(
      std::ranges::count(counts, 1U, [](const auto& name) { return name.second; }));
}

/// What `normalise(normaliser, given text)` makes of the names of one side.
template <typename Normalise>
StringTable normalised_names(const KnowledgeGraph& graph, const NameOptions& options, ThreadPool& pool,
                             const Normalise& normalise) {
  std::vector<std::string> names(graph.entity_count());
  const std::vector<std::uint8_t> codes = options.source == NameSource::identifiers
                                              ? std::vector<std::uint8_t>(names.size(), 0)
                                              : code_identifiers(graph, options.source);
  pool.for_ranges(names.size(), kNamesGrain, [&](std::size_t begin, std::size_t end) {
    NameNormaliser normaliser(options.transliterate);
    for (std::size_t e = begin; e < end; ++e) {
      const GivenText given = name_text(graph, static_cast<EntityId>(e), options.source);
      if (!given.of_identifier || codes[e] == 0) names[e] = normalise(normaliser, given);
    }
  });
  StringTable table;
  for (const std::string& name : names) table.append(name);
  return table;
}

template <typename Normalise>
NameTables both_names(const GraphPair& pair, const NameOptions& options, ThreadPool& pool,
                      const Normalise& normalise) {
  return {normalised_names(pair.left(), options, pool, normalise),
          normalised_names(pair.right(), options, pool, normalise)};
}

/// The vectors of `words` for each side; the second is empty where one file serves both.
std::array<WordVectors, 2> read_both(const NameOptions& options, const StringTable& words,
                                     const WordVectorReader& read, Observer& observer) {
  NameNormaliser normaliser(false);
  const auto simplify = [&](std::string_view word) { return normaliser.words_for_vectors({word, false}); };
  const bool one = options.left_vectors.empty() || options.right_vectors.empty() ||
                   options.left_vectors == options.right_vectors;
  const auto& first = options.left_vectors.empty() ? options.right_vectors : options.left_vectors;
  std::array<WordVectors, 2> both;
  both[0] = read(first, words, simplify, observer);
  if (one) return both;
  both[1] = read(options.right_vectors, words, simplify, observer);
  if (both[0].dimension != both[1].dimension) {
    throw ParameterError(
        fmt::format("the word vectors of {} have {} numbers and those of {} have {}; both must be in one "
                    "space: give two files that were trained or mapped together",
                    first.string(), both[0].dimension, options.right_vectors.string(), both[1].dimension));
  }
  return both;
}

/// The IDF-weighted mean of a name's word vectors, scaled to `length`; zeros where no word has a vector.
void put_mean(std::span<const std::uint32_t> words, const WordVectors& vectors,
              const std::vector<double>& frequencies, double length, Bfloat16* out) {
  std::vector<double> sum(vectors.dimension, 0);
  for (const std::uint32_t word : words) {
    if (vectors.known[word] == 0) continue;
    const float* const row = vectors.vectors.row(word);
    for (std::size_t c = 0; c < sum.size(); ++c) sum[c] += frequencies[word] * static_cast<double>(row[c]);
  }
  double square = 0;
  for (const double value : sum) square += value * value;
  if (square == 0) return;
  for (std::size_t c = 0; c < sum.size(); ++c) {
    out[c] = to_bfloat16(static_cast<float>(length * sum[c] / std::sqrt(square)));
  }
}

void add_means(const GraphPair& pair, const NameOptions& options, const WordVectorReader& read, double length,
               ThreadPool& pool, Observer& observer, NameVectors& result) {
  const NameTables names = both_names(
      pair, options, pool,
      [](NameNormaliser& normaliser, const GivenText& text) { return normaliser.words_for_vectors(text); });
  StringTable words;
  const Terms terms = whole_words(names, words);
  const std::vector<double> frequencies = inverse_frequencies(terms);
  const std::array<WordVectors, 2> files = read_both(options, words, read, observer);
  for (std::size_t s = 0; s < 2; ++s) {
    const WordVectors& vectors = files[files[s].dimension > 0 ? s : 0];
    const TermLists& lists = terms.sides[s];
    SideNameVectors& side = result.sides[s];
    side.means = Matrix<Bfloat16>(lists.rows(), padded(vectors.dimension));
    pool.for_ranges(lists.rows(), kNamesGrain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t e = begin; e < end; ++e) {
        put_mean(lists[e], vectors, frequencies, length, side.means.row(e));
      }
    });
    std::size_t known = 0;
    for (const std::uint32_t word : lists.items()) known += vectors.known[word];
    if (lists.items().empty()) continue;
    side.known_words = static_cast<double>(known) / static_cast<double>(lists.size());
    if (known == 0) {
      observer.warning(
          fmt::format("the word vectors know no word of the {} graph's names; are they of "
                      "another language?",
                      s == 0 ? "left" : "right"));
    }
  }
}

}  // namespace

NameVectors make_name_vectors(const GraphPair& pair, const NameOptions& options, const WordVectorReader& read,
                              ThreadPool& pool, Observer& observer) {
  check(options);
  const bool has_files = !options.left_vectors.empty() || !options.right_vectors.empty();
  if (has_files && !read) throw Error("files of word vectors are given, and nothing that reads them");
  const NameWeights& weights = options.weights;
  const double sum = weights.characters + weights.words + (has_files ? weights.vectors : 0);
  if (sum == 0) {
    throw ParameterError(
        "all ways of comparing names have weight 0; at least one must count, and word vectors "
        "do only where a file of them is given");
  }
  const NameTables names =
      both_names(pair, options, pool,
                 [](NameNormaliser& normaliser, const GivenText& text) { return normaliser.words(text); });
  NameVectors result;
  for (std::size_t s = 0; s < 2; ++s) {
    SideNameVectors& side = result.sides[s];
    side.terms = TermRows(names[s].size());
    for (std::size_t e = 0; e < names[s].size(); ++e) side.has_name.push_back(names[s][e].empty() ? 0 : 1);
    side.named = static_cast<std::size_t>(std::ranges::count(side.has_name, 1));
    side.unique = unique_names(names[s]);
  }
  const auto add = [&](const Terms& terms, double weight) {
    const std::vector<double> frequencies = inverse_frequencies(terms);
    for (std::size_t s = 0; s < 2; ++s) {
      TermRows& rows = result.sides[s].terms;
      rows = joined(rows, weighted_rows(terms.sides[s], frequencies, std::sqrt(weight / sum)),
                    result.term_count);
    }
    result.term_count += terms.count;
  };
  if (weights.characters > 0) add(character_grams(names), weights.characters);
  StringTable words;
  if (weights.words > 0) add(whole_words(names, words), weights.words);
  if (has_files && weights.vectors > 0) {
    add_means(pair, options, read, std::sqrt(weights.vectors / sum), pool, observer, result);
  }
  return result;
}

}  // namespace dovetail
