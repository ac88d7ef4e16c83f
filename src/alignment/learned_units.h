#pragma once

#include <dovetail/align.h>

#include "signals/list.h"

namespace dovetail {

/// Sets the units in which the signals' scores are combined by a fit on a fifth of the seeds, held out of a
/// small training of its own. Returns false, and changes nothing, if there are too few.
[[nodiscard]] bool learn_units(const GraphPair& pair, const SeedLinks& links, const Pools& pools,
                               const SignalSources& sources, AlignOptions& options, Observer& observer);

}  // namespace dovetail
