// What GraphBuilder finds out about the attributes that name entities.
#include <algorithm>
#include <utility>

#include "graph/builder_state.h"
#include "graph/literal.h"
#include "graph/name_predicates.h"

namespace dovetail {

namespace {

/// A name is a short text, hardly two entities share one, and an entity rarely has two.
constexpr double kTextual = 0.8, kDistinct = 0.5, kPerEntity = 1.5;
constexpr std::size_t kLongestName = 100;  // bytes, on average
/// Of attributes that tell nearly as many entities apart as the best, the first one is taken.
constexpr double kNearlyAsMany = 0.9;
/// An attribute names what others leave without a name: at least this share of its entities, and of all.
constexpr double kUnnamed = 0.8, kWorthIt = 0.05;
constexpr std::size_t kMostAttributes = 4;

struct AttributeUse {
  std::uint64_t values = 0, entities = 0, distinct = 0, textual = 0, bytes = 0;

  [[nodiscard]] bool names() const {
    const auto count = static_cast<double>(values), different = static_cast<double>(distinct);
    return values > 0 && static_cast<double>(textual) >= kTextual * different &&
           different >= kDistinct * count && count <= kPerEntity * static_cast<double>(entities) &&
           bytes <= kLongestName * distinct;
  }
};

/// The text of a literal, escapes left as they are.
std::string_view inner_text(std::string_view literal) {
  const std::size_t close = literal.rfind('"');
  return close == literal.npos || close == 0 ? std::string_view{} : literal.substr(1, close - 1);
}

/// Mostly letters, and no datatype that says otherwise.
bool is_textual(std::string_view literal) {
  if (literal.ends_with('>') && !literal.ends_with("#string>")) return false;
  std::size_t letters = 0, others = 0;
  for (const char c : inner_text(literal).substr(0, 4 * kLongestName)) {
    const bool letter =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
    letters += letter ? 1 : 0;
    others += letter || c == ' ' ? 0 : 1;
  }
  return letters > others;
}

std::vector<AttributeUse> uses_of(const GraphParts& parts) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> values, entities;  // each with its attribute
  for (const LiteralTriple& literal : parts.literals) {
    values.emplace_back(literal.attribute, literal.value);
    entities.emplace_back(literal.attribute, literal.subject);
  }
  std::vector<AttributeUse> uses(parts.attributes.size());
  for (const auto& [attribute, value] : values) ++uses[attribute].values;
  for (auto* list : {&values, &entities}) {
    std::ranges::sort(*list);
    list->erase(std::unique(list->begin(), list->end()), list->end());
  }
  for (const auto& [attribute, entity] : entities) ++uses[attribute].entities;
  for (const auto& [attribute, value] : values) {
    const std::string_view literal = parts.literal_values[value];
    AttributeUse& use = uses[attribute];
    ++use.distinct;
    use.textual += is_textual(literal) ? 1 : 0;
    use.bytes += inner_text(literal).size();
  }
  return uses;
}

}  // namespace

std::optional<std::uint8_t> GraphBuilder::preference_of(std::string_view attribute) const {
  for (const auto* list : {&state_->name_properties, &state_->known_names}) {
    const auto found = std::ranges::find(*list, attribute);
    if (found != list->end()) return static_cast<std::uint8_t>(found - list->begin());
  }
  const auto usual = name_preference(attribute);
  if (!usual) return std::nullopt;
  return static_cast<std::uint8_t>(
      std::min<std::size_t>(UINT8_MAX - 1, state_->name_properties.size() + *usual));
}

void GraphBuilder::know_name_attributes() {
  for (const std::uint32_t attribute : state_->parts.name_attributes) {
    if (!name_preference(state_->parts.attributes[attribute]))
      state_->known_names.emplace_back(state_->parts.attributes[attribute]);
  }
}

std::vector<std::string> GraphBuilder::find_names() {
  if (!state_->parts.label_of.empty() || state_->parts.literals.empty()) return {};
  const std::vector<AttributeUse> uses = uses_of(state_->parts);
  std::vector<bool> named(state_->parts.entities.size(), false);
  std::vector<std::string> chosen;
  while (chosen.size() < kMostAttributes) {
    // How many entities without a name each attribute would give one.
    std::vector<std::uint64_t> fresh(uses.size(), 0);
    for (const LiteralTriple& literal : state_->parts.literals) {
      if (!named[literal.subject]) ++fresh[literal.attribute];
    }
    std::uint64_t most = 0;
    const auto fits = [&](std::size_t a) {
      return uses[a].names() &&
             static_cast<double>(fresh[a]) >= kUnnamed * static_cast<double>(uses[a].values) &&
             static_cast<double>(fresh[a]) >= kWorthIt * static_cast<double>(named.size());
    };
    for (std::size_t a = 0; a < uses.size(); ++a) {
      if (fits(a)) most = std::max(most, uses[a].distinct);
    }
    if (most == 0) break;
    std::uint32_t best = 0;
    while (!fits(best) ||
           static_cast<double>(uses[best].distinct) < kNearlyAsMany * static_cast<double>(most)) {
      ++best;
    }
    for (const LiteralTriple& literal : state_->parts.literals) {
      if (literal.attribute != best) continue;
      named[literal.subject] = true;
      label(literal.subject, split_literal(state_->parts.literal_values[literal.value]).text,
            static_cast<std::uint8_t>(chosen.size()));
    }
    chosen.emplace_back(state_->parts.attributes[best]);
    state_->parts.name_attributes.push_back(best);
  }
  return chosen;
}

void GraphBuilder::list_name_attributes() {
  std::vector<std::pair<std::uint8_t, std::uint32_t>> found;
  for (std::uint32_t a = 0; a < state_->parts.attributes.size(); ++a) {
    if (const auto preference = preference_of(state_->parts.attributes[a]))
      found.emplace_back(*preference, a);
  }
  if (found.empty()) return;  // perhaps those that find_names() chose
  std::ranges::sort(found);
  state_->parts.name_attributes.clear();
  for (const auto& [preference, attribute] : found) state_->parts.name_attributes.push_back(attribute);
}

}  // namespace dovetail
