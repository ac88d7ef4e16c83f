#pragma once

#include <dovetail/graph.h>

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "common/buffer.h"
#include "graph/string_index.h"

namespace dovetail {

/// What a KnowledgeGraph is made of. Entities have two numbers: the one of the source's order, under which
/// the strings are stored, and the (shuffled) EntityId that everything else uses.
struct GraphParts {
  Buffer<std::uint64_t> offsets;         // entity -> its first edge; entity_count() + 1 of them
  Buffer<Edge> edges;                    // offsets' last of them are in use
  std::vector<std::uint32_t> source_of;  // EntityId -> number in the source; empty: the same
  std::vector<EntityId> entity_of;       // number in the source -> EntityId; empty: the same

  StringTable entities;  // by number in the source
  StringTable relations;
  StringTable labels;
  std::vector<std::uint32_t> label_of;  // by number in the source: number in `labels` or kNone; or empty

  std::uint64_t duplicates = 0;
  std::uint64_t literal_count = 0;
  std::vector<LiteralTriple> literals;
  StringTable attributes;
  StringTable literal_values;

  std::vector<std::uint32_t> name_attributes;  // numbers in `attributes`
  std::string iri_prefix;

  StringTable classes;
  std::vector<std::uint64_t> type_begin;  // by number in the source: its first in `types`; one more; or empty
  std::vector<std::uint32_t> types;       // numbers in `classes`

  StringIndex index;  // over `entities`; made at the first look-up where the builder did not need it
  bool has_index = false;
  std::unique_ptr<std::once_flag> index_made = std::make_unique<std::once_flag>();
};

/// What a graph consists of, for what reads faster from it.
[[nodiscard]] const GraphParts& parts_of(const KnowledgeGraph& graph);

}  // namespace dovetail
