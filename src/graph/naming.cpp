#include "graph/naming.h"

#include "graph/graph_parts.h"

namespace dovetail {

std::span<const std::uint32_t> name_attributes(const KnowledgeGraph& graph) {
  return parts_of(graph).name_attributes;
}

std::string_view iri_prefix(const KnowledgeGraph& graph) {
  return parts_of(graph).iri_prefix;
}

}  // namespace dovetail
