#pragma once

#include <dovetail/graph_builder.h>
#include <dovetail/io.h>
#include <dovetail/observer.h>

#include <filesystem>
#include <string_view>

namespace dovetail {

/// Whether a cell stands for no value: empty, NULL, N/A or -.
[[nodiscard]] bool is_empty_cell(std::string_view cell);

/// Reads a table with a header and one row an entity: columns become attributes, or relations where
/// `options.relation_columns` says so. The id column names the entities and is no attribute.
void read_wide_table(const std::filesystem::path& path, char separator, const WideTableOptions& options,
                     GraphBuilder& builder, Observer& observer);

}  // namespace dovetail
