#pragma once

#include <dovetail/graph.h>

#include <cstddef>
#include <span>

#include "common/threads.h"
#include "pairs/sparse_scores.h"
#include "values/value_terms.h"

namespace dovetail {

struct BlockingOptions {
  /// Kept for each entity of the smaller side; those of the larger side keep so many fewer that both have
  /// about as many in all, but not fewer than `fewest`.
  std::size_t candidates = 20;
  std::size_t fewest = 5;
  /// Entities that share a term, looked at for one entity at most, rarest terms first: what bounds the time.
  std::size_t looked_at = 40'000;
};

/// Pairs of entities whose values have something in common, best first of each side: the sum of the cosines
/// of all their values' grams and words, as far as rare terms find it. Rows are positions in `left`, columns
/// positions in `right`. The number of threads changes nothing.
[[nodiscard]] SparseScores value_candidates(const ValueTerms& terms, std::span<const EntityId> left,
                                            std::span<const EntityId> right, const BlockingOptions& options,
                                            ThreadPool& pool);

}  // namespace dovetail
