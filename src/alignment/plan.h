#pragma once

#include <dovetail/plan.h>

#include <optional>

#include "common/threads.h"
#include "signals/list.h"

namespace dovetail {

/// A plan, and what was made to find it.
struct Settled {
  Plan plan;
  SignalSources sources;
  Pools closed, open;  ///< the test links' entities, and all that are in no seed

  [[nodiscard]] const Pools& pools() const {
    return plan.options.deciding.pool == CandidatePool::test ? closed : open;
  }
};

/// settle(); a run that has `begun` by a plan of memory keeps to it, or it would come to another result.
[[nodiscard]] Settled settle(const LoadedPair& pair, const AlignOptions& options,
                             const std::optional<MemoryPlan>& begun, ThreadPool& pool, Observer& observer);

/// Throws InputError or ParameterError where a graph has no entities.
void require_entities(const LoadedPair& pair);

/// Options with what follows from the strategy: how its trainings differ from one on the seeds alone.
[[nodiscard]] AlignOptions with_trainings_settled(AlignOptions options);

/// Trainings that a strategy makes at most.
[[nodiscard]] std::size_t planned_trainings(const AlignOptions& options, bool identified);

}  // namespace dovetail
