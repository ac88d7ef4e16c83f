#pragma once

#include <dovetail/graph.h>
#include <dovetail/values.h>

#include <cstddef>
#include <span>

#include "common/threads.h"
#include "pairs/sparse_scores.h"
#include "values/value_terms.h"

namespace dovetail {

/// Pairs of entities whose values have something in common, best first of each side: the sum of the cosines
/// of all their values' grams and words, as far as rare terms find it. Rows are positions in `left`, columns
/// positions in `right`. The number of threads changes nothing.
[[nodiscard]] SparseScores value_candidates(const ValueTerms& terms, std::span<const EntityId> left,
                                            std::span<const EntityId> right, const ValueOptions& options,
                                            ThreadPool& pool);

}  // namespace dovetail
