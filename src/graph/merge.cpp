#include "graph/merge.h"

#include <fmt/format.h>
#include <numeric>
#include <tuple>

#include "common/percent.h"
#include "graph/naming.h"

namespace dovetail {

namespace {

bool is_blank(std::string_view identifier) {
  return identifier.starts_with("_:");
}

/// Whether the id of a table's row is an IRI already.
bool is_iri(std::string_view identifier) {
  return identifier.starts_with("http://") || identifier.starts_with("https://") ||
         identifier.starts_with("urn:");
}

/// The root of an entity's set; the way there is shortened.
EntityId root_of(std::vector<EntityId>& parent, EntityId entity) {
  while (parent[entity] != entity) entity = parent[entity] = parent[parent[entity]];
  return entity;
}

}  // namespace

std::string sided_name(Side side, std::string_view iri_prefix, std::string_view identifier) {
  if (!iri_prefix.empty()) {
    if (is_iri(identifier)) return std::string(identifier);
    std::string name(iri_prefix);
    append_percent_encoded(name, identifier, "<>\"{}|^`\\%?#");
    return name;
  }
  if (!is_blank(identifier)) return std::string(identifier);
  return fmt::format("_:{}_{}", side == Side::left ? "left" : "right", identifier.substr(2));
}

MergedNames::MergedNames(const GraphPair& pair, std::span<const Link> links, Side keep)
    : pair_(pair), named_after_(pair.entity_count()) {
  std::iota(named_after_.begin(), named_after_.end(), 0U);
  const auto left_count = static_cast<EntityId>(pair.left().entity_count());
  const auto rank = [&](EntityId shared) {
    const Side side = shared < left_count ? Side::left : Side::right;
    const EntityId own = side == Side::left ? shared : shared - left_count;
    return std::tuple(is_blank(pair.graph(side).entity(own)), side != keep, shared);
  };
  for (const Link& link : links) {
    const EntityId left = root_of(named_after_, pair.shared_id(Side::left, link.left));
    const EntityId right = root_of(named_after_, pair.shared_id(Side::right, link.right));
    if (rank(left) < rank(right)) {
      named_after_[right] = left;
    } else {
      named_after_[left] = right;
    }
  }
  for (EntityId entity = 0; entity < named_after_.size(); ++entity) {
    named_after_[entity] = root_of(named_after_, entity);
  }
}

std::string MergedNames::own_name(std::size_t shared) const {
  const std::size_t left_count = pair_.left().entity_count();
  const Side side = shared < left_count ? Side::left : Side::right;
  const auto own = static_cast<EntityId>(side == Side::left ? shared : shared - left_count);
  return sided_name(side, iri_prefix(pair_.graph(side)), pair_.graph(side).entity(own));
}

std::string MergedNames::operator()(Side side, EntityId entity) const {
  return own_name(named_after_[pair_.shared_id(side, entity)]);
}

std::vector<MergedNames::Replaced> MergedNames::replaced() const {
  std::vector<Replaced> result;
  for (std::size_t shared = 0; shared < named_after_.size(); ++shared) {
    if (named_after_[shared] == shared) continue;
    Replaced one = {own_name(named_after_[shared]), own_name(shared)};
    if (one.kept != one.replaced && !is_blank(one.replaced)) result.push_back(std::move(one));
  }
  return result;
}

void MergedGraph::add(const KnowledgeGraph& graph, Side side, const MergedNames& names) {
  std::vector<std::uint32_t> numbers(graph.entity_count());
  for (std::size_t n = 0; n < graph.entity_count(); ++n) {
    const EntityId entity = graph.nth_in_source(n);
    numbers[entity] = builder_.entity(names(side, entity));
    if (!graph.label(entity).empty()) builder_.label(numbers[entity], graph.label(entity));
  }
  // So that labels which literals say are known to be these.
  for (const std::uint32_t attribute : name_attributes(graph)) {
    name_properties_.emplace_back(graph.attributes()[attribute]);
  }
  builder_.set_name_properties(name_properties_);
  std::vector<std::uint32_t> relations(graph.relation_count());
  for (RelationId r = 0; r < relations.size(); ++r) relations[r] = builder_.relation(graph.relation(r));
  for (EntityId entity = 0; entity < graph.entity_count(); ++entity) {
    for (const Edge& edge : graph.edges(entity)) {
      if (edge.relation >= relations.size()) break;  // the inverse ones come last
      builder_.triple(numbers[entity], relations[edge.relation], numbers[edge.neighbour]);
    }
  }
  for (const LiteralTriple& one : graph.literals()) {
    literal(numbers[one.subject], graph.attributes()[one.attribute], graph.literal_values()[one.value]);
  }
}

void MergedGraph::triple(std::string_view head, std::string_view relation, std::string_view tail) {
  const std::uint32_t from = builder_.entity(head);
  builder_.triple(from, builder_.relation(relation), builder_.entity(tail));
}

void MergedGraph::literal(std::string_view subject, std::string_view attribute, std::string_view value) {
  literal(builder_.entity(subject), attribute, value);
}

void MergedGraph::literal(std::uint32_t subject, std::string_view attribute, std::string_view value) {
  const std::size_t known = literals_.size();
  literal_index_.find_or_append(literals_, fmt::format("{} {} {}", subject, attribute, value));
  if (literals_.size() > known) builder_.literal(subject, attribute, value);
}

}  // namespace dovetail
