#pragma once

#include <dovetail/graph.h>

#include <cstdint>
#include <span>

namespace dovetail {

// Classes, the objects of rdf:type, are no entities unless a graph was read so
// (LoadOptions::types_as_entities).

/// The classes of an entity: numbers in classes_of(), ascending, each once. Empty where the graph was read
/// with classes as entities.
[[nodiscard]] std::span<const std::uint32_t> types_of(const KnowledgeGraph& graph, EntityId entity);
[[nodiscard]] const StringTable& classes_of(const KnowledgeGraph& graph);
/// Distinct pairs of an entity and a class.
[[nodiscard]] std::uint64_t type_count(const KnowledgeGraph& graph);

}  // namespace dovetail
