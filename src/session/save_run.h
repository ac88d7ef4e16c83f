#pragma once

#include <dovetail/run.h>

#include "formats/output_folder.h"

namespace dovetail {

/// save_run() to a folder that was claimed before the work began.
void write_run(const Run& run, const LoadedPair& pair, OutputFolder& target, bool report);

}  // namespace dovetail
