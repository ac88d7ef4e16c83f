#pragma once

#include <dovetail/graph_builder.h>
#include <dovetail/io.h>
#include <dovetail/observer.h>

#include <array>
#include <filesystem>
#include <string_view>

namespace dovetail {

/// Whether a cell stands for no value: empty, NULL, N/A or -.
[[nodiscard]] bool is_empty_cell(std::string_view cell);

/// Whether a file is to be read as a table with one row an entity, by its content or as the options say; says
/// so where its content leaves a doubt.
[[nodiscard]] bool is_wide_table(const std::filesystem::path& path, Format format, const LoadOptions& options,
                                 Observer& observer);

/// Reads a table with a header and one row an entity, and the tables that its columns refer to: columns
/// become attributes, or relations where `options.wide_table.relation_columns` says so. The id column names
/// the entities and is no attribute; a column `type` has their classes, and is an attribute as well. Entities
/// of tables that are referred to go by the table's name and their id: people/7.
void read_wide_table(const std::filesystem::path& path, const LoadOptions& options, Side side,
                     GraphBuilder& builder, Observer& observer);

/// Reads all tables of a folder. Where it has several, entities go by their table's name and their id, and
/// are of a class of that name.
void read_table_folder(const std::filesystem::path& folder, const LoadOptions& options, Side side,
                       GraphBuilder& builder, Observer& observer);

/// Says that the builder's identifiers are ids of a table's rows, as the options or the file's name call it.
void set_iri_prefix(const std::filesystem::path& path, const LoadOptions& options, Side side,
                    GraphBuilder& builder);

/// Throws ParameterError where an option for tables had no effect on the graphs, of which one may be null.
void check_table_options(const LoadOptions& options, const std::array<const KnowledgeGraph*, 2>& graphs);

}  // namespace dovetail
