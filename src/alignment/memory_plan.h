#pragma once

#include <dovetail/align.h>
#include <dovetail/io.h>

#include <cstddef>
#include <cstdint>
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

/// How a run keeps to an amount of memory.
struct MemoryPlan {
  std::size_t dimension = 0;
  Sampling sampling = Sampling::none;
  bool vectors_in_files = false;
  std::size_t candidates = 0;
  std::uint64_t bytes =
      0;  ///< that it takes at most, by the model that docs/large-graphs.md compares with runs
};

/// The best plan that fits: as the options have it, then with sampled steps, vectors in files and fewer
/// candidates; with a smaller dimension only where that is automatic. Throws SystemError with what would do
/// if none does; `budget_name` is for its message.
[[nodiscard]] MemoryPlan plan_memory(const RunSize& size, const AlignOptions& options, std::uint64_t budget,
                                     std::string_view budget_name);

/// What a run takes at most if it goes this way.
[[nodiscard]] std::uint64_t planned_bytes(const RunSize& size, const AlignOptions& options,
                                          const MemoryPlan& plan);

/// The sampling that `automatic` means for this many entities where memory is no question.
[[nodiscard]] Sampling settled_sampling(const AlignOptions& options, std::size_t entities);

/// Candidates that a search of pools of these sizes is to find for each entity. In basic mode, where it does
/// not compare all pairs, as many as CSLS takes the mean of: more would be far ones that have little near
/// them, which CSLS favours, and would stand before pairs that follow by rules.
[[nodiscard]] std::size_t settled_candidates(const AlignOptions& options, std::size_t left_pool,
                                             std::size_t right_pool);

}  // namespace dovetail
