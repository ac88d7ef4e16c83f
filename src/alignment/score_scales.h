#pragma once

#include <dovetail/align.h>

#include <optional>
#include <span>
#include <utility>

#include "alignment/pair_scorer.h"

namespace dovetail {

/// The units in which scores of structure and names are added.
struct ScoreScales {
  double structure, names;
};

/// The scales under which each wanted column is likeliest among its row's candidates (a conditional logit
/// with two weights, by Newton's method). `structure` and `names` hold the same pairs.
[[nodiscard]] ScoreScales fit_scales(const SparseScores& structure, const SparseScores& names,
                                     RowPairs wanted);

/// Fitted on a fifth of the seeds, held out of a small training of its own. Nothing if there are too few.
[[nodiscard]] std::optional<ScoreScales> learn_scales(const GraphPair& pair, const SeedLinks& links,
                                                      const Pools& pools, const AlignOptions& options,
                                                      const NameSimilarity& names, Observer& observer);

}  // namespace dovetail
