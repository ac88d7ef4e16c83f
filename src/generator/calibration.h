#pragma once

#include <dovetail/generate.h>

#include <cstdint>

#include "generator/hidden.h"
#include "generator/placement.h"

namespace dovetail {

/// How many of a side's triples are to join entities at random.
[[nodiscard]] std::uint64_t noise_count(const GenerateOptions& options, Side side);

/// Makes the hidden graph so large that both sides get about the triples that `options`, resolved, ask for.
/// What a side gets of it depends on which hubs it has and on how many entities would be left without a
/// triple, so it is counted: over a sample of the entities, or over all where the graph is small or sparse.
void calibrate(HiddenGraph& hidden, const Placement& placement, const GenerateOptions& options);

}  // namespace dovetail
