#pragma once

#include <memory>

#include "signals/signal.h"

namespace dovetail {

/// How alike the names of two entities are.
[[nodiscard]] std::unique_ptr<SignalSource> name_source(const SignalContext& context);

/// Whether names tell which entities belong together: both sides have them, and the seeds' are alike.
/// `names` is a source of names.
[[nodiscard]] bool names_help(const GraphPair& pair, const SeedLinks& links, const SignalSource& names);

/// Throws ParameterError if one of the two graphs has no names, or without `seeds` none that tell entities
/// apart.
void require_names(const SignalSource& names, bool seeds);

/// Memory that the names of one entity are planned to take.
inline constexpr std::uint64_t kNameBytes = 2400;

}  // namespace dovetail
