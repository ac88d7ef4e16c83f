#pragma once

#include <dovetail/align.h>

#include <optional>
#include <utility>
#include <vector>

#include "alignment/strategy.h"
#include "alignment/workbench.h"
#include "deciding/sinkhorn.h"
#include "signals/list.h"

namespace dovetail {

/// All that is known of two pools' candidate pairs when training is over.
struct Ranking {
  PairScores scores;
  LinkProbabilities probabilities;
  /// By the signals that tell entities apart by themselves, where there are such and others beside them.
  std::optional<LinkProbabilities> identified;
  SparseScores decoded;  ///< what the decoder makes of them: the ranking that counts
  Alignment alignment;
};

/// Ranks the entities of two pools by a decoder; `gold`, where known, only to say how well.
[[nodiscard]] Ranking rank_pools(Workbench& bench, const Trained& trained, const Pools& pools,
                                 const std::vector<Link>& gold, const SignalSources& sources, Decoder decoder,
                                 Observer& observer);

/// Links by the rows of their ends in the pools; links outside of them are left out.
[[nodiscard]] std::vector<std::pair<std::uint32_t, std::uint32_t>> rows_of(const GraphPair& pair,
                                                                           const Pools& pools,
                                                                           std::span<const Link> links);

}  // namespace dovetail
