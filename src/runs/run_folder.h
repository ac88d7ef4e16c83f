#pragma once

#include <dovetail/run.h>

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "formats/output_folder.h"

namespace dovetail {

/// Every parameter by room and name, as run.json has them.
[[nodiscard]] nlohmann::json configuration_json(const AlignOptions& options);

/// The folder of a run, for OutputFolder. `inputs` are the files and folders that the command reads.
[[nodiscard]] FolderTarget run_target(bool replace, std::vector<std::filesystem::path> inputs);

/// Writes links.tsv, unmatched.tsv where the pools are open, the model and run.json.
void write_results(const Run& run, const LoadedPair& pair, OutputFolder& target);

}  // namespace dovetail
