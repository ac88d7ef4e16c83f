#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "pairs/sparse_scores.h"

namespace dovetail {

/// What decoys say about scores: the best wrong candidates of pairs that are sure show what the best
/// candidate of an entity without counterpart scores.
struct DecoyEstimate {
  double share = 0;  ///< of the smaller side's entities that have no counterpart, at most
  double price = 0;  ///< score from which a best candidate is more likely right than not
};

/// By group of pairs: kinds of entities differ in what their wrong candidates score. `group` has the number
/// of each pair's group, below `groups`; `least`: what is known about the shares already, by group, or empty.
/// A group without enough sure pairs gets the estimate for all pairs together; without enough of these, that
/// of a pool in which everything has a counterpart.
[[nodiscard]] std::vector<DecoyEstimate> estimate_by_decoys(const SparseScores& scores,
                                                            std::span<const std::uint8_t> group,
                                                            std::size_t groups,
                                                            std::span<const DecoyEstimate> least);

}  // namespace dovetail
