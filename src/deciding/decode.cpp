#include "deciding/decode.h"

#include <algorithm>

#include "deciding/assignment.h"
#include "deciding/decoders.h"

namespace dovetail {
namespace {

/// The chosen pairs before all others, in their rows and in their columns.
SparseScores put_first(SparseScores scores, std::span<const Decision> chosen) {
  if (scores.size() == 0) return scores;
  const auto [least, most] = std::ranges::minmax(scores.score);
  const float ahead = most - least + 1;
  for (const Decision& pair : chosen) scores.score[find_column(scores, pair.row, pair.column)] += ahead;
  return scores;
}

}  // namespace

SparseScores decode(const PairScores& scores, const LinkProbabilities& probabilities, Decoder decoder) {
  switch (decoder) {
    case Decoder::greedy:
      return plain_sum(scores);
    case Decoder::sinkhorn:
      return probabilities.pairs;
    case Decoder::assignment:
      return put_first(scores.combined, assign(scores.combined).decisions);
    case Decoder::stable:
      return put_first(scores.combined, stable_matching(scores.combined, scores.combined.score));
    case Decoder::automatic:
    case Decoder::csls:
      break;
  }
  return scores.combined;
}

}  // namespace dovetail
