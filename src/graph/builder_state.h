#pragma once

#include <dovetail/graph_builder.h>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/buffer.h"
#include "graph/graph_parts.h"
#include "graph/string_index.h"

namespace dovetail {

/// What a GraphBuilder has collected.
struct GraphBuilder::State {
  struct Type {
    std::uint32_t entity, type;
    auto operator<=>(const Type&) const = default;
  };

  GraphParts parts;
  StringIndex relation_index;
  StringIndex attribute_index;
  StringIndex class_index;
  StringIndex value_index;  // equal literals are stored once
  std::vector<Type> types;
  std::size_t known = 0;               // entities of a graph that was built before
  std::vector<Buffer<Triple>> chunks;  // pieces that stay: growing never copies or doubles
  std::vector<std::uint8_t> label_preference;
  std::vector<std::string> name_properties;
  std::vector<std::string> known_names;  // attributes that name entities of a graph that was built before
  bool keep_literals = false;

  /// Small for small graphs; then one huge page.
  static constexpr std::size_t kFirstChunk = 1024, kChunk = (std::size_t{2} << 20) / sizeof(Triple);
};

}  // namespace dovetail
