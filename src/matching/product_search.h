#pragma once

#include <dovetail/matching.h>

#include "common/threads.h"
#include "matching/match_vectors.h"
#include "pairs/top_k.h"

namespace dovetail {

/// The best of every row and of every column by product codes: of all pairs or, where there are very many, of
/// left rows with the right rows of regions near them.
void scan_products(const MatchVectors& vectors, const MatchingOptions& options, ThreadPool& pool,
                   TopLists& left, TopLists& right);

}  // namespace dovetail
