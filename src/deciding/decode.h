#pragma once

#include <dovetail/deciding.h>

#include "deciding/sinkhorn.h"
#include "signals/signals.h"

namespace dovetail {

/// Scores such that a row's best is what the decoder decides.
[[nodiscard]] SparseScores decode(const PairScores& scores, const LinkProbabilities& probabilities,
                                  Decoder decoder);

}  // namespace dovetail
