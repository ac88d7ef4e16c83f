#pragma once

#include <dovetail/align.h>

#include <optional>
#include <span>
#include <vector>

#include "common/threads.h"
#include "literal/name_search.h"
#include "matching/decoders.h"
#include "matching/matcher.h"
#include "matching/sinkhorn.h"

namespace dovetail {

/// What is known of the candidate pairs of two pools: by structure, by names where there are any, and both
/// put together into scores that decoders work on.
struct PairScores {
  Found structure;                       ///< the pairs of `combined`
  std::optional<Found> names;            ///< the same pairs
  std::optional<SparseScores> evidence;  ///< of rules, for the same pairs
  SparseScores combined;                 ///< CSLS-corrected
  double temperature = 1;                ///< of `combined`, for Sinkhorn
};

/// Scores without the pairs that are known not to be the same. Rows and columns are positions in `left` and
/// `right`; `apart` is ascending.
[[nodiscard]] SparseScores without(std::span<const Link> apart, std::span<const EntityId> left,
                                   std::span<const EntityId> right, SparseScores scores);

/// What a search finds of the pools, with the pairs that `also` names, but for pairs that are known not to be
/// the same.
[[nodiscard]] Found search_pools(const MatchVectors& vectors, const Pools& pools,
                                 const MatchingOptions& options, ThreadPool& pool,
                                 const SparseScores* also = nullptr);

/// Scores candidate pairs of two pools again and again as structure changes; names are searched once.
class PairScorer {
 public:
  /// Everything outlives the scorer. `names` may be null.
  PairScorer(const Pools& pools, const NameSimilarity* names, const AlignOptions& options, ThreadPool& pool);

  /// By structure, and names if there are any; the pairs that `also` names are among them.
  [[nodiscard]] PairScores score(const MatchVectors& vectors, const SparseScores* also = nullptr) const;
  /// By names alone.
  [[nodiscard]] PairScores score_names() const;

  /// Adds names to scores of structure, and the pairs that names propose.
  void add_names(PairScores& scores, const MatchVectors* vectors) const;
  /// Adds pairs that are not there yet. Without vectors structure has nothing to say of them.
  void add(PairScores& scores, const SparseScores& pairs, const MatchVectors* vectors) const;
  /// Puts together what is there: scores.combined.
  void combine(PairScores& scores) const;

  [[nodiscard]] LinkProbabilities probabilities(const PairScores& scores) const;
  /// Pairs that are each other's likeliest, and at least as likely as `least`.
  [[nodiscard]] std::vector<Decision> sure_pairs(const PairScores& scores, double least) const;

 private:
  const Pools& pools_;
  const NameSimilarity* names_;
  const AlignOptions& options_;
  ThreadPool& pool_;
  Found name_pairs_;
};

}  // namespace dovetail
