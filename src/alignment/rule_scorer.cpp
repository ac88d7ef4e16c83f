#include "alignment/rule_scorer.h"

#include <algorithm>
#include <cmath>

#include "alignment/memory_plan.h"

namespace dovetail {
namespace {

constexpr float kSettled = 0.9F;  ///< from here on nothing else is searched for
constexpr float kSupport = 0.5F;  ///< of pairs outside of the pools
constexpr std::size_t kSupportProposals = 20;
constexpr std::size_t kLikelyRounds = 5;  ///< from beliefs to evidence
constexpr float kForgotten = 0.001F;      ///< below it a pair has to be found again

/// The probability that at least one reason holds.
float of_evidence(float evidence) {
  return 1 - std::exp(-evidence);
}

std::vector<std::uint32_t> positions(std::span<const EntityId> entities, std::size_t count) {
  std::vector<std::uint32_t> position(count, kNone);
  for (std::uint32_t i = 0; i < entities.size(); ++i) position[entities[i]] = i;
  return position;
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

SparseScores likely_pairs(const GraphPair& pair, std::span<const Link> links, const Pools& pools,
                          ThreadPool& pool) {
  const Rules rules(pair);
  Beliefs beliefs = beliefs_of(pair, links);
  SparseScores likely;
  for (std::size_t round = 0; round < kLikelyRounds; ++round) {
    likely = rules.evidence(beliefs, rules.compare_relations(beliefs, pool), pools.left, pools.right,
                            no_pairs(pools.left.size(), pools.right.size()), kSupportProposals, pool);
    std::vector<DecidedLink> followed;
    for (const Decision& best : mutual_best(likely)) {
      const float belief = std::min(of_evidence(best.score), kMostBelief);
      if (belief <= kSupport) continue;
      followed.push_back({pools.left[best.row], pools.right[best.column], best.score, 0, belief});
    }
    beliefs = beliefs_of(pair, links, followed);
  }
  return likely;
}

RuleScorer::RuleScorer(const GraphPair& pair, const Pools& pools, const NameSimilarity* names,
                       const AlignOptions& options, ThreadPool& pool)
    : pools_(pools),
      options_(options),
      pool_(pool),
      open_(options.deciding.pool == CandidatePool::open),
      scorer_(pools, names, options, pool),
      rules_(pair),
      row_of_(positions(pools.left, pair.left().entity_count())),
      column_of_(positions(pools.right, pair.right().entity_count())) {}

RuleScores RuleScorer::start(Beliefs& beliefs) const {
  PairScores scores;
  scores.structure = with_means(no_pairs(pools_.left.size(), pools_.right.size()), 0);
  scorer_.add_names(scores, nullptr);
  return iterate(std::move(scores), nullptr, kStart, beliefs);
}

RuleScores RuleScorer::refine(const MatchVectors* vectors, Beliefs& beliefs) const {
  const SparseScores believed = within_pools(beliefs);
  PairScores scores;
  scores.structure = vectors == nullptr ? with_means(no_pairs(pools_.left.size(), pools_.right.size()), 0)
                                        : search_unsettled(*vectors, believed);
  scorer_.add_names(scores, vectors);
  scorer_.add(scores, believed, vectors);
  return iterate(std::move(scores), vectors, kRefine, beliefs);
}

RuleScores RuleScorer::iterate(PairScores scores, const MatchVectors* vectors, const Course& course,
                               Beliefs& beliefs) const {
  RuleScores result;
  for (std::size_t i = 0; i < course.iterations; ++i) {
    result.relations = rules_.compare_relations(beliefs, pool_);
    SparseScores evidence =
        gathered(beliefs, result.relations, pools_.left, pools_.right, scores.structure.similarity,
                 i < course.proposing ? course.proposals : 0);
    scorer_.add(scores, evidence, vectors);
    scores.evidence = std::move(evidence);
    scorer_.combine(scores);
    result.probabilities = scorer_.probabilities(scores);
    SparseScores believed = result.probabilities.pairs;
    const bool damped = !scores.names && (vectors == nullptr ? i > 0 : open_);
    for (std::size_t n = 0; n < believed.size(); ++n) {
      if (damped) believed.score[n] *= of_evidence(scores.evidence->score[n]);
      believed.score[n] = std::min(believed.score[n], kMostBelief);
    }
    beliefs = with_pairs(beliefs, believed);
  }
  renew_support(result.relations, beliefs);
  result.scores = std::move(scores);
  return result;
}

SparseScores RuleScorer::gathered(const Beliefs& beliefs, const RelationLinks& relations,
                                  std::span<const EntityId> left, std::span<const EntityId> right,
                                  const SparseScores& pairs, std::size_t proposals) const {
  return without(pools_.apart, left, right,
                 rules_.evidence(beliefs, relations, left, right, pairs, proposals, pool_));
}

SparseScores RuleScorer::within_pools(const Beliefs& beliefs) const {
  SparseBuilder pairs(pools_.left.size(), pools_.right.size());
  for (std::size_t row = 0; row < pools_.left.size(); ++row) {
    const EntityId entity = pools_.left[row];
    for (std::uint64_t n = beliefs.begin[entity]; n < beliefs.begin[entity + 1]; ++n) {
      const std::uint32_t column = column_of_[beliefs.column[n]];
      if (column != kNone && beliefs.score[n] > kForgotten) pairs.add(row, column, beliefs.score[n]);
    }
  }
  return pairs.build();
}

Beliefs RuleScorer::with_pairs(const Beliefs& beliefs, const SparseScores& pairs) const {
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

Found RuleScorer::search_unsettled(const MatchVectors& vectors, const SparseScores& believed) const {
  std::vector<bool> row_settled(pools_.left.size(), false), column_settled(pools_.right.size(), false);
  for (const Decision& pair : mutual_best(believed)) {
    if (pair.score <= kSettled) continue;
    row_settled[pair.row] = true;
    column_settled[pair.column] = true;
  }
  const auto unsettled = [](const std::vector<bool>& settled) {
    std::vector<std::uint32_t> places;
    for (std::uint32_t i = 0; i < settled.size(); ++i) {
      if (!settled[i]) places.push_back(i);
    }
    return places;
  };
  const std::vector<std::uint32_t> rows = unsettled(row_settled), columns = unsettled(column_settled);
  MatchingOptions matching = options_.matching;
  matching.candidates = settled_candidates(options_, rows.size(), columns.size());
  const Found part = search(select_rows(vectors, rows, columns), matching, pool_);
  Found found;
  found.left_mean.assign(pools_.left.size(), 0);
  found.right_mean.assign(pools_.right.size(), 0);
  SparseBuilder similarity(pools_.left.size(), pools_.right.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    found.left_mean[rows[i]] = part.left_mean[i];
    for (std::uint64_t n = part.similarity.begin[i]; n < part.similarity.begin[i + 1]; ++n) {
      similarity.add(rows[i], columns[part.similarity.column[n]], part.similarity.score[n]);
    }
  }
  for (std::size_t i = 0; i < columns.size(); ++i) found.right_mean[columns[i]] = part.right_mean[i];
  found.similarity = without(pools_.apart, pools_.left, pools_.right, similarity.build());
  return found;
}

void RuleScorer::renew_support(const RelationLinks& relations, Beliefs& beliefs) const {
  SparseBuilder wider(beliefs.rows(), beliefs.columns);
  std::vector<bool> left_seed(row_of_.size(), false), right_seed(column_of_.size(), false);
  for (EntityId entity = 0; entity < beliefs.rows(); ++entity) {
    for (std::uint64_t n = beliefs.begin[entity]; n < beliefs.begin[entity + 1]; ++n) {
      const EntityId other = beliefs.column[n];
      const bool seed = beliefs.score[n] == 1;
      if (seed) left_seed[entity] = right_seed[other] = true;
      const bool inside = row_of_[entity] != kNone && column_of_[other] != kNone;
      if (seed || inside) wider.add(entity, other, beliefs.score[n]);
    }
  }
  const auto outside = [](const std::vector<std::uint32_t>& place, const std::vector<bool>& seed) {
    std::vector<EntityId> entities;
    for (EntityId entity = 0; entity < place.size(); ++entity) {
      if (place[entity] == kNone && !seed[entity]) entities.push_back(entity);
    }
    return entities;
  };
  const std::vector<EntityId> left = outside(row_of_, left_seed), right = outside(column_of_, right_seed);
  SparseScores likely =
      gathered(beliefs, relations, left, right, no_pairs(left.size(), right.size()), kSupportProposals);
  for (float& score : likely.score) score = std::min(of_evidence(score), kMostBelief);
  for (const Decision& pair : mutual_best(likely)) {
    if (pair.score > kSupport) wider.add(left[pair.row], right[pair.column], pair.score);
  }
  beliefs = wider.build();
}

std::vector<Link> RuleScorer::sure_links(const Beliefs& beliefs) const {
  std::vector<Link> links;
  for (const Decision& pair : mutual_best(beliefs)) {
    const bool outside = row_of_[pair.row] == kNone;
    const float least = outside || open_ ? kSupport : static_cast<float>(options_.semi.sure);
    if (pair.score > least || pair.score == 1) links.push_back({pair.row, pair.column});
  }
  return links;
}

}  // namespace dovetail
