#pragma once

#include <dovetail/run.h>

#include <optional>

#include "alignment/ranking.h"

namespace dovetail {

/// Decides which pairs of a ranking are links, how sure each is, and which entities have no counterpart.
/// Confidences come from the fitted model or, without one, from decoys if `estimate` says so.
/// `turned`: see Workbench::turned().
[[nodiscard]] Decisions decide(const GraphPair& pair, const Pools& pools, const Ranking& ranking,
                               const std::optional<ConfidenceModel>& fitted, const DecidingOptions& options,
                               bool turned = false);

/// The share of examples for which the model's outcome holds, where it was fitted with a share of one half:
/// expectation-maximisation over its predictions (Saerens, Latinne and Decaestecker 2002).
[[nodiscard]] double estimated_share(std::span<const double> predictions);
/// What a prediction becomes where the outcome holds for that share instead of one half.
[[nodiscard]] double with_share(double prediction, double share);

}  // namespace dovetail
