#include "graph/entity_types.h"

#include "graph/graph_parts.h"

namespace dovetail {

std::span<const std::uint32_t> types_of(const KnowledgeGraph& graph, EntityId entity) {
  const GraphParts& parts = parts_of(graph);
  if (parts.type_begin.empty()) return {};
  const std::uint32_t source = parts.source_of.empty() ? entity : parts.source_of[entity];
  const std::uint64_t begin = parts.type_begin[source];
  return std::span(parts.types)
      .subspan(begin, static_cast<std::size_t>(parts.type_begin[source + 1] - begin));
}

const StringTable& classes_of(const KnowledgeGraph& graph) {
  return parts_of(graph).classes;
}

std::uint64_t type_count(const KnowledgeGraph& graph) {
  return parts_of(graph).types.size();
}

}  // namespace dovetail
