#pragma once

#include "pairs/sparse_scores.h"

namespace dovetail {

/// How likely pairs of entities are to be the same: rows are all entities of the left graph, columns all of
/// the right one. Seeds have 1. Pairs that nothing speaks for are absent.
using Beliefs = SparseScores;

}  // namespace dovetail
