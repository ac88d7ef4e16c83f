#pragma once

#include <dovetail/run.h>

#include <nlohmann/json_fwd.hpp>

#include "formats/output_file.h"

namespace dovetail {

/// Every parameter by room and name, as run.json has them.
[[nodiscard]] nlohmann::json configuration_json(const AlignOptions& options);

/// save_run() to a folder that was claimed before the work began.
void write_run(const Run& run, const LoadedPair& pair, OutputFolder& target, bool report);

}  // namespace dovetail
