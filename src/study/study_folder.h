#pragma once

#include <dovetail/study.h>

#include <filesystem>
#include <vector>

#include "formats/output_folder.h"

namespace dovetail {

/// The folder of a study, which goes on in it, for OutputFolder. `inputs` are the files and folders that the
/// command reads.
[[nodiscard]] FolderTarget study_target(std::vector<std::filesystem::path> inputs);

/// save_study() to a folder that was claimed before the work began.
void write_study(const Study& study, OutputFolder& target);

}  // namespace dovetail
