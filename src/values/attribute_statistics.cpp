#include <dovetail/statistics.h>

#include <algorithm>
#include <string>
#include <vector>

#include "graph/literal.h"
#include "values/value_table.h"

namespace dovetail {

namespace {

constexpr std::size_t kExamples = 3, kExampleBytes = 60;

/// A value's text, cut short between two characters.
std::string example_of(std::string_view literal) {
  std::string text = split_literal(literal.size() > 1 << 16 ? std::string_view("\"\"") : literal).text;
  if (text.size() <= kExampleBytes) return text;
  std::size_t end = kExampleBytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  text.resize(end);
  return text + "…";
}

}  // namespace

std::vector<AttributeStatistics> attribute_statistics(const KnowledgeGraph& graph) {
  const ValueTable table(graph);
  std::vector<AttributeStatistics> all(table.attribute_count());
  for (std::uint32_t a = 0; a < all.size(); ++a) {
    const AttributeSummary& summary = table.summary(a);
    all[a] = {.name = std::string(table.attribute(a)),
              .type = std::string(kind_name(summary.kind)),
              .values = summary.values,
              .entities = summary.entities,
              .distinct = summary.distinct,
              .examples = {}};
  }
  for (const LiteralTriple& literal : graph.literals()) {  // in the order of the source
    std::vector<std::string>& examples = all[literal.attribute].examples;
    if (examples.size() == kExamples) continue;
    std::string text = example_of(graph.literal_values()[literal.value]);
    if (std::ranges::find(examples, text) == examples.end()) examples.push_back(std::move(text));
  }
  std::ranges::stable_sort(all, [](const AttributeStatistics& a, const AttributeStatistics& b) {
    return a.entities != b.entities ? a.entities > b.entities : a.name < b.name;
  });
  return all;
}

}  // namespace dovetail
