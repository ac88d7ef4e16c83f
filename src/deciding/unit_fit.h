#pragma once

#include <span>
#include <vector>

#include "matching/matcher.h"
#include "pairs/sparse_scores.h"

namespace dovetail {

/// The units by which the scores of several signals have to be divided so that each wanted column is
/// likeliest among its row's candidates: a conditional logit with a weight for each signal, by Newton's
/// method. `scores`: by signal, in the order of the pairs.
[[nodiscard]] std::vector<double> fit_units(const SparseScores& pairs,
                                            std::span<const std::vector<float>> scores, RowPairs wanted);

}  // namespace dovetail
