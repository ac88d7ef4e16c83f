#include "alignment/ranking.h"

#include <algorithm>
#include <optional>

#include "alignment/memory_plan.h"
#include "alignment/rule_scorer.h"
#include "common/stopwatch.h"
#include "matching/assignment.h"

namespace dovetail {
namespace {

Candidates name_candidates(const SparseScores& scores, const std::vector<EntityId>& own,
                           const std::vector<EntityId>& other, std::size_t most) {
  Candidates result{.entities = own, .ranked = std::vector<std::vector<Candidate>>(own.size())};
  for (std::size_t i = 0; i < own.size(); ++i) {
    for (const Scored& item : ranked_row(scores, i)) {
      if (result.ranked[i].size() == most) break;
      result.ranked[i].push_back({other[item.number], item.score});
    }
  }
  return result;
}

/// The chosen pairs before all others, in their rows and in their columns.
SparseScores put_first(SparseScores scores, std::span<const Decision> chosen) {
  if (scores.size() == 0) return scores;
  const auto [least, most] = std::ranges::minmax(scores.score);
  const float ahead = most - least + 1;
  for (const Decision& pair : chosen) scores.score[find_column(scores, pair.row, pair.column)] += ahead;
  return scores;
}

/// The similarities as they are, added up: the paper's ls + ss where there are names.
SparseScores plain(const PairScores& scores) {
  SparseScores sum = scores.structure.similarity;
  for (std::size_t n = 0; scores.names && n < sum.size(); ++n) {
    sum.score[n] += scores.names->similarity.score[n];
  }
  return sum;
}

/// Rules alone train no embeddings: structure has no similarities then, and evidence has to decide.
bool decides_by_evidence(const PairScores& scores) {
  return scores.evidence &&
         std::ranges::all_of(scores.structure.similarity.score, [](float score) { return score == 0; });
}

Evaluation evaluation_of(const PairRanks& ranks) {
  return {.left_to_right = rank_metrics(ranks.left_to_right),
          .right_to_left = rank_metrics(ranks.right_to_left)};
}

/// ranks: of the counterpart of each right entity, as `rows` has them.
std::vector<DegreeHits> degree_hits(const KnowledgeGraph& right, const std::vector<EntityId>& entities,
                                    std::span<const std::pair<std::uint32_t, std::uint32_t>> rows,
                                    std::span<const std::uint32_t> ranks) {
  std::vector<std::uint32_t> degrees;
  std::vector<std::uint8_t> first;
  for (std::size_t n = 0; n < rows.size(); ++n) {
    degrees.push_back(static_cast<std::uint32_t>(right.degree(entities[rows[n].second])));
    first.push_back(ranks[n] == 1 ? 1 : 0);
  }
  return hits_by_degree(degrees, first);
}

}  // namespace

std::vector<std::pair<std::uint32_t, std::uint32_t>> rows_of(const GraphPair& pair, const Pools& pools,
                                                             std::span<const Link> links) {
  std::vector<std::uint32_t> left(pair.left().entity_count(), kNone),
      right(pair.right().entity_count(), kNone);
  for (std::uint32_t i = 0; i < pools.left.size(); ++i) left[pools.left[i]] = i;
  for (std::uint32_t i = 0; i < pools.right.size(); ++i) right[pools.right[i]] = i;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> rows;
  for (const Link& link : links) {
    if (left[link.left] != kNone && right[link.right] != kNone)
      rows.emplace_back(left[link.left], right[link.right]);
  }
  return rows;
}

SparseScores decode(const PairScores& scores, const LinkProbabilities& probabilities, Decoder decoder) {
  switch (decoder) {
    case Decoder::greedy:
      return decides_by_evidence(scores) ? scores.combined : plain(scores);
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

Ranking rank_pools(Workbench& bench, const Trained& trained, const Pools& pools,
                   const std::vector<Link>& gold, const NameSimilarity* names, Decoder decoder,
                   Observer& observer) {
  Ranking ranking;
  Alignment& alignment = ranking.alignment;
  Stopwatch watch;
  const AlignOptions& options = bench.options();
  MatchVectors vectors;
  if (trained.embeds()) {
    vectors = bench.vectors(trained.parameters, trained.start(bench), pools);
  }
  const bool all_compared = compares_all(pools.left.size(), pools.right.size(), options.matching);
  // They are large, and where a search looks at some pairs only, nothing else will look at all.
  const auto drop_unless_needed = [&] {
    if (!all_compared) vectors = MatchVectors();
  };
  if (trained.beliefs) {
    const RuleScorer scorer(bench.pair(), pools, names, options, bench.pool());
    Beliefs beliefs = *trained.beliefs;
    RuleScores found = scorer.refine(trained.embeds() ? &vectors : nullptr, beliefs);
    ranking.scores = std::move(found.scores);
    ranking.probabilities = std::move(found.probabilities);
    drop_unless_needed();
  } else {
    AlignOptions own = options;
    own.matching.candidates = settled_candidates(options, pools.left.size(), pools.right.size());
    const PairScorer scorer(pools, names, own, bench.pool());
    std::optional<SparseScores> also;
    if (!all_compared) also = likely_pairs(bench.pair(), trained.tied, pools, bench.pool());
    ranking.scores = scorer.score(vectors, also ? &*also : nullptr);
    drop_unless_needed();
    ranking.probabilities = scorer.probabilities(ranking.scores);
  }
  observer.progress("match", 0, 2, "passes");
  ranking.decoded = decode(ranking.scores, ranking.probabilities, decoder);
  const std::size_t most = options.matching.candidates;
  alignment.left = name_candidates(ranking.decoded, pools.left, pools.right, most);
  alignment.right = name_candidates(transposed(ranking.decoded), pools.right, pools.left, most);
  alignment.match_seconds = watch.lap();
  observer.progress("match", 1, 2, "passes");
  if (!gold.empty()) {
    const auto rows = rows_of(bench.pair(), pools, gold);
    const auto ranks_by = [&](const SparseScores& scores, const Found& found) {
      return rank_pairs(scores, found, vectors, rows, bench.pool());
    };
    const auto evaluate = [&](const SparseScores& scores, const Found& found) {
      return evaluation_of(ranks_by(scores, found));
    };
    const Found& structure = ranking.scores.structure;
    const PairRanks ranks = ranks_by(ranking.decoded, structure);
    alignment.evaluation = evaluation_of(ranks);
    alignment.by_degree = degree_hits(bench.pair().right(), pools.right, rows, ranks.right_to_left);
    if (!trained.beliefs) {
      const bool known = decoder == Decoder::csls && !ranking.scores.names;
      alignment.structure =
          known ? alignment.evaluation : evaluate(csls_scores(structure, options.matching), structure);
    }
    if (ranking.scores.names) {
      const Found& by_name = *ranking.scores.names;
      alignment.names = evaluate(csls_scores(by_name, options.matching), structure);
      alignment.plain_sum = evaluate(plain(ranking.scores), structure);
    }
  }
  alignment.evaluation_seconds = watch.lap();
  observer.progress("match", 2, 2, "passes");
  return ranking;
}

}  // namespace dovetail
