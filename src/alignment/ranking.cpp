#include "alignment/ranking.h"

#include <algorithm>
#include <optional>

#include "common/stopwatch.h"
#include "deciding/belief_loop.h"
#include "deciding/decode.h"

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

namespace {

/// How well the gold links are ranked, by all signals together and by each of those that looked at all pairs.
void evaluate(const GraphPair& pair, const Pools& pools, const std::vector<Link>& gold, Decoder decoder,
              const Ranking& ranking, ThreadPool& pool, Alignment& alignment) {
  const auto rows = rows_of(pair, pools, gold);
  const PairScores& scores = ranking.scores;
  const auto ranks_by = [&](const SparseScores& ranked) {
    for (const SignalScores& own : scores.by_signal) {
      if (std::optional<PairRanks> ranks = own.signal->rank(ranked, own, rows)) return *ranks;
    }
    return rank_pairs(ranked, {}, {}, MatchVectors(), rows, pool);
  };
  const PairRanks ranks = ranks_by(ranking.decoded);
  alignment.evaluation = evaluation_of(ranks);
  alignment.by_degree = degree_hits(pair.right(), pools.right, rows, ranks.right_to_left);
  std::size_t cosines = 0;
  for (const SignalScores& own : scores.by_signal) {
    cosines += own.signal->is_cosine() ? 1 : 0;
    if (!own.complete) continue;
    const bool known = decoder == Decoder::csls && scores.by_signal.size() == 1;
    alignment.alone.push_back(
        {std::string(own.signal->name()),
         known ? alignment.evaluation : evaluation_of(ranks_by(corrected(scores.combined, own)))});
  }
  if (cosines > 1) alignment.plain_sum = evaluation_of(ranks_by(cosine_sum(scores)));
}

}  // namespace

Ranking rank_pools(Workbench& bench, const Trained& trained, const Pools& pools,
                   const std::vector<Link>& gold, const SignalSources& sources, Decoder decoder,
                   Observer& observer) {
  Ranking ranking;
  Alignment& alignment = ranking.alignment;
  Stopwatch watch;
  const AlignOptions& options = bench.options();
  MatchVectors vectors;
  if (trained.embeds()) vectors = bench.vectors(trained.parameters, trained.start(bench), pools);
  Signals signals = sources.in(pools, options, bench.pool());
  const MatchVectors* const learned = trained.embeds() ? &vectors : nullptr;
  if (trained.beliefs) {
    BeliefLoop loop(bench.pair(), pools, signals, options, bench.pool());
    Beliefs beliefs = *trained.beliefs;
    Believed found = loop.refine(learned, trained.tied, beliefs);
    ranking.scores = std::move(found.scores);
    ranking.probabilities = std::move(found.probabilities);
  } else {
    signals.take_vectors(learned, trained.tied);
    ranking.scores = signals.find();
  }
  if (!compares_all(pools.left.size(), pools.right.size(), options.matching)) {
    signals.take_vectors(nullptr);
    vectors = MatchVectors();  // they are large, and nothing will look at all pairs
  }
  const Cardinality cardinality = options.deciding.cardinality;
  if (!trained.beliefs || cardinality != Cardinality::one_to_one) {
    ranking.probabilities = probabilities_of(ranking.scores, cardinality, bench.pool());
  }
  observer.progress("match", 0, 2, "passes");
  ranking.decoded = decode(ranking.scores, ranking.probabilities, decoder);
  const std::size_t most = options.matching.candidates;
  alignment.left = name_candidates(ranking.decoded, pools.left, pools.right, most);
  alignment.right = name_candidates(transposed(ranking.decoded), pools.right, pools.left, most);
  alignment.match_seconds = watch.lap();
  observer.progress("match", 1, 2, "passes");
  if (!gold.empty()) evaluate(bench.pair(), pools, gold, decoder, ranking, bench.pool(), alignment);
  for (SignalScores& own : ranking.scores.by_signal) own.signal = nullptr;
  alignment.evaluation_seconds = watch.lap();
  observer.progress("match", 2, 2, "passes");
  return ranking;
}

}  // namespace dovetail
