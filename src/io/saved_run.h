#pragma once

#include <dovetail/run.h>

#include <filesystem>

namespace dovetail {

/// The options that a run.json says its run had.
[[nodiscard]] AlignOptions read_run_options(const std::filesystem::path& path);

/// A link of the run in the ids of its graphs. Throws InputError where they do not have such entities.
[[nodiscard]] Link find_link(const SavedRun& run, const GraphPair& graphs, const SavedLink& link);

}  // namespace dovetail
