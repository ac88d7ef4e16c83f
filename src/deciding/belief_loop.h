#pragma once

#include <dovetail/deciding.h>
#include <dovetail/graph.h>
#include <dovetail/links.h>
#include <dovetail/options.h>
#include <dovetail/pools.h>

#include <cstdint>
#include <span>
#include <vector>

#include "deciding/sinkhorn.h"
#include "signals/signals.h"

namespace dovetail {

/// What a loop starts from: seeds, with a belief of 1, and links with their confidence.
[[nodiscard]] Beliefs beliefs_of(const GraphPair& pair, std::span<const Link> seeds,
                                 std::span<const DecidedLink> links = {});

/// Sinkhorn on the combined scores.
[[nodiscard]] LinkProbabilities probabilities_of(const PairScores& scores, ThreadPool& pool);
/// The same for links of any cardinality. Where a left entity may have several counterparts its candidates do
/// not compete: the mass of each right entity is divided among its own candidates and "no counterpart". Where
/// both sides may, each pair stands alone.
[[nodiscard]] LinkProbabilities probabilities_of(const PairScores& scores, Cardinality cardinality,
                                                 ThreadPool& pool);

/// What is known of the candidate pairs of two pools when a loop has ended.
struct Believed {
  PairScores scores;
  LinkProbabilities probabilities;
};

/// Goes from beliefs to scores and back, again and again: what is believed of pairs is what signals score
/// their neighbours by. Beliefs are over all entities of both graphs; those about entities outside of the
/// pools are taken as they are.
class BeliefLoop {
 public:
  /// Everything must stay valid as long as the loop.
  BeliefLoop(const GraphPair& pair, const Pools& pools, Signals& signals, const AlignOptions& options,
             ThreadPool& pool);

  /// Without any training, from what is believed at the start; leaves what is believed then.
  Believed start(Beliefs& beliefs);

  /// After a training on `known` links: looks for candidates of entities that are not settled yet and goes
  /// from beliefs to scores and back. Without vectors, by the other signals alone.
  Believed refine(const MatchVectors* vectors, std::span<const Link> known, Beliefs& beliefs);

  /// Pairs to train on: those that are each other's likeliest, and likely enough.
  [[nodiscard]] std::vector<Link> sure_links(const Beliefs& beliefs) const;

 private:
  /// How many rounds, and how many of them, from the first, propose how many pairs for each left entity.
  struct Course {
    std::size_t rounds, proposing, proposals;
  };
  Believed iterate(PairScores scores, bool trained, const Course& course, Beliefs& beliefs);
  [[nodiscard]] SparseScores within_pools(const Beliefs& beliefs) const;
  /// What was believed of entities outside of the pools, and `pairs` of the pools.
  [[nodiscard]] Beliefs with_pairs(const Beliefs& beliefs, const SparseScores& pairs) const;
  /// Pairs outside of the pools that signals are sure of: they speak for their neighbours within.
  void renew_support(Beliefs& beliefs) const;

  const Pools& pools_;
  Signals& signals_;
  const AlignOptions& options_;
  ThreadPool& pool_;
  bool open_;  ///< not everything has a counterpart, so that a probability needs a reason
  std::vector<std::uint32_t> row_of_, column_of_;  ///< in the pools, by entity; kNone outside
};

}  // namespace dovetail
