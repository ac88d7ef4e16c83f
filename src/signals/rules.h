#pragma once

#include <cstdint>
#include <memory>

#include "signals/signal.h"

namespace dovetail {

/// Evidence from neighbours: what is believed of pairs speaks for the pairs around them.
[[nodiscard]] std::unique_ptr<SignalSource> rule_source(const SignalContext& context);

/// Whether a run with these options, their mode settled, uses rules.
[[nodiscard]] bool uses_rules(const AlignOptions& options);

/// Reasons by rules, from what was decided; by their default options where the run does not use rules.
[[nodiscard]] std::unique_ptr<ReasonGiver> rule_reasons(const GraphPair& pair, const AlignOptions& options,
                                                        const Beliefs& decided, ThreadPool& pool);

/// Memory that rules are planned to take for one entity.
inline constexpr std::uint64_t kRuleBytes = 2200;

}  // namespace dovetail
