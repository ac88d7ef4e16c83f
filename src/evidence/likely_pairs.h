#pragma once

#include <dovetail/beliefs.h>
#include <dovetail/links.h>
#include <dovetail/rules.h>

#include <span>

#include "common/threads.h"
#include "pairs/beliefs.h"

namespace dovetail {

/// The probability that at least one of the reasons behind an amount of evidence holds.
[[nodiscard]] float chance_of(float evidence);

/// The pairs of two pools that links, and what follows from them by rules, speak for most. Where a search
/// looks at some pairs only, these are to be among them.
[[nodiscard]] SparseScores likely_pairs(const GraphPair& pair, std::span<const Link> links,
                                        std::span<const EntityId> left, std::span<const EntityId> right,
                                        const RuleOptions& options, const BeliefOptions& limits,
                                        ThreadPool& pool);

}  // namespace dovetail
