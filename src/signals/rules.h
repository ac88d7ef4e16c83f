#pragma once

#include <cstdint>
#include <memory>

#include "signals/signal.h"

namespace dovetail {

/// Evidence from neighbours: what is believed of pairs speaks for the pairs around them.
[[nodiscard]] std::unique_ptr<SignalSource> rule_source(const SignalContext& context);

/// Reasons by rules, from what was decided.
[[nodiscard]] std::unique_ptr<ReasonGiver> rule_reasons(const GraphPair& pair, const AlignOptions& options,
                                                        const Beliefs& decided, ThreadPool& pool);

/// Memory that rules are planned to take for one entity.
inline constexpr std::uint64_t kRuleBytes = 2200;

}  // namespace dovetail
