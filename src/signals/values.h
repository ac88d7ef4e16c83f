#pragma once

#include <dovetail/graph.h>
#include <dovetail/options.h>

#include <memory>

#include "signals/signal.h"

namespace dovetail {

/// Memory that comparing values is planned to take for each entity.
inline constexpr std::uint64_t kValueBytes = 8192;

/// Values of both sides, and what their agreement is worth, learned from all entities without any link.
[[nodiscard]] std::unique_ptr<SignalSource> value_source(const SignalContext& context);

/// Whether both sides have literals other than names for at least half of their entities.
[[nodiscard]] bool values_help(const GraphPair& pair);

/// Throws ParameterError where one side has no literals.
void require_values(const GraphPair& pair);

/// Gives values of both sides as reasons, as weighed in the run; or, where it learned nothing of values, by
/// the links that were decided.
[[nodiscard]] std::unique_ptr<ReasonGiver> value_reasons(const GraphPair& pair, const AlignOptions& options,
                                                         const Beliefs& decided,
                                                         const LearnedBySignals& learned, ThreadPool& pool);

}  // namespace dovetail
