#include "values/value_terms.h"

#include <algorithm>
#include <string>

#include "graph/literal.h"
#include "values/text_terms.h"

namespace dovetail {

namespace {

/// An entity's terms are gathered from its first so many values; whoever has more is described by these.
constexpr std::size_t kDescribingValues = 256;

/// The text of a literal, as much of it as is compared.
std::string compared_text(std::string_view literal) {
  if (literal.size() <= 2 * kComparedBytes) return split_literal(literal).text;
  // A cut must not be within an escape: nobody reads what stands there.
  std::string text;
  const std::string_view beginning = literal.substr(1, 2 * kComparedBytes);
  (void)append_unescaped(text, beginning);
  return text;
}

}  // namespace

ValueTerms::ValueTerms(const ValueTable& left, const ValueTable& right) {
  add_side(Side::left, left);
  add_side(Side::right, right);
  grams_.terms = numbers_.grams.size();
  words_.terms = numbers_.words.size();
  codes_.terms = numbers_.codes.size();
  numbers_ = {};
  add_entities(Side::left, left);
  add_entities(Side::right, right);
  using Counted = std::pair<const TermRows*, const std::vector<std::uint32_t>*>;
  for (TermSpace* const space : {&grams_, &words_, &codes_}) {
    const std::array<Counted, 2> by_value = {
        {{&space->values[0], &occurring_[0]}, {&space->values[1], &occurring_[1]}}};
    const std::array<Counted, 2> by_entity = {
        {{&space->entities[0], nullptr}, {&space->entities[1], nullptr}}};
    const std::vector<float> value_idf = inverse_frequencies(space->terms, by_value);
    const std::vector<float> entity_idf = inverse_frequencies(space->terms, by_entity);
    for (TermRows& rows : space->values) weigh(rows, value_idf);
    for (TermRows& rows : space->entities) weigh(rows, entity_idf);
  }
}

void ValueTerms::add_side(Side side, const ValueTable& table) {
  const auto at = static_cast<std::size_t>(side);
  const StringTable& literals = table.graph().literal_values();
  std::vector<std::uint32_t> terms;
  for (std::size_t value = 0; value < literals.size(); ++value) {
    const std::string text = compared_text(literals[value]);
    const std::string words = normalised_words(text);
    forms_[at].push_back(words.empty() ? kNone : numbers_.forms(hash_text(words)));
    terms.clear();
    for_each_gram(words, [&](std::uint64_t hash) { terms.push_back(numbers_.grams(hash)); });
    append_counts(grams_.values[at], terms);
    terms.clear();
    for_each_word(words, [&](std::uint64_t hash) { terms.push_back(numbers_.words(hash)); });
    append_counts(words_.values[at], terms);
    terms.clear();
    for (const std::uint64_t hash : code_terms(text)) terms.push_back(numbers_.codes(hash));
    append_counts(codes_.values[at], terms);
  }
}

void ValueTerms::add_entities(Side side, const ValueTable& table) {
  const auto at = static_cast<std::size_t>(side);
  occurring_[at].assign(table.value_count(), 0);
  std::vector<std::uint32_t> values, terms;
  for (EntityId entity = 0; entity < table.entity_count(); ++entity) {
    values.clear();
    std::uint64_t last_use = UINT64_MAX;
    for (std::size_t n = 0; n < table.count(entity); ++n) {
      const LiteralTriple& triple = table.value(entity, n);
      ++occurring_[at][triple.value];
      const std::uint32_t form = forms_[at][triple.value];
      if (form == kNone) continue;
      const std::uint64_t use = std::uint64_t{triple.attribute} << 32 | form;
      if (use != last_use) ++uses_[at][use];
      last_use = use;
      if (values.size() < kDescribingValues) values.push_back(triple.value);
    }
    // A text counts once, however many attributes have it: a title is often the label too.
    std::ranges::sort(values, {}, [&](std::uint32_t value) { return std::pair(forms_[at][value], value); });
    const auto same = [&](std::uint32_t a, std::uint32_t b) { return forms_[at][a] == forms_[at][b]; };
    values.erase(std::unique(values.begin(), values.end(), same), values.end());
    for (TermSpace* const space : {&grams_, &words_, &codes_}) {
      terms.clear();
      for (const std::uint32_t value : values) {
        for (const WeightedTerm& term : space->values[at][value]) {
          terms.insert(terms.end(), static_cast<std::size_t>(term.weight), term.term);
        }
      }
      append_counts(space->entities[at], terms);
    }
  }
}

std::uint32_t ValueTerms::uses(Side side, std::uint32_t attribute, std::uint32_t form) const {
  const auto& uses = uses_[static_cast<std::size_t>(side)];
  const auto found = uses.find(std::uint64_t{attribute} << 32 | form);
  return found == uses.end() ? 0 : found->second;
}

}  // namespace dovetail
