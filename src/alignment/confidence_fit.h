#pragma once

#include <dovetail/align.h>

#include <optional>
#include <vector>

#include "alignment/ranking.h"
#include "deciding/confidence.h"

namespace dovetail {

/// Seeds held out of a training of their own, to fit something on; that training is small and short.
struct HeldOut {
  std::vector<Link> links;
  SeedLinks kept;
  Pools pools;  ///< with the held-out links' ends
  AlignOptions options;
};

/// Nothing if there are too few seeds.
[[nodiscard]] std::optional<HeldOut> hold_out(const SeedLinks& links, const Pools& pools,
                                              const AlignOptions& options);

/// Trains on four fifths of the seeds, small and short, and fits on the rest, which it has to find among the
/// pools' entities. Nothing if there are too few seeds.
[[nodiscard]] std::optional<ConfidenceModel> fit_confidence(const GraphPair& pair, const SeedLinks& links,
                                                            const Pools& pools, const AlignOptions& options,
                                                            const SignalSources& sources, Decoder decoder,
                                                            Observer& observer);

/// What confidences are computed from.
[[nodiscard]] FeatureTable decision_features(const GraphPair& pair, const Pools& pools,
                                             const PairScores& scores, const LinkProbabilities& probabilities,
                                             std::span<const Decision> decisions);

}  // namespace dovetail
