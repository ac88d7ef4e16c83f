#include "alignment/pair_scorer.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "kernels/scores.h"

namespace dovetail {
namespace {

/// How much evidence counts: scale * evidence^power. The power makes the first reasons count most.
constexpr float kEvidenceScale = 15;
constexpr float kEvidencePower = 0.4F;

/// Evidence is uneven, so that rows and columns take longer to agree.
constexpr std::size_t kIterationsWithEvidence = 30;

/// The score of "no counterpart". CSLS takes the mean similarity of an entity's nearest candidates off, so
/// that 0 is what a candidate like all of these scores: each entity sets its own price.
constexpr double kNonePrice = 0;

/// Adds scores in units of `scale` to what is there, pair by pair.
void add_scaled(SparseScores& sum, const SparseScores& scores, double scale) {
  for (std::size_t n = 0; n < sum.size(); ++n) sum.score[n] += static_cast<float>(scores.score[n] / scale);
}

}  // namespace

SparseScores without(std::span<const Link> apart, std::span<const EntityId> left,
                     std::span<const EntityId> right, SparseScores scores) {
  if (apart.empty()) return scores;
  return only_pairs(scores, [&](std::size_t row, std::uint32_t column) {
    return !std::ranges::binary_search(apart, Link{left[row], right[column]});
  });
}

Found search_pools(const MatchVectors& vectors, const Pools& pools, const MatchingOptions& options,
                   ThreadPool& pool, const SparseScores* also) {
  Found found = search(vectors, options, pool, also);
  found.similarity = without(pools.apart, pools.left, pools.right, std::move(found.similarity));
  return found;
}

PairScorer::PairScorer(const Pools& pools, const NameSimilarity* names, const AlignOptions& options,
                       ThreadPool& pool)
    : pools_(pools), names_(names), options_(options), pool_(pool) {
  if (names_ == nullptr) return;
  name_pairs_ = with_means(names_->search(pools.left, pools.right, options.matching.candidates, pool),
                           options.matching.csls_neighbours);
  name_pairs_.similarity = without(pools.apart, pools.left, pools.right, std::move(name_pairs_.similarity));
}

PairScores PairScorer::score(const MatchVectors& vectors, const SparseScores* also) const {
  PairScores scores;
  scores.structure = search_pools(vectors, pools_, options_.matching, pool_, also);
  add_names(scores, &vectors);
  combine(scores);
  return scores;
}

void PairScorer::add_names(PairScores& scores, const MatchVectors* vectors) const {
  if (names_ == nullptr) return;
  scores.names = name_pairs_;
  add(scores, scores.structure.similarity, vectors);
  add(scores, name_pairs_.similarity, vectors);
}

void PairScorer::add(PairScores& scores, const SparseScores& pairs, const MatchVectors* vectors) const {
  add_pairs(scores.structure, pairs, pool_, [&](std::size_t left, std::size_t right) {
    if (vectors == nullptr) return 0.0F;
    return dot_rows(vectors->left.row(left), vectors->right.row(right), vectors->left.columns());
  });
  if (!scores.names) return;
  add_pairs(*scores.names, pairs, pool_, [&](std::size_t left, std::size_t right) {
    return names_->score(pools_.left[left], pools_.right[right]);
  });
}

void PairScorer::combine(PairScores& scores) const {
  const DecidingOptions& deciding = options_.deciding;
  scores.combined = csls_scores(scores.structure, options_.matching);
  scores.temperature = deciding.temperature;
  if (!scores.names && !scores.evidence) return;
  for (float& score : scores.combined.score) score /= static_cast<float>(deciding.structure_scale);
  scores.temperature = 1;
  if (scores.names) {
    add_scaled(scores.combined, csls_scores(*scores.names, options_.matching), deciding.name_scale);
  }
  if (!scores.evidence) return;
  for (std::size_t n = 0; n < scores.combined.size(); ++n) {
    scores.combined.score[n] += kEvidenceScale * std::pow(scores.evidence->score[n], kEvidencePower);
  }
}

PairScores PairScorer::score_names() const {
  return {.structure = name_pairs_,
          .names = name_pairs_,
          .evidence = std::nullopt,
          .combined = csls_scores(name_pairs_, options_.matching),
          .temperature = options_.deciding.name_scale};
}

LinkProbabilities PairScorer::probabilities(const PairScores& scores) const {
  const std::size_t iterations = scores.evidence ? kIterationsWithEvidence : options_.deciding.iterations;
  SinkhornOptions own{.iterations = iterations, .temperature = scores.temperature};
  if (options_.deciding.pool == CandidatePool::open) own.no_counterpart = kNonePrice;
  return sinkhorn(scores.combined, own, pool_);
}

std::vector<Decision> PairScorer::sure_pairs(const PairScores& scores, double least) const {
  std::vector<Decision> pairs = mutual_best(probabilities(scores).pairs);
  std::erase_if(pairs, [least](const Decision& pair) { return pair.score < least; });
  return pairs;
}

}  // namespace dovetail
