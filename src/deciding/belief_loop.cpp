#include "deciding/belief_loop.h"

#include <algorithm>
#include <cmath>

#include "deciding/decoys.h"
#include "pairs/best_pairs.h"

namespace dovetail {
namespace {

constexpr std::size_t kMostRows = 20;  ///< proposals of a row may be this many times more

std::vector<std::uint32_t> positions(std::span<const EntityId> entities, std::size_t count) {
  std::vector<std::uint32_t> position(count, kNone);
  for (std::uint32_t i = 0; i < entities.size(); ++i) position[entities[i]] = i;
  return position;
}

/// Entities outside of a pool that are in no seed.
std::vector<EntityId> outside(const std::vector<std::uint32_t>& place, const std::vector<bool>& seed) {
  std::vector<EntityId> entities;
  for (EntityId entity = 0; entity < place.size(); ++entity) {
    if (place[entity] == kNone && !seed[entity]) entities.push_back(entity);
  }
  return entities;
}

}  // namespace

Beliefs beliefs_of(const GraphPair& pair, std::span<const Link> seeds, std::span<const DecidedLink> links) {
  SparseBuilder beliefs(pair.left().entity_count(), pair.right().entity_count());
  for (const Link& link : seeds) beliefs.add(link.left, link.right, 1);
  for (const DecidedLink& link : links) {
    beliefs.add(link.left, link.right, static_cast<float>(link.confidence));
  }
  return beliefs.build();
}

LinkProbabilities probabilities_of(const PairScores& scores, ThreadPool& pool) {
  return sinkhorn(scores.combined,
                  {.iterations = scores.iterations,
                   .temperature = scores.temperature,
                   .no_counterpart = scores.no_counterpart},
                  pool);
}

LinkProbabilities probabilities_of(const PairScores& scores, Cardinality cardinality, ThreadPool& pool) {
  if (cardinality == Cardinality::one_to_one) return probabilities_of(scores, pool);
  // Without a pass over both sides each line has its whole mass for itself.
  const SinkhornOptions alone{.iterations = 0,
                              .temperature = scores.temperature,
                              .no_counterpart = scores.no_counterpart.value_or(0)};
  LinkProbabilities result = transposed(sinkhorn(transposed(scores.combined), alone, pool));
  if (cardinality == Cardinality::one_to_many) return result;
  result.pairs = scores.combined;
  for (float& score : result.pairs.score) {
    const double ahead = (score - *alone.no_counterpart) / scores.temperature;
    score = static_cast<float>(1 / (1 + std::exp(-ahead)));
  }
  return result;
}

BeliefLoop::BeliefLoop(const GraphPair& pair, const Pools& pools, Signals& signals,
                       const AlignOptions& options, ThreadPool& pool)
    : pools_(pools),
      signals_(signals),
      options_(options),
      pool_(pool),
      open_(options.deciding.pool == CandidatePool::open),
      row_of_(positions(pools.left, pair.left().entity_count())),
      column_of_(positions(pools.right, pair.right().entity_count())) {}

Believed BeliefLoop::start(Beliefs& beliefs) {
  signals_.take_vectors(nullptr);
  const BeliefOptions& course = options_.beliefs;
  return iterate(signals_.find(), false, {course.start_rounds, course.start_rounds, course.start_proposals},
                 beliefs);
}

Believed BeliefLoop::refine(const MatchVectors* vectors, std::span<const Link> known, Beliefs& beliefs) {
  signals_.take_vectors(vectors, known);
  const SparseScores believed = within_pools(beliefs);
  const BeliefOptions& course = options_.beliefs;
  return iterate(signals_.find(&believed), vectors != nullptr,
                 {course.rounds, course.proposing_rounds, course.proposals}, beliefs);
}

Believed BeliefLoop::iterate(PairScores scores, bool trained, const Course& course, Beliefs& beliefs) {
  Believed result;
  const auto most = static_cast<float>(options_.beliefs.most);
  // Proposals are made for rows: where rows are fewer each makes more, so that columns get as many.
  const std::size_t rows_for_column = std::clamp<std::size_t>(
      pools_.right.size() / std::max<std::size_t>(1, pools_.left.size()), 1, kMostRows);
  for (std::size_t round = 0; round < course.rounds; ++round) {
    signals_.take_beliefs(beliefs);
    signals_.gather(scores, round < course.proposing ? course.proposals * rows_for_column : 0);
    signals_.combine(scores);
    result.probabilities = probabilities_of(scores, pool_);
    SparseScores believed = result.probabilities.pairs;
    if (!signals_.identify() && (trained ? open_ : round > 0)) {
      for (const SignalScores& own : scores.by_signal) own.signal->dampen(own.score, believed.score);
    }
    for (float& belief : believed.score) belief = std::min(belief, most);
    beliefs = with_pairs(beliefs, believed);
  }
  renew_support(beliefs);
  result.scores = std::move(scores);
  return result;
}

SparseScores BeliefLoop::within_pools(const Beliefs& beliefs) const {
  const auto least = static_cast<float>(options_.beliefs.forgotten);
  SparseBuilder pairs(pools_.left.size(), pools_.right.size());
  for (std::size_t row = 0; row < pools_.left.size(); ++row) {
    const EntityId entity = pools_.left[row];
    for (std::uint64_t n = beliefs.begin[entity]; n < beliefs.begin[entity + 1]; ++n) {
      const std::uint32_t column = column_of_[beliefs.column[n]];
      if (column != kNone && beliefs.score[n] > least) pairs.add(row, column, beliefs.score[n]);
    }
  }
  return pairs.build();
}

Beliefs BeliefLoop::with_pairs(const Beliefs& beliefs, const SparseScores& pairs) const {
  SparseBuilder wider(beliefs.rows(), beliefs.columns);
  for (EntityId entity = 0; entity < beliefs.rows(); ++entity) {
    const bool row_inside = row_of_[entity] != kNone;
    for (std::uint64_t n = beliefs.begin[entity]; n < beliefs.begin[entity + 1]; ++n) {
      if (row_inside && column_of_[beliefs.column[n]] != kNone) continue;
      wider.add(entity, beliefs.column[n], beliefs.score[n]);
    }
  }
  for (std::size_t row = 0; row < pairs.rows(); ++row) {
    for (std::uint64_t n = pairs.begin[row]; n < pairs.begin[row + 1]; ++n) {
      wider.add(pools_.left[row], pools_.right[pairs.column[n]], pairs.score[n]);
    }
  }
  return wider.build();
}

void BeliefLoop::renew_support(Beliefs& beliefs) const {
  SparseBuilder wider(beliefs.rows(), beliefs.columns);
  std::vector<bool> left_known(row_of_.size(), false), right_known(column_of_.size(), false);
  for (EntityId entity = 0; entity < beliefs.rows(); ++entity) {
    for (std::uint64_t n = beliefs.begin[entity]; n < beliefs.begin[entity + 1]; ++n) {
      const EntityId other = beliefs.column[n];
      const bool seed = beliefs.score[n] == 1;
      if (seed) left_known[entity] = right_known[other] = true;
      const bool inside = row_of_[entity] != kNone && column_of_[other] != kNone;
      if (seed || inside) wider.add(entity, other, beliefs.score[n]);
    }
  }
  const auto least = static_cast<float>(options_.beliefs.support);
  const auto most = static_cast<float>(options_.beliefs.most);
  for (const auto& signal : signals_.all()) {
    if (!signal->speaks()) continue;
    const std::vector<EntityId> left = outside(row_of_, left_known), right = outside(column_of_, right_known);
    SparseScores likely = without(pools_.apart, left, right, signal->support(left, right));
    for (float& score : likely.score) score = std::min(score, most);
    for (const Decision& pair : mutual_best(likely)) {
      if (pair.score <= least) continue;
      wider.add(left[pair.row], right[pair.column], pair.score);
      left_known[left[pair.row]] = right_known[right[pair.column]] = true;
    }
  }
  beliefs = wider.build();
}

std::vector<Link> BeliefLoop::sure_links(const Beliefs& beliefs) const {
  std::vector<Link> links;
  for (const Decision& pair : mutual_best(beliefs)) {
    const bool outside_pools = row_of_[pair.row] == kNone;
    const double least = outside_pools || open_ ? options_.beliefs.support : options_.semi.sure;
    if (pair.score > static_cast<float>(least) || pair.score == 1) links.push_back({pair.row, pair.column});
  }
  return links;
}

}  // namespace dovetail
