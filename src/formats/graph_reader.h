#pragma once

#include <dovetail/graph_builder.h>
#include <dovetail/io.h>
#include <dovetail/observer.h>

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "graph/name_predicates.h"

namespace dovetail {

/// Reads a graph file of any format, or a folder of tables, into `builder`.
void read_graph(const std::filesystem::path& path, const LoadOptions& options, Side side,
                GraphBuilder& builder, Observer& observer);

/// Reads a table (tsv, csv) of triples, or one in which a row is an entity.
void read_table(const std::filesystem::path& path, Format format, const LoadOptions& options, Side side,
                GraphBuilder& builder, Observer& observer);

/// Where something was found, for messages.
struct Place {
  std::string_view file;
  std::uint64_t line;
};

/// Adds a literal triple, and the label it may be. `value` in N-Triples syntax.
void add_literal(GraphBuilder& builder, std::uint32_t entity, std::string_view predicate,
                 std::string_view value, const Place& place);

}  // namespace dovetail
