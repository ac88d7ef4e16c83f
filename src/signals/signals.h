#pragma once

#include <memory>
#include <span>
#include <vector>

#include "common/threads.h"
#include "signals/signal.h"

namespace dovetail {

/// The signals of two pools as one: everything that puts them together loops over this list.
class Signals {
 public:
  /// `temperature`: of Sinkhorn, where several signals are combined; `open`: entities may have no
  /// counterpart.
  Signals(std::vector<std::unique_ptr<Signal>> signals, const Pools& pools, double temperature,
          ThreadPool& pool, bool open = false)
      : signals_(std::move(signals)), pools_(pools), temperature_(temperature), pool_(pool), open_(open) {}

  void take_vectors(const MatchVectors* vectors, std::span<const Link> known = {});
  void take_beliefs(const Beliefs& beliefs);

  /// The pairs that signals propose by themselves, scored by all that speak, and combined. `believed`: see
  /// Signal::propose(); these pairs are among the candidates too.
  [[nodiscard]] PairScores find(const SparseScores* believed = nullptr) const;
  /// Has signals whose scores change with beliefs score all pairs again, and propose up to `proposals` new
  /// ones for each row.
  void gather(PairScores& scores, std::size_t proposals) const;
  /// Adds up what the signals' scores are worth: scores.combined.
  void combine(PairScores& scores) const;

  /// Whether one of those that speak tells entities apart by itself.
  [[nodiscard]] bool identify() const;
  /// What the signals that tell entities apart by themselves say of the same pairs, without the others.
  [[nodiscard]] PairScores identifying(const PairScores& scores) const;
  [[nodiscard]] const std::vector<std::unique_ptr<Signal>>& all() const { return signals_; }

 private:
  /// Adds pairs that are not there yet, scored by every signal.
  void add(PairScores& scores, const SparseScores& pairs) const;

  std::vector<std::unique_ptr<Signal>> signals_;
  const Pools& pools_;
  double temperature_;
  ThreadPool& pool_;
  bool open_;
};

/// A signal's scores of pairs in its own unit, as decoders use them where it is alone.
[[nodiscard]] SparseScores corrected(const SparseScores& pairs, const SignalScores& own);

/// The paper's ls + ss: all cosines simply added up.
[[nodiscard]] SparseScores cosine_sum(const PairScores& scores);

/// Scores without the CSLS correction: one signal's as they are; several cosines simply added up; other
/// signals by what they are worth.
[[nodiscard]] SparseScores plain_sum(const PairScores& scores);

/// Scores without the pairs that are known not to be the same. Rows and columns are positions in `left` and
/// `right`; `apart` is ascending.
[[nodiscard]] SparseScores without(std::span<const Link> apart, std::span<const EntityId> left,
                                   std::span<const EntityId> right, SparseScores scores);

/// Keeps the pairs for which `stays(row, column)` holds.
template <typename Stays>
[[nodiscard]] PairScores only_pairs(const PairScores& scores, const Stays& stays) {
  PairScores kept = scores;
  SparseScores part = scores.combined;
  for (SignalScores& own : kept.by_signal) {
    part.score = std::move(own.score);
    own.score = only_pairs(part, stays).score;
  }
  kept.combined = only_pairs(scores.combined, stays);
  return kept;
}

}  // namespace dovetail
