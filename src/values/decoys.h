#pragma once

#include <span>

#include "matching/sparse_scores.h"

namespace dovetail {

/// What decoys say about scores: the best wrong candidates of pairs that are sure show what the best
/// candidate of an entity without counterpart scores.
struct DecoyEstimate {
  double share = 0;  ///< of the smaller side's entities that have no counterpart, at most
  double price = 0;  ///< score from which a best candidate is more likely right than not
};

/// `least_share`: what is known about the share already. Without enough sure pairs price and share are those
/// of a pool in which everything has a counterpart.
[[nodiscard]] DecoyEstimate estimate_by_decoys(const SparseScores& scores, double least_share);

/// Non-decreasing values nearest to the given ones in weighted squares (pool adjacent violators).
[[nodiscard]] std::vector<double> isotonic(std::span<const double> values, std::span<const double> weights);

}  // namespace dovetail
