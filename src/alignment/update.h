#pragma once

#include <dovetail/run.h>

#include "alignment/strategy.h"

namespace dovetail {

/// As the options' mode and strategy say, but from what an earlier run had learned and found.
[[nodiscard]] Trained train_further(Workbench& bench, const Task& task, const Run& earlier,
                                    Observer& observer, Progress& progress);

}  // namespace dovetail
