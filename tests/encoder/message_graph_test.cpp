// The graphs that messages run along, against lists made edge by edge.
#include "encoder/message_graph.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

#include "encoder/equal_graphs.h"
#include "encoder/tiny_pair.h"

namespace dovetail {
namespace {

/// More nodes than one thread works on at a time. Both graphs have the same relations, but the right one
/// numbers them the other way round.
GraphPair large_pair() {
  constexpr std::uint32_t kEntities = 20'000, kRelations = 5;
  Random random(5);
  std::vector<GraphBuilder> builders(2);
  for (GraphBuilder& builder : builders) {
    for (std::uint32_t i = 0; i < kEntities; ++i) builder.add_entity(fmt::format("e{}", i));
  }
  for (std::uint32_t r = 0; r < kRelations; ++r) {
    builders[0].relation(fmt::format("r{}", r));
    builders[1].relation(fmt::format("r{}", kRelations - 1 - r));
  }
  for (std::size_t i = 0; i < 3 * kEntities; ++i) {
    const std::size_t place = random.below(kEntities);  // a few entities have many edges
    const auto head = static_cast<std::uint32_t>(place * place / kEntities);
    const auto tail = static_cast<std::uint32_t>(random.below(kEntities));
    builders[i % 2].triple(head, static_cast<std::uint32_t>(random.below(kRelations)), tail);
  }
  return {std::move(builders[0]).build(1), std::move(builders[1]).build(2)};
}

MessageGraph naive_whole_graph(const GraphPair& pair, const NodeOrder& order, bool self_loops) {
  MessageGraphMaker maker;
  LargeVector<DirectedEdge>& edges = maker.edges;
  for (const Side side : {Side::left, Side::right}) {
    for (EntityId entity = 0; entity < pair.graph(side).entity_count(); ++entity) {
      const std::uint32_t node = order.node_of[pair.shared_id(side, entity)];
      if (self_loops) edges.push_back({node, static_cast<std::uint32_t>(2 * pair.relation_count()), node});
      for (const Edge& edge : pair.graph(side).edges(entity)) {
        edges.push_back({node, pair.shared_relation(side, edge.relation),
                         order.node_of[pair.shared_id(side, edge.neighbour)]});
      }
    }
  }
  std::vector<std::uint32_t> rows(order.entity_of.size());
  for (std::uint32_t row = 0; row < rows.size(); ++row) rows[row] = row;
  MessageGraph graph;
  maker.make(std::move(rows), graph);
  return graph;
}

TEST(MessageGraph, OfWholeGraphsIsThatOfTheirEdges) {
  const GraphPair pair = large_pair();
  for (const std::size_t threads : {1, 2, 8}) {
    ThreadPool pool(threads);
    const NodeOrder order = breadth_first_order(pair, pool);
    for (const bool self_loops : {false, true}) {
      const MessageGraph expected = naive_whole_graph(pair, order, self_loops);
      const MessageGraph graph = whole_graph(pair, order, pool, {.self_loops = self_loops});
      expect_equal(graph, expected);
    }
  }
}

TEST(MessageGraph, ForwardOnlyIsTheSameWithoutWhatGradientsNeed) {
  const GraphPair pair = large_pair();
  ThreadPool pool(2);
  const NodeOrder order = breadth_first_order(pair, pool);
  const MessageGraph whole = whole_graph(pair, order, pool);
  const MessageGraph forward = whole_graph(pair, order, pool, {.forward_only = true});
  expect_equal(forward.out, whole.out);
  expect_equal(forward.closed, whole.closed);
  EXPECT_TRUE(forward.in.neighbour.empty());
  EXPECT_LT(forward.memory_bytes(), 0.55 * static_cast<double>(whole.memory_bytes()));
}

TEST(MessageGraph, OrderIsBreadthFirstFromTheBestConnected) {
  const GraphPair pair = large_pair();
  ThreadPool pool(2);
  const NodeOrder order = breadth_first_order(pair, pool);
  ASSERT_EQ(order.left_count, pair.left().entity_count());
  std::vector<bool> seen(pair.entity_count(), false);
  for (std::uint32_t node = 0; node < order.entity_of.size(); ++node) {
    const std::uint32_t entity = order.entity_of[node];
    EXPECT_FALSE(seen[entity]);
    seen[entity] = true;
    EXPECT_EQ(order.node_of[entity], node);
    EXPECT_EQ(entity < order.left_count, node < order.left_count);
  }
  const KnowledgeGraph& left = pair.left();
  std::size_t most = 0;
  for (EntityId entity = 0; entity < left.entity_count(); ++entity) {
    most = std::max<std::size_t>(most, left.degree(entity));
  }
  EXPECT_EQ(left.degree(order.entity_of[0]), most);
  // Those next to the first one follow it at once, in the order of its edges.
  std::uint32_t next = 1;
  std::vector<bool> found(left.entity_count(), false);
  found[order.entity_of[0]] = true;
  for (const Edge& edge : left.edges(order.entity_of[0])) {
    if (found[edge.neighbour]) continue;
    found[edge.neighbour] = true;
    EXPECT_EQ(order.node_of[edge.neighbour], next++);
  }
}

}  // namespace
}  // namespace dovetail
