#include <dovetail/graph.h>

#include <utility>

#include "graph/graph_parts.h"

namespace dovetail {

const GraphParts& parts_of(const KnowledgeGraph& graph) {
  return *graph.parts_;
}

KnowledgeGraph::KnowledgeGraph(GraphParts parts) : parts_(std::make_unique<GraphParts>(std::move(parts))) {}
KnowledgeGraph::KnowledgeGraph(KnowledgeGraph&&) noexcept = default;
KnowledgeGraph& KnowledgeGraph::operator=(KnowledgeGraph&&) noexcept = default;
KnowledgeGraph::~KnowledgeGraph() = default;

std::size_t KnowledgeGraph::entity_count() const {
  return parts_->entities.size();
}
std::size_t KnowledgeGraph::relation_count() const {
  return parts_->relations.size();
}
std::uint64_t KnowledgeGraph::triple_count() const {
  return parts_->offsets[entity_count()] / 2;
}
std::uint64_t KnowledgeGraph::duplicate_count() const {
  return parts_->duplicates;
}
std::uint64_t KnowledgeGraph::literal_count() const {
  return parts_->literal_count;
}

std::span<const Edge> KnowledgeGraph::edges(EntityId entity) const {
  const std::uint64_t begin = parts_->offsets[entity];
  return {parts_->edges.data() + begin, static_cast<std::size_t>(parts_->offsets[entity + 1] - begin)};
}

namespace {

std::uint32_t source_number(const GraphParts& parts, EntityId entity) {
  return parts.source_of.empty() ? entity : parts.source_of[entity];
}

}  // namespace

std::string_view KnowledgeGraph::entity(EntityId entity) const {
  return parts_->entities[source_number(*parts_, entity)];
}

std::string_view KnowledgeGraph::relation(RelationId relation) const {
  return parts_->relations[relation];
}

std::string_view KnowledgeGraph::label(EntityId entity) const {
  if (parts_->label_of.empty()) return {};
  const std::uint32_t label = parts_->label_of[source_number(*parts_, entity)];
  return label == kNone ? std::string_view{} : parts_->labels[label];
}

std::string_view KnowledgeGraph::name(EntityId entity) const {
  const std::string_view given = label(entity);
  return given.empty() ? last_part(this->entity(entity)) : given;
}

std::size_t KnowledgeGraph::label_count() const {
  std::size_t count = 0;
  for (const std::uint32_t label : parts_->label_of) count += label != kNone ? 1 : 0;
  return count;
}

std::optional<EntityId> KnowledgeGraph::find(std::string_view identifier) const {
  std::call_once(*parts_->index_made, [this] {
    if (!parts_->has_index) parts_->index = StringIndex(parts_->entities);
    parts_->has_index = true;
  });
  const std::uint32_t number = parts_->index.find(parts_->entities, identifier);
  if (number == kNone) return std::nullopt;
  return nth_in_source(number);
}

EntityId KnowledgeGraph::nth_in_source(std::size_t n) const {
  return parts_->entity_of.empty() ? static_cast<EntityId>(n) : parts_->entity_of[n];
}

std::span<const LiteralTriple> KnowledgeGraph::literals() const {
  return parts_->literals;
}
const StringTable& KnowledgeGraph::attributes() const {
  return parts_->attributes;
}
const StringTable& KnowledgeGraph::literal_values() const {
  return parts_->literal_values;
}

std::size_t KnowledgeGraph::edge_memory_bytes() const {
  return parts_->offsets.size() * sizeof(std::uint64_t) + parts_->edges.size() * sizeof(Edge) +
         (parts_->source_of.capacity() + parts_->entity_of.capacity()) * sizeof(std::uint32_t);
}

std::size_t KnowledgeGraph::string_memory_bytes() const {
  return parts_->entities.memory_bytes() + parts_->relations.memory_bytes() + parts_->labels.memory_bytes() +
         parts_->label_of.capacity() * sizeof(std::uint32_t) + parts_->attributes.memory_bytes() +
         parts_->literal_values.memory_bytes() + parts_->index.memory_bytes() +
         parts_->classes.memory_bytes() + parts_->type_begin.capacity() * sizeof(std::uint64_t) +
         parts_->types.capacity() * sizeof(std::uint32_t);
}

std::string_view last_part(std::string_view identifier) {
  while (!identifier.empty() && (identifier.back() == '/' || identifier.back() == '#')) {
    identifier.remove_suffix(1);
  }
  std::size_t cut = identifier.find_last_of("/#");
  if (cut == std::string_view::npos && identifier.starts_with("urn:")) cut = identifier.rfind(':');
  return cut == std::string_view::npos ? identifier : identifier.substr(cut + 1);
}

GraphPair::GraphPair(KnowledgeGraph left, KnowledgeGraph right)
    : left_(std::move(left)), right_(std::move(right)) {
  StringTable relations;
  StringIndex index;
  for (RelationId r = 0; r < left_.relation_count(); ++r) index.find_or_append(relations, left_.relation(r));
  // Relation names are unique within a graph, so the left ones keep their numbers.
  right_relations_.reserve(right_.relation_count());
  for (RelationId r = 0; r < right_.relation_count(); ++r) {
    right_relations_.push_back(index.find_or_append(relations, right_.relation(r)));
  }
  relation_count_ = relations.size();
}

RelationId GraphPair::shared_relation(Side side, RelationId relation) const {
  const std::size_t own_count = graph(side).relation_count();
  const bool inverse = relation >= own_count;
  const auto base = static_cast<RelationId>(inverse ? relation - own_count : relation);
  const RelationId shared = side == Side::left ? base : right_relations_[base];
  return static_cast<RelationId>(inverse ? shared + relation_count_ : shared);
}

}  // namespace dovetail
