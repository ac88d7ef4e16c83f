#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace dovetail {

/// Scores of some entities' best candidates.
struct BestScores {
  std::vector<double> ascending;
  std::size_t nothing = 0;  ///< entities without a candidate, in addition

  [[nodiscard]] std::size_t count() const { return ascending.size() + nothing; }
  /// The share of them with a score of at most this, or with none.
  [[nodiscard]] double share_up_to(double score) const;
};

/// An upper bound on the share of entities that have no counterpart, so that their best candidate is wrong.
/// `decoys`: entities whose counterpart was taken away on purpose. Those without counterpart score alike, and
/// nowhere may there be more of them than entities; the bound is the least that follows at scores below which
/// two fifths of the decoys are, or more. 1 without decoys.
[[nodiscard]] double share_without_counterpart(const BestScores& best, const BestScores& decoys);

/// Non-decreasing values nearest to the given ones in weighted squares (pool adjacent violators).
[[nodiscard]] std::vector<double> isotonic(std::span<const double> values, std::span<const double> weights);

}  // namespace dovetail
