#include "values/value_table.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <unordered_set>

#include "graph/literal.h"
#include "values/text_terms.h"

namespace dovetail {

namespace {

/// An attribute is of a kind when at least this share of its values can be read so. What cannot is compared
/// as text, as all values are.
constexpr double kMostOfThem = 0.8;

auto sort_key(const LiteralTriple& triple) {
  return std::tuple(triple.subject, triple.attribute, triple.value);
}

}  // namespace

ValueTable::ValueTable(const KnowledgeGraph& graph) : graph_(&graph) {
  const std::span<const LiteralTriple> literals = graph.literals();
  std::vector<std::uint32_t> order(literals.size());
  for (std::uint32_t n = 0; n < order.size(); ++n) order[n] = n;
  std::ranges::sort(
      order, [&](std::uint32_t a, std::uint32_t b) { return sort_key(literals[a]) < sort_key(literals[b]); });
  const auto same = [&](std::uint32_t a, std::uint32_t b) {
    return sort_key(literals[a]) == sort_key(literals[b]);
  };
  order.erase(std::unique(order.begin(), order.end(), same), order.end());
  rows_ = CompressedRows<std::uint32_t>::grouped(graph.entity_count(), [&](const auto& body) {
    for (const std::uint32_t n : order) body(literals[n].subject, n);
  });

  const StringTable& texts = graph.literal_values();
  typed_.reserve(texts.size());
  for (std::size_t value = 0; value < texts.size(); ++value) {
    const std::string_view literal = texts[value];
    if (literal.size() > kComparedBytes) {  // too long for anything but text; no need to take it apart
      typed_.emplace_back();
      continue;
    }
    const LiteralParts parts = split_literal(literal);
    typed_.push_back(parse_value(parts.text, parts.datatype));
  }
  summarise();
}

ValueTable::Range ValueTable::of_attribute(EntityId entity, std::uint32_t attribute) const {
  const auto row = rows_[entity];
  const auto attribute_of = [&](std::uint32_t n) { return graph_->literals()[n].attribute; };
  const auto found = std::ranges::equal_range(row, attribute, {}, attribute_of);
  const auto first = static_cast<std::size_t>(found.begin() - row.begin());
  return {first, first + found.size()};
}

void ValueTable::summarise() {
  attributes_.assign(graph_->attributes().size(), {});
  std::vector<std::array<std::uint64_t, 6>> readable(attributes_.size(), {0, 0, 0, 0, 0, 0});
  std::vector<std::pair<std::uint32_t, std::uint32_t>> uses;
  uses.reserve(rows_.items().size());
  for (EntityId entity = 0; entity < entity_count(); ++entity) {
    std::uint32_t last = kNone;
    for (std::size_t n = 0; n < count(entity); ++n) {
      const LiteralTriple& triple = value(entity, n);
      AttributeSummary& summary = attributes_[triple.attribute];
      ++summary.values;
      summary.entities += triple.attribute != last ? 1 : 0;
      last = triple.attribute;
      uses.emplace_back(triple.attribute, triple.value);
      const TypedValue& typed = typed_[triple.value];
      auto& counts = readable[triple.attribute];
      counts[static_cast<std::size_t>(ValueKind::number)] += typed.quantity ? 1 : 0;
      counts[static_cast<std::size_t>(ValueKind::date)] += typed.date ? 1 : 0;
      counts[static_cast<std::size_t>(ValueKind::boolean)] += typed.boolean ? 1 : 0;
      counts[static_cast<std::size_t>(ValueKind::coordinates)] += typed.coordinates ? 1 : 0;
      counts[static_cast<std::size_t>(ValueKind::code)] += typed.code ? 1 : 0;
    }
  }
  std::ranges::sort(uses);
  uses.erase(std::unique(uses.begin(), uses.end()), uses.end());
  for (const auto& [attribute, value] : uses) ++attributes_[attribute].distinct;
  // What fewer texts can be read as comes first: a year is a number as well.
  static constexpr std::array<ValueKind, 5> kOrder = {ValueKind::boolean, ValueKind::coordinates,
                                                      ValueKind::date, ValueKind::number, ValueKind::code};
  for (std::size_t a = 0; a < attributes_.size(); ++a) {
    for (const ValueKind kind : kOrder) {
      const auto many = static_cast<double>(readable[a].at(static_cast<std::size_t>(kind)));
      if (attributes_[a].values == 0 || many < kMostOfThem * static_cast<double>(attributes_[a].values))
        continue;
      attributes_[a].kind = kind;
      break;
    }
  }
}

}  // namespace dovetail
