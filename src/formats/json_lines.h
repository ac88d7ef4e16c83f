#pragma once

#include <dovetail/graph_builder.h>
#include <dovetail/io.h>
#include <dovetail/observer.h>

#include <filesystem>

namespace dovetail {

/// Reads a file with one JSON object a line, an entity each: its keys are attributes, those of objects within
/// it joined by dots (address.city); a list has several values. The id is in the column that the options
/// name, or in `id`, `_id` or `@id`; else it is the row's number. Relations and classes as in tables.
void read_json_lines(const std::filesystem::path& path, const LoadOptions& options, Side side,
                     GraphBuilder& builder, Observer& observer);

}  // namespace dovetail
