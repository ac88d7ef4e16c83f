#include <dovetail/graph_builder.h>

#include <algorithm>
#include <array>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "common/random.h"

namespace dovetail {
namespace {

using testing::ElementsAre;

KnowledgeGraph small_graph(std::optional<std::uint64_t> seed) {
  GraphBuilder builder;
  const auto add = [&](const char* head, const char* relation, const char* tail) {
    const std::uint32_t h = builder.entity(head);
    const std::uint32_t r = builder.relation(relation);
    builder.triple(h, r, builder.entity(tail));
  };
  add("http://x/Paris", "capitalOf", "http://x/France");
  add("http://x/Paris", "in", "http://x/Europe");
  add("http://x/France", "in", "http://x/Europe");
  add("http://x/Paris", "in", "http://x/Europe");  // again
  builder.entity("http://x/Nowhere");
  return std::move(builder).build(seed);
}

TEST(GraphBuilder, KeepsBothDirectionsSortedAndCountsDuplicatesOnce) {
  const KnowledgeGraph graph = small_graph(std::nullopt);
  EXPECT_EQ(graph.entity_count(), 4U);
  EXPECT_EQ(graph.relation_count(), 2U);
  EXPECT_EQ(graph.triple_count(), 3U);
  EXPECT_EQ(graph.duplicate_count(), 1U);
  const RelationId capital_of = 0;
  const RelationId in = 1;
  const EntityId paris = 0;
  const EntityId france = 1;
  const EntityId europe = 2;
  EXPECT_THAT(graph.edges(paris), ElementsAre(Edge{france, capital_of}, Edge{europe, in}));
  EXPECT_THAT(graph.edges(france), ElementsAre(Edge{europe, in}, Edge{paris, capital_of + 2}));
  EXPECT_THAT(graph.edges(europe), ElementsAre(Edge{paris, in + 2}, Edge{france, in + 2}));
  EXPECT_EQ(graph.degree(*graph.find("http://x/Nowhere")), 0U);
}

TEST(GraphBuilder, ShufflingMovesIdsButNotTheGraph) {
  const KnowledgeGraph plain = small_graph(std::nullopt);
  const auto triples = [](const KnowledgeGraph& graph) {
    std::set<std::tuple<std::string, std::string, std::string>> set;
    for (EntityId e = 0; e < graph.entity_count(); ++e) {
      for (const Edge& edge : graph.edges(e)) {
        if (edge.relation < graph.relation_count()) {
          set.emplace(graph.entity(e), graph.relation(edge.relation), graph.entity(edge.neighbour));
        }
      }
    }
    return set;
  };
  bool moved = false;
  for (std::uint64_t seed = 1; seed < 6; ++seed) {
    const KnowledgeGraph shuffled = small_graph(seed);
    EXPECT_EQ(triples(shuffled), triples(plain));
    for (std::size_t n = 0; n < 4; ++n) {
      EXPECT_EQ(shuffled.entity(shuffled.nth_in_source(n)), plain.entity(plain.nth_in_source(n)));
      moved = moved || shuffled.nth_in_source(n) != n;
    }
    EXPECT_EQ(shuffled.entity(*shuffled.find("http://x/France")), "http://x/France");
  }
  EXPECT_TRUE(moved);
}

TEST(GraphBuilder, AgreesWithSetsOnRandomGraphs) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Random random(seed);
    GraphBuilder builder;
    const std::size_t entities = 1 + random.below(50);
    for (std::size_t i = 0; i < entities; ++i) builder.add_entity(std::to_string(i));
    const std::size_t relations = 1 + random.below(5);
    for (std::size_t i = 0; i < relations; ++i) builder.relation("r" + std::to_string(i));
    std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> expected;
    const std::size_t triples = random.below(400);
    for (std::size_t i = 0; i < triples; ++i) {
      const auto h = static_cast<std::uint32_t>(random.below(entities));
      const auto r = static_cast<std::uint32_t>(random.below(relations));
      const auto t = static_cast<std::uint32_t>(random.below(entities));
      builder.triple(h, r, t);
      expected.emplace(h, r, t);
    }
    const KnowledgeGraph graph = std::move(builder).build(seed);
    std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> forward;
    std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> backward;
    std::vector<std::uint32_t> source(entities);
    for (std::uint32_t n = 0; n < entities; ++n) source[graph.nth_in_source(n)] = n;
    // Relations are numbered by what they are called.
    std::vector<std::uint32_t> mentioned;
    for (RelationId r = 0; r < relations; ++r) {
      mentioned.push_back(static_cast<std::uint32_t>(std::stoul(std::string(graph.relation(r).substr(1)))));
    }
    for (EntityId e = 0; e < entities; ++e) {
      for (const Edge& edge : graph.edges(e)) {
        if (edge.relation < relations) {
          forward.emplace(source[e], mentioned[edge.relation], source[edge.neighbour]);
        } else {
          backward.emplace(source[edge.neighbour], mentioned[edge.relation - relations], source[e]);
        }
      }
    }
    EXPECT_EQ(forward, expected);
    EXPECT_EQ(backward, expected);
    EXPECT_EQ(graph.triple_count(), expected.size());
    EXPECT_EQ(graph.duplicate_count(), triples - expected.size());
  }
}

TEST(GraphBuilder, TheOrderOfMentionDoesNotMatter) {
  std::vector<std::array<std::string, 3>> triples;
  Random random(3);
  for (std::size_t n = 0; n < 300; ++n) {
    triples.push_back({"e" + std::to_string(random.below(60)), "r" + std::to_string(random.below(9)),
                       "e" + std::to_string(random.below(60))});
  }
  const auto built = [&] {
    GraphBuilder builder;
    for (const auto& [head, relation, tail] : triples) {
      const auto h = builder.entity(head);
      builder.triple(h, builder.relation(relation), builder.entity(tail));
    }
    return std::move(builder).build(5);
  };
  const KnowledgeGraph one = built();
  random.shuffle(std::span(triples));
  const KnowledgeGraph other = built();
  ASSERT_EQ(one.entity_count(), other.entity_count());
  ASSERT_EQ(one.relation_count(), other.relation_count());
  for (RelationId r = 0; r < one.relation_count(); ++r) EXPECT_EQ(one.relation(r), other.relation(r));
  for (EntityId e = 0; e < one.entity_count(); ++e) {
    EXPECT_EQ(one.entity(e), other.entity(e));
    EXPECT_TRUE(std::ranges::equal(one.edges(e), other.edges(e))) << e;
  }
}

TEST(GraphBuilder, NamesComeFromLabelsByPreferenceOrFromTheIdentifier) {
  GraphBuilder builder;
  const auto a = builder.entity("http://x/page#Some_Thing");
  const auto b = builder.entity("http://x/B/");
  builder.label(a, "later choice", 2);
  builder.label(a, "first choice", 0);
  builder.label(a, "second of the same rank", 0);
  const KnowledgeGraph graph = std::move(builder).build(7);
  EXPECT_EQ(graph.name(graph.nth_in_source(a)), "first choice");
  EXPECT_EQ(graph.name(graph.nth_in_source(b)), "B");
  EXPECT_EQ(graph.label(graph.nth_in_source(b)), "");
  EXPECT_EQ(graph.label_count(), 1U);
}

TEST(GraphBuilder, LiteralsAreCountedAndKeptOnlyOnRequest) {
  for (const bool keep : {false, true}) {
    GraphBuilder builder;
    builder.keep_literals(keep);
    builder.entity("other");
    const auto a = builder.entity("a");
    builder.literal(a, "age", "\"7\"");
    const KnowledgeGraph graph = std::move(builder).build(3);
    EXPECT_EQ(graph.literal_count(), 1U);
    EXPECT_EQ(graph.triple_count(), 0U);
    ASSERT_EQ(graph.literals().size(), keep ? 1U : 0U);
    if (keep) {
      EXPECT_EQ(graph.entity(graph.literals()[0].subject), "a");
      EXPECT_EQ(graph.attributes()[graph.literals()[0].attribute], "age");
      EXPECT_EQ(graph.literal_values()[graph.literals()[0].value], "\"7\"");
    }
  }
}

TEST(LastPart, IsWhatFollowsTheLastSeparator) {
  EXPECT_EQ(last_part("http://dbpedia.org/resource/Paris"), "Paris");
  EXPECT_EQ(last_part("http://x/onto#Person"), "Person");
  EXPECT_EQ(last_part("http://x/Paris/"), "Paris");
  EXPECT_EQ(last_part("urn:isbn:123"), "123");
  EXPECT_EQ(last_part("Deh_Bonyad"), "Deh_Bonyad");
  EXPECT_EQ(last_part("Star_Trek:_Voyager"), "Star_Trek:_Voyager");
  EXPECT_EQ(last_part(""), "");
}

TEST(GraphPair, SharesRelationsOfTheSameName) {
  const auto graph = [](std::vector<std::string> relations) {
    GraphBuilder builder;
    builder.entity("e");
    for (const auto& relation : relations) builder.relation(relation);
    return std::move(builder).build(std::nullopt);
  };
  const GraphPair pair(graph({"born", "died"}), graph({"wrote", "born"}));
  EXPECT_EQ(pair.relation_count(), 3U);
  EXPECT_EQ(pair.shared_relation(Side::left, 1), 1U);
  EXPECT_EQ(pair.shared_relation(Side::right, 0), 2U);
  EXPECT_EQ(pair.shared_relation(Side::right, 1), 0U);
  EXPECT_EQ(pair.shared_relation(Side::left, 2 + 1), 3U + 1U);
  EXPECT_EQ(pair.shared_relation(Side::right, 2 + 1), 3U + 0U);
  EXPECT_EQ(pair.shared_id(Side::left, 0), 0U);
  EXPECT_EQ(pair.shared_id(Side::right, 0), 1U);
}

}  // namespace
}  // namespace dovetail
