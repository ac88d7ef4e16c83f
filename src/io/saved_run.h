#pragma once

#include <dovetail/align.h>

#include <filesystem>

namespace dovetail {

/// The options that a run.json says its run had.
[[nodiscard]] AlignOptions read_run_options(const std::filesystem::path& path);

}  // namespace dovetail
