#pragma once

#include <dovetail/graph.h>

#include <cstdint>
#include <span>
#include <string_view>

namespace dovetail {

/// The attributes that name a graph's entities, the best first: numbers in KnowledgeGraph::attributes().
[[nodiscard]] std::span<const std::uint32_t> name_attributes(const KnowledgeGraph& graph);

/// What makes IRIs of identifiers that are ids of a table's rows, of which another table may have the same;
/// empty where identifiers mean the same everywhere.
[[nodiscard]] std::string_view iri_prefix(const KnowledgeGraph& graph);

}  // namespace dovetail
