#include "literal/term_weights.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>

#include "common/random.h"
#include "common/utf8.h"
#include "graph/string_index.h"

namespace dovetail {

namespace {

template <typename Body>
void for_each_word(std::string_view name, const Body& body) {
  while (!name.empty()) {
    const std::size_t end = std::min(name.find(' '), name.size());
    body(name.substr(0, end));
    name.remove_prefix(std::min(end + 1, name.size()));
  }
}

/// Three characters of 21 bits each fit into a number, so that no two grams are taken for one; pairs have no
/// character in front.
constexpr std::uint64_t gram(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  return a << 42 | b << 21 | c;
}

struct Mixed {
  std::size_t operator()(std::uint64_t key) const { return mix64(key); }
};

/// (term, how often) of one name, ascending.
void count_terms(const TermLists& lists, std::size_t name,
                 std::vector<std::pair<std::uint32_t, std::uint32_t>>& counts) {
  std::vector<std::uint32_t> terms(lists[name].begin(), lists[name].end());
  std::ranges::sort(terms);
  counts.clear();
  for (const std::uint32_t term : terms) {
    if (counts.empty() || counts.back().first != term) counts.emplace_back(term, 0);
    ++counts.back().second;
  }
}

}  // namespace

Terms character_grams(const NameTables& names) {
  Terms terms;
  std::unordered_map<std::uint64_t, std::uint32_t, Mixed> numbers;
  std::vector<std::uint32_t> characters;
  for (std::size_t side = 0; side < 2; ++side) {
    TermLists& lists = terms.sides[side];
    const auto add = [&](std::uint64_t key) {
      lists.push_back(numbers.try_emplace(key, static_cast<std::uint32_t>(numbers.size())).first->second);
    };
    for (std::size_t name = 0; name < names[side].size(); ++name) {
      if (!names[side][name].empty()) {
        characters.assign(1, '^');
        for_each_character(names[side][name],
                           [&](std::uint32_t character) { characters.push_back(character); });
        characters.push_back('$');
        for (std::size_t i = 1; i < characters.size(); ++i) {
          add(gram(0, characters[i - 1], characters[i]));
          if (i > 1) add(gram(characters[i - 2], characters[i - 1], characters[i]));
        }
      }
      lists.end_row();
    }
  }
  terms.count = numbers.size();
  return terms;
}

Terms whole_words(const NameTables& names, StringTable& words) {
  Terms terms;
  StringIndex index(words);
  for (std::size_t side = 0; side < 2; ++side) {
    for (std::size_t name = 0; name < names[side].size(); ++name) {
      for_each_word(names[side][name], [&](std::string_view word) {
        terms.sides[side].push_back(index.find_or_append(words, word));
      });
      terms.sides[side].end_row();
    }
  }
  terms.count = words.size();
  return terms;
}

std::vector<double> inverse_frequencies(const Terms& terms) {
  std::vector<std::uint32_t> names_with(terms.count, 0);
  std::size_t names = 0;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> counts;
  for (const TermLists& lists : terms.sides) {
    for (std::size_t name = 0; name < lists.rows(); ++name) {
      count_terms(lists, name, counts);
      names += counts.empty() ? 0 : 1;
      for (const auto& [term, count] : counts) ++names_with[term];
    }
  }
  std::vector<double> frequencies(terms.count);
  for (std::size_t t = 0; t < terms.count; ++t) {
    frequencies[t] = std::log(static_cast<double>(names + 1) / names_with[t]);
  }
  return frequencies;
}

TermRows weighted_rows(const TermLists& lists, const std::vector<double>& frequencies, double length) {
  TermRows rows;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> counts;
  for (std::size_t name = 0; name < lists.rows(); ++name) {
    count_terms(lists, name, counts);
    double square = 0;
    for (const auto& [term, count] : counts) {
      const double weight = count * frequencies[term];
      square += weight * weight;
    }
    for (const auto& [term, count] : counts) {
      rows.push_back({term, static_cast<float>(length * count * frequencies[term] / std::sqrt(square))});
    }
    rows.end_row();
  }
  return rows;
}

TermRows joined(const TermRows& a, const TermRows& b, std::size_t first) {
  TermRows rows;
  rows.reserve(a.size() + b.size());
  for (std::size_t i = 0; i < a.rows(); ++i) {
    for (const WeightedTerm& term : a[i]) rows.push_back(term);
    for (const auto& [term, weight] : b[i]) {
      rows.push_back({term + static_cast<std::uint32_t>(first), weight});
    }
    rows.end_row();
  }
  return rows;
}

}  // namespace dovetail
