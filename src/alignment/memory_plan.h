#pragma once

#include <dovetail/io.h>
#include <dovetail/options.h>
#include <dovetail/plan.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace dovetail {

/// What memory depends on besides the options.
struct RunSize {
  std::size_t left_entities = 0, right_entities = 0;
  std::size_t edges = 0;  ///< both directions of every triple
  std::size_t seeds = 0;
  std::size_t left_pool = 0, right_pool = 0;
  std::uint64_t graph_bytes = 0;  ///< of the graphs as they are loaded, names included
};
[[nodiscard]] RunSize run_size(const LoadedPair& pair, const Pools& pools, const AlignOptions& options);

/// The best plan that fits: as the options have it, then with sampled steps, vectors in files, smaller
/// batches and fewer candidates; with a smaller dimension only where that is automatic. Throws SystemError
/// with what would do if none does; `budget_name` is for its message. There is no choice where a run has
/// `begun` by a plan, or it would come to another result.
[[nodiscard]] MemoryPlan plan_memory(const RunSize& size, const AlignOptions& options, std::uint64_t budget,
                                     std::string_view budget_name,
                                     const std::optional<MemoryPlan>& begun = std::nullopt);

/// What a run takes at most if it goes this way.
[[nodiscard]] std::uint64_t planned_bytes(const RunSize& size, const AlignOptions& options,
                                          const MemoryPlan& plan);

/// Whether features of so many entities are few enough to be computed all at once without a thought.
[[nodiscard]] bool features_are_small(const EncoderOptions& encoder, std::size_t entities);

/// The sampling that `automatic` means for this many entities where memory is no question.
[[nodiscard]] Sampling settled_sampling(const AlignOptions& options, std::size_t entities);

/// Pairs in a step where memory is no question: in basic mode so many that an epoch has no more batches than
/// it may. More steps than that would not learn more: each disturbs what those before have found.
[[nodiscard]] std::size_t settled_batch(const AlignOptions& options, std::size_t seeds);

}  // namespace dovetail
