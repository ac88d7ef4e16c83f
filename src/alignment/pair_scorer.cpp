#include "alignment/pair_scorer.h"

#include "kernels/scores.h"

namespace dovetail {
namespace {

/// `first` and `second` scaled, added pair by pair.
SparseScores sum(const SparseScores& first, double first_scale, const SparseScores& second,
                 double second_scale) {
  SparseScores result = first;
  for (std::size_t n = 0; n < result.size(); ++n) {
    result.score[n] = static_cast<float>(first.score[n] / first_scale + second.score[n] / second_scale);
  }
  return result;
}

}  // namespace

PairScorer::PairScorer(const Pools& pools, const NameSimilarity* names, const AlignOptions& options,
                       ThreadPool& pool)
    : pools_(pools), names_(names), options_(options), pool_(pool) {
  if (names_ == nullptr) return;
  name_pairs_ = with_means(names_->search(pools.left, pools.right, options.matching.candidates, pool),
                           options.matching.csls_neighbours);
}

PairScores PairScorer::score(const MatchVectors& vectors) const {
  const MatchingOptions& matching = options_.matching;
  PairScores scores{.structure = search(vectors, matching, pool_),
                    .names = std::nullopt,
                    .combined = {},
                    .temperature = options_.deciding.temperature};
  if (names_ == nullptr) {
    scores.combined = csls_scores(scores.structure, matching);
    return scores;
  }
  Found names = name_pairs_;
  const SparseScores by_structure = scores.structure.similarity;
  add_pairs(scores.structure, names.similarity, pool_, [&](std::size_t left, std::size_t right) {
    return dot_rows(vectors.left.row(left), vectors.right.row(right), vectors.left.columns());
  });
  add_pairs(names, by_structure, pool_, [&](std::size_t left, std::size_t right) {
    return names_->score(pools_.left[left], pools_.right[right]);
  });
  scores.combined = sum(csls_scores(scores.structure, matching), options_.deciding.structure_scale,
                        csls_scores(names, matching), options_.deciding.name_scale);
  scores.names = std::move(names);
  scores.temperature = 1;
  return scores;
}

PairScores PairScorer::score_names() const {
  return {.structure = name_pairs_,
          .names = name_pairs_,
          .combined = csls_scores(name_pairs_, options_.matching),
          .temperature = options_.deciding.name_scale};
}

LinkProbabilities PairScorer::probabilities(const PairScores& scores) const {
  return sinkhorn(scores.combined,
                  {.iterations = options_.deciding.iterations, .temperature = scores.temperature}, pool_);
}

std::vector<Decision> PairScorer::sure_pairs(const PairScores& scores, double least) const {
  std::vector<Decision> pairs = mutual_best(probabilities(scores).pairs);
  std::erase_if(pairs, [least](const Decision& pair) { return pair.score < least; });
  return pairs;
}

std::vector<Decision> mutual_best(const SparseScores& scores) {
  std::vector<std::uint32_t> best_row(scores.columns, kNone);
  for (const Decision& pair : best_of_columns(scores)) best_row[pair.column] = pair.row;
  std::vector<Decision> pairs = best_of_rows(scores);
  std::erase_if(pairs, [&](const Decision& pair) { return best_row[pair.column] != pair.row; });
  return pairs;
}

}  // namespace dovetail
