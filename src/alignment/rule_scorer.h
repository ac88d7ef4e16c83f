#pragma once

#include <dovetail/run.h>

#include <cstddef>
#include <span>
#include <vector>

#include "alignment/pair_scorer.h"
#include "evidence/rules.h"

namespace dovetail {

/// Of a pair that is not a seed, at most.
inline constexpr float kMostBelief = 0.95F;

/// What rules start from: seeds, with a belief of 1, and links with their confidence.
[[nodiscard]] Beliefs beliefs_of(const GraphPair& pair, std::span<const Link> seeds,
                                 std::span<const DecidedLink> links = {});

/// The pairs of two pools that links, and what follows from them by rules, speak for most. Where a search
/// looks at some pairs only, these are to be among them.
[[nodiscard]] SparseScores likely_pairs(const GraphPair& pair, std::span<const Link> links,
                                        const Pools& pools, ThreadPool& pool);

/// What is known of the candidate pairs of two pools when rules have their say.
struct RuleScores {
  PairScores scores;  ///< evidence included
  LinkProbabilities probabilities;
  RelationLinks relations;  ///< that the evidence was gathered by
};

/// Scores candidate pairs by rules beside structure and names, again and again: what is believed of pairs is
/// evidence for their neighbours. Beliefs are over all entities of both graphs; those about entities outside
/// of the pools are taken as they are.
class RuleScorer {
 public:
  /// Everything outlives the scorer.
  RuleScorer(const GraphPair& pair, const Pools& pools, const NameSimilarity* names,
             const AlignOptions& options, ThreadPool& pool);

  /// Rules alone, from what is believed at the start; leaves what is believed then.
  RuleScores start(Beliefs& beliefs) const;

  /// With structure: looks for candidates of entities that are not settled yet, adds those that rules
  /// propose, and goes from beliefs to evidence and back. Without vectors, rules and names alone.
  RuleScores refine(const MatchVectors* vectors, Beliefs& beliefs) const;

  /// Pairs to train on: those that are each other's likeliest, and likely enough.
  [[nodiscard]] std::vector<Link> sure_links(const Beliefs& beliefs) const;

 private:
  /// How beliefs and evidence follow from each other.
  struct Course {
    std::size_t iterations;
    std::size_t proposing;  ///< iterations, from the first, that propose candidates
    std::size_t proposals;  ///< how many for each left entity
  };
  static constexpr Course kStart{.iterations = 8, .proposing = 8, .proposals = 20};
  static constexpr Course kRefine{.iterations = 4, .proposing = 2, .proposals = 10};
  RuleScores iterate(PairScores scores, const MatchVectors* vectors, const Course& course,
                     Beliefs& beliefs) const;
  /// What the rules say, but of pairs that are known not to be the same.
  [[nodiscard]] SparseScores gathered(const Beliefs& beliefs, const RelationLinks& relations,
                                      std::span<const EntityId> left, std::span<const EntityId> right,
                                      const SparseScores& pairs, std::size_t proposals) const;
  [[nodiscard]] SparseScores within_pools(const Beliefs& beliefs) const;
  [[nodiscard]] Found search_unsettled(const MatchVectors& vectors, const SparseScores& believed) const;
  /// What was believed of entities outside of the pools, and `pairs` of the pools.
  [[nodiscard]] Beliefs with_pairs(const Beliefs& beliefs, const SparseScores& pairs) const;
  /// Pairs outside of the pools that the rules are sure of: they speak for their neighbours within.
  void renew_support(const RelationLinks& relations, Beliefs& beliefs) const;

  const Pools& pools_;
  const AlignOptions& options_;
  ThreadPool& pool_;
  bool open_;  ///< not everything has a counterpart, so that a probability needs evidence
  PairScorer scorer_;
  Rules rules_;
  std::vector<std::uint32_t> row_of_, column_of_;  ///< in the pools, by entity; kNone outside
};

}  // namespace dovetail
