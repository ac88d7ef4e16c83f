#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "signals/signal.h"

namespace dovetail {

/// Embeddings: how alike the features of two entities are, which are learned from the graphs around them.
[[nodiscard]] std::unique_ptr<SignalSource> structure_source(const SignalContext& context);

/// Candidates that a search of pools of these sizes is to find for each entity, where it does not compare all
/// pairs. In basic mode as many as CSLS takes the mean of: more would be far ones that have little near them,
/// which CSLS favours, and would stand before pairs that follow by rules. Otherwise twice as many as asked
/// for, unless the pools are large: Sinkhorn and rules make the more of them, and codes miss some.
[[nodiscard]] std::size_t settled_candidates(const AlignOptions& options, std::size_t left_pool,
                                             std::size_t right_pool);

}  // namespace dovetail
