#include "signals/signal.h"

#include <algorithm>

namespace dovetail {

void Signal::take_vectors(const MatchVectors* vectors, std::span<const Link> known) {
  (void)vectors, (void)known;
}

void Signal::take_beliefs(const Beliefs& beliefs) {
  (void)beliefs;
}

std::optional<Found> Signal::propose(const SparseScores* believed) const {
  (void)believed;
  return std::nullopt;
}

float Signal::score(std::size_t row, std::size_t column) const {
  (void)row, (void)column;
  return 0;
}

std::optional<SparseScores> Signal::gather(const SparseScores& pairs, std::size_t proposals) const {
  (void)pairs, (void)proposals;
  return std::nullopt;
}

void Signal::correct(const SparseScores& pairs, const SignalScores& own, std::span<float> out) const {
  if (own.left_mean.empty()) {
    std::ranges::copy(own.score, out.begin());
    return;
  }
  for (std::size_t row = 0; row < pairs.rows(); ++row) {
    for (std::uint64_t n = pairs.begin[row]; n < pairs.begin[row + 1]; ++n) {
      out[n] = 2 * own.score[n] - own.left_mean[row] - own.right_mean[pairs.column[n]];
    }
  }
}

void Signal::dampen(std::span<const float> own, std::span<float> beliefs) const {
  (void)own, (void)beliefs;
}

SparseScores Signal::support(std::span<const EntityId> left, std::span<const EntityId> right) const {
  return no_pairs(left.size(), right.size());
}

std::optional<PairRanks> Signal::rank(const SparseScores& scores, const SignalScores& own,
                                      RowPairs pairs) const {
  (void)scores, (void)own, (void)pairs;
  return std::nullopt;
}

void SignalSource::tell_learned(std::span<const Link> /*known*/, LearnedBySignals& /*learned*/) const {}

}  // namespace dovetail
