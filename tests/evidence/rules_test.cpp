#include "evidence/rules.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>
#include <rapidcheck/gtest.h>

#include "common/random.h"
#include "encoder/tiny_pair.h"
#include "evidence/naive_rules.h"
#include "pairs/random_scores.h"

namespace dovetail {
namespace {

constexpr std::uint32_t kEntities = 14;
constexpr std::uint32_t kRelations = 3;
constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

std::vector<EntityId> everyone(const KnowledgeGraph& graph) {
  std::vector<EntityId> all(graph.entity_count());
  std::iota(all.begin(), all.end(), EntityId{0});
  return all;
}

/// Every entity is most likely its own copy; some pairs of others are there by chance. No two are equal.
Beliefs random_beliefs(const GraphPair& pair, std::uint64_t seed) {
  Random random(seed);
  SparseBuilder beliefs(pair.left().entity_count(), pair.right().entity_count());
  for (EntityId left = 0; left < pair.left().entity_count(); ++left) {
    for (EntityId right = 0; right < pair.right().entity_count(); ++right) {
      const double draw = random.uniform();
      if (left == right) {
        beliefs.add(left, right, static_cast<float>(0.2 + 0.8 * draw));
      } else if (random.uniform() < 0.1) {
        beliefs.add(left, right, static_cast<float>(0.4 * draw));
      }
    }
  }
  return beliefs.build();
}

SparseScores all_evidence(const Rules& rules, const GraphPair& pair, const Beliefs& beliefs,
                          const RelationLinks& relations, ThreadPool& pool) {
  const std::vector<EntityId> left = everyone(pair.left()), right = everyone(pair.right());
  return rules.evidence(beliefs, relations, left, right, no_pairs(left.size(), right.size()), kAll, pool);
}

TEST(RelationLinks, InverseFunctionalityIsNeighboursOverEdges) {
  // r0: 0 -> 1, 2 -> 1, 3 -> 4. Two neighbours for three edges; read backwards, three for three.
  const KnowledgeGraph graph = tiny_graph(5, 2, {{0, 0, 1}, {2, 0, 1}, {3, 0, 4}});
  const std::vector<double> functionality = inverse_functionality(graph);
  EXPECT_DOUBLE_EQ(functionality[0], 2.0 / 3);
  EXPECT_DOUBLE_EQ(functionality[2], 1);
  EXPECT_DOUBLE_EQ(functionality[1], 0);  // has no edges
}

RC_GTEST_PROP(RelationLinks, AreThoseOfTheFormulas, ()) {
  const auto seed = *rc::gen::inRange<std::uint64_t>(1, 1000);
  const GraphPair pair = tiny_pair(kEntities, kRelations, 40, seed);
  const Beliefs beliefs = random_beliefs(pair, seed + 1);
  ThreadPool pool(2);
  const RelationLinks found = Rules(pair).compare_relations(beliefs, pool);
  const NaiveRules naive(pair);
  RC_ASSERT(found.left_count() == 2 * kRelations);
  std::size_t seen = 0;
  for (RelationId left = 0; left < 2 * kRelations; ++left) {
    for (RelationId right = 0; right < 2 * kRelations; ++right) {
      const RelationLink wanted = naive.compare(beliefs, left, right);
      const auto links = found.of(left);
      const auto at = std::ranges::find(links, right, &RelationLink::right);
      RC_ASSERT((at != links.end()) == (wanted.left_in_right > 0));
      if (at == links.end()) continue;
      ++seen;
      RC_ASSERT(at->left == left);
      RC_ASSERT(std::abs(at->seen - wanted.seen) < 1e-6);
      RC_ASSERT(std::abs(at->left_in_right - wanted.left_in_right) < 1e-6);
      RC_ASSERT(std::abs(at->right_in_left - wanted.right_in_left) < 1e-6);
    }
  }
  RC_ASSERT(seen > 0U);
}

RC_GTEST_PROP(Rules, EvidenceIsThatOfTheFormulas, ()) {
  const auto seed = *rc::gen::inRange<std::uint64_t>(1, 1000);
  const GraphPair pair = tiny_pair(kEntities, kRelations, 40, seed);
  const Beliefs beliefs = random_beliefs(pair, seed + 1);
  ThreadPool pool(2);
  const Rules rules(pair);
  const RelationLinks relations = rules.compare_relations(beliefs, pool);
  const SparseScores found = all_evidence(rules, pair, beliefs, relations, pool);
  const NaiveRules naive(pair);
  RC_ASSERT(found.size() > 0U);
  for (EntityId left = 0; left < kEntities; ++left) {
    for (EntityId right = 0; right < kEntities; ++right) {
      const double wanted = naive.evidence(beliefs, relations, left, right);
      const std::size_t at = find_column(found, left, right);
      if (at == SparseScores::kAbsent) {
        RC_ASSERT(wanted < 0.0501);  // too little to be proposed
      } else {
        RC_ASSERT(std::abs(static_cast<double>(found.score[at]) - wanted) < 1e-3 * (1 + wanted));
      }
    }
  }
}

RC_GTEST_PROP(Rules, SwappingTheGraphsSwapsTheEvidence, ()) {
  const auto seed = *rc::gen::inRange<std::uint64_t>(1, 1000);
  const GraphPair pair = tiny_pair(kEntities, kRelations, 40, seed);
  const GraphPair again = tiny_pair(kEntities, kRelations, 40, seed);
  std::vector<TestTriple> left, right;
  for (const auto& [triples, graph] : {std::pair(&left, &again.left()), {&right, &again.right()}}) {
    for (EntityId head = 0; head < graph->entity_count(); ++head) {
      for (const Edge& edge : graph->edges(head)) {
        if (edge.relation < kRelations) triples->emplace_back(head, edge.relation, edge.neighbour);
      }
    }
  }
  const GraphPair swapped(tiny_graph(kEntities, kRelations, right), tiny_graph(kEntities, kRelations, left));
  const Beliefs beliefs = random_beliefs(pair, seed + 1);
  const Beliefs swapped_beliefs = transposed(beliefs);
  ThreadPool pool(1);
  const Rules rules(pair), swapped_rules(swapped);
  const SparseScores one = all_evidence(rules, pair, beliefs, rules.compare_relations(beliefs, pool), pool);
  const SparseScores other = transposed(all_evidence(
      swapped_rules, swapped, swapped_beliefs, swapped_rules.compare_relations(swapped_beliefs, pool), pool));
  for (std::size_t row = 0; row < one.rows(); ++row) {
    for (std::uint64_t n = one.begin[row]; n < one.begin[row + 1]; ++n) {
      const std::size_t at = find_column(other, row, one.column[n]);
      // What is at the threshold of being proposed may be on either side of it.
      if (at == SparseScores::kAbsent) {
        RC_ASSERT(one.score[n] < 0.0501F);
      } else {
        RC_ASSERT(std::abs(one.score[n] - other.score[at]) < 1e-3F * (1 + one.score[n]));
      }
    }
  }
  RC_ASSERT(one.size() > 0U);
}

RC_GTEST_PROP(Rules, MoreBeliefNeverMakesLessEvidence, ()) {
  const auto seed = *rc::gen::inRange<std::uint64_t>(1, 1000);
  const GraphPair pair = tiny_pair(kEntities, kRelations, 40, seed);
  Beliefs beliefs = random_beliefs(pair, seed + 1);
  ThreadPool pool(1);
  const Rules rules(pair);
  const RelationLinks relations = rules.compare_relations(beliefs, pool);
  const SparseScores before = all_evidence(rules, pair, beliefs, relations, pool);
  const std::size_t raised = *rc::gen::inRange<std::size_t>(0, beliefs.size());
  beliefs.score[raised] = std::min(1.0F, beliefs.score[raised] + 0.3F);
  const SparseScores after =
      rules.evidence(beliefs, relations, everyone(pair.left()), everyone(pair.right()), before, 0, pool);
  RC_ASSERT(after.column == before.column);
  for (std::size_t n = 0; n < before.size(); ++n) RC_ASSERT(after.score[n] >= before.score[n] - 1e-6F);
}

TEST(Rules, ARelationSeenOnceCannotDecideAlone) {
  // One known pair of edges for r0; (2, 2) hangs on one edge of it.
  const std::vector<TestTriple> triples{{0, 0, 1}, {2, 0, 3}};
  const GraphPair pair(tiny_graph(4, 1, triples), tiny_graph(4, 1, triples));
  SparseBuilder beliefs(4, 4);
  for (const EntityId known : {0U, 1U, 3U}) beliefs.add(known, known, 1);
  const Beliefs believed = beliefs.build();
  ThreadPool pool(1);
  const Rules rules(pair);
  const RelationLinks relations = rules.compare_relations(believed, pool);
  const std::vector<EntityId> two{2};
  const SparseScores evidence = rules.evidence(believed, relations, two, two, no_pairs(1, 1), kAll, pool);
  ASSERT_EQ(evidence.size(), 1U);
  EXPECT_GT(evidence.score[0], 0.5F);
  EXPECT_LT(1 - std::exp(-evidence.score[0]), 0.8F);  // what counts as sure
}

TEST(RelationLinks, AreFoundByProfilesWhereNoEdgeIsKnown) {
  // Known entities 0 to 5 have no edge between them: 0 to 2 have r0 on the left and r1 on the right, 3 to 5
  // the other way round.
  const auto graph = [](RelationId first) {
    std::vector<TestTriple> triples;
    for (std::uint32_t i = 0; i < 6; ++i) triples.emplace_back(i, i < 3 ? first : 1 - first, 6 + i);
    return tiny_graph(12, 2, triples);
  };
  const GraphPair pair(graph(0), graph(1));
  SparseBuilder beliefs(12, 12);
  for (EntityId known = 0; known < 6; ++known) beliefs.add(known, known, 1);
  const Beliefs believed = beliefs.build();
  ThreadPool pool(1);
  const Rules rules(pair);
  const RelationLinks relations = rules.compare_relations(believed, pool);
  for (const RelationId r : {0U, 1U}) {
    ASSERT_EQ(relations.of(r).size(), 1U);
    EXPECT_EQ(relations.of(r)[0].right, 1 - r);
    EXPECT_EQ(relations.of(r)[0].seen, 0);
    EXPECT_NEAR(relations.of(r)[0].left_in_right, (3 - 9.0 / 7) / (1 + 3), 1e-9);
  }
  const SparseScores evidence = all_evidence(rules, pair, believed, relations, pool);
  EXPECT_NE(find_column(evidence, 6, 6), SparseScores::kAbsent);
  EXPECT_EQ(find_column(evidence, 6, 9), SparseScores::kAbsent) << "9 hangs on an entity that is not 0";
}

TEST(Rules, ACrowdSaysNothing) {
  // Entity 0 is the neighbour of 1 to `many` by r0. Known pairs of other edges make r0 correspond.
  const auto evidence_with = [](std::uint32_t many) {
    std::vector<TestTriple> triples;
    for (std::uint32_t i = 1; i <= many; ++i) triples.emplace_back(i, 0, 0);
    SparseBuilder beliefs(many + 20, many + 20);
    beliefs.add(0, 0, 1);
    for (std::uint32_t i = 0; i < 8; ++i) {
      triples.emplace_back(many + 1 + i, 0, many + 10 + i);
      beliefs.add(many + 1 + i, many + 1 + i, 1);
      beliefs.add(many + 10 + i, many + 10 + i, 1);
    }
    const GraphPair pair(tiny_graph(many + 20, 1, triples), tiny_graph(many + 20, 1, triples));
    const Beliefs believed = beliefs.build();
    ThreadPool pool(1);
    const Rules rules(pair);
    const std::vector<EntityId> one{1};
    SparseBuilder asked(1, 1);
    asked.add(0, 0, 0);
    return rules.evidence(believed, rules.compare_relations(believed, pool), one, one, asked.build(), 0, pool)
        .score[0];
  };
  EXPECT_GT(evidence_with(300), 0.0F);
  EXPECT_EQ(evidence_with(301), 0.0F);
}

TEST(Rules, ProposesTheBestAndKeepsWhatIsAskedFor) {
  const GraphPair pair = tiny_pair(kEntities, kRelations, 60, 3);
  const Beliefs beliefs = random_beliefs(pair, 4);
  ThreadPool pool(1);
  const Rules rules(pair);
  const RelationLinks relations = rules.compare_relations(beliefs, pool);
  const std::vector<EntityId> left = everyone(pair.left()), right = everyone(pair.right());
  const SparseScores all = all_evidence(rules, pair, beliefs, relations, pool);
  SparseBuilder asked(kEntities, kEntities);
  for (EntityId entity = 0; entity < kEntities; ++entity) asked.add(entity, 0, 0);  // nobody's neighbour
  const SparseScores some = rules.evidence(beliefs, relations, left, right, asked.build(), 2, pool);
  for (std::size_t row = 0; row < kEntities; ++row) {
    const std::vector<Scored> best = ranked_row(all, row);
    ASSERT_EQ(some.columns_of(row).size(), 1 + std::min<std::size_t>(2, best.size()));
    EXPECT_EQ(some.columns_of(row)[0], 0U);
    EXPECT_EQ(some.scores_of(row)[0], 0.0F);
    for (std::size_t n = 0; n < std::min<std::size_t>(2, best.size()); ++n) {
      const std::size_t at = find_column(some, row, best[n].number);
      ASSERT_NE(at, SparseScores::kAbsent);
      EXPECT_EQ(some.score[at], best[n].score);
    }
  }
}

TEST(Rules, TheNumberOfThreadsChangesNothing) {
  const GraphPair pair = tiny_pair(400, 12, 3000, 5);
  const Beliefs beliefs = random_beliefs(pair, 6);
  const Rules rules(pair);
  std::vector<SparseScores> results;
  for (const std::size_t threads : {1, 2, 8}) {
    ThreadPool pool(threads);
    results.push_back(all_evidence(rules, pair, beliefs, rules.compare_relations(beliefs, pool), pool));
  }
  ASSERT_GT(results[0].size(), 1000U);
  for (const SparseScores& result : results) {
    EXPECT_EQ(result.column, results[0].column);
    EXPECT_EQ(result.score, results[0].score);
  }
}

TEST(Rules, ReasonsAddUpToTheEvidence) {
  const GraphPair pair = tiny_pair(kEntities, kRelations, 40, 7);
  const Beliefs beliefs = random_beliefs(pair, 8);
  ThreadPool pool(1);
  const Rules rules(pair);
  const RelationLinks relations = rules.compare_relations(beliefs, pool);
  const SparseScores all = all_evidence(rules, pair, beliefs, relations, pool);
  ASSERT_GT(all.size(), 0U);
  for (EntityId left = 0; left < kEntities; ++left) {
    for (std::uint64_t n = all.begin[left]; n < all.begin[left + 1]; ++n) {
      const RuleReasons reasons = rules.reasons(beliefs, relations, left, all.column[n]);
      double sum = 0, last = std::numeric_limits<double>::infinity();
      for (const RuleReason& reason : reasons.in_favour) {
        sum += reason.weight;
        EXPECT_LE(reason.weight, last);
        last = reason.weight;
      }
      EXPECT_NEAR(sum, static_cast<double>(all.score[n]), 1e-3 * (1 + sum));
    }
  }
}

TEST(Rules, AnotherNeighbourInPlaceOfTheKnownOneSpeaksAgainst) {
  // Four known capitals make the relation correspond; country 0 has capital 5 on the left, 6 on the right.
  std::vector<TestTriple> left{{0, 0, 5}}, right{{0, 0, 6}};
  SparseBuilder beliefs(20, 20);
  for (const EntityId known : {5U, 6U}) beliefs.add(known, known, 1);
  for (std::uint32_t i = 0; i < 4; ++i) {
    left.emplace_back(8 + i, 0, 14 + i);
    right.emplace_back(8 + i, 0, 14 + i);
    beliefs.add(8 + i, 8 + i, 1);
    beliefs.add(14 + i, 14 + i, 1);
  }
  const GraphPair pair(tiny_graph(20, 1, left), tiny_graph(20, 1, right));
  const Beliefs believed = beliefs.build();
  ThreadPool pool(1);
  const Rules rules(pair);
  const RuleReasons reasons = rules.reasons(believed, rules.compare_relations(believed, pool), 0, 0);
  EXPECT_TRUE(reasons.in_favour.empty());
  ASSERT_EQ(reasons.against.size(), 1U);
  EXPECT_EQ(reasons.against[0].left, (Edge{.neighbour = 5, .relation = 0}));
  EXPECT_EQ(reasons.against[0].right, (Edge{.neighbour = 6, .relation = 0}));
  EXPECT_NEAR(reasons.against[0].weight, -std::log(1 - 4.0 / 5), 1e-6);
}

}  // namespace
}  // namespace dovetail
