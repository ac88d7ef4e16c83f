#include "training/sampler.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>
#include <vector>

#include "encoder/equal_graphs.h"
#include "encoder/tiny_pair.h"

namespace dovetail {
namespace {

class SamplerTest : public testing::Test {
 protected:
  SamplerTest()
      : pair_(tiny_pair(300, 6, 900, 4)),
        graph_(whole_graph(pair_, breadth_first_order(pair_, pool_), pool_)) {}

  [[nodiscard]] std::unique_ptr<Sampler> sampler(SamplingOptions options) const {
    return make_sampler(options, 2, 2 * pair_.relation_count(), graph_);
  }

  ThreadPool pool_{1};
  GraphPair pair_;
  MessageGraph graph_;
};

TEST_F(SamplerTest, ReceptiveFieldReachesAsFarAsTheLayers) {
  const auto field = sampler({.method = Sampling::none});
  const std::vector<std::uint32_t> nodes{5};
  const Part part = field->draw(nodes, 0);
  EXPECT_EQ(part.computation.need[5], 3);
  for (std::size_t node = 0; node < graph_.node_count; ++node) {
    if (part.computation.need[node] < 2) continue;
    for (std::size_t e = graph_.out.first_edge(node); e < graph_.out.first_edge(node + 1); ++e) {
      EXPECT_GE(part.computation.need[graph_.out.neighbour[e]] + 1, part.computation.need[node]);
    }
  }
}

TEST_F(SamplerTest, DrawsAreEdgesOfTheGraphAndEveryNodeGetsSome) {
  for (const Sampling method : {Sampling::attention, Sampling::uniform}) {
    for (const bool distinct : {false, true}) {
      const auto edges = sampler({.method = method, .tau = 0.5, .distinct = distinct});
      const std::vector<std::uint32_t> nodes{7, 3, 40};
      const Part part = edges->draw(nodes, 9);
      const MessageGraph& drawn = *part.computation.graph;
      ASSERT_EQ(part.nodes.size(), 3U);
      for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(drawn.row_of[part.nodes[i]], nodes[i]);
        EXPECT_EQ(part.computation.need[part.nodes[i]], 3);
      }
      for (std::size_t node = 0; node < drawn.node_count; ++node) {
        const std::size_t whole = drawn.row_of[node];
        const std::size_t count = drawn.out.first_edge(node + 1) - drawn.out.first_edge(node);
        const std::size_t degree = graph_.out.first_edge(whole + 1) - graph_.out.first_edge(whole);
        EXPECT_LE(count, (degree + 1) / 2 + 1);
        const bool receives = part.computation.need[node] > 0 && degree > 0;
        EXPECT_EQ(count > 0, receives);
        for (std::size_t e = drawn.out.first_edge(node); e < drawn.out.first_edge(node + 1); ++e) {
          const auto begin =
              graph_.out.neighbour.begin() + static_cast<std::ptrdiff_t>(graph_.out.first_edge(whole));
          const std::uint32_t neighbour = drawn.row_of[drawn.out.neighbour[e]];
          EXPECT_NE(std::find(begin, begin + static_cast<std::ptrdiff_t>(degree), neighbour),
                    begin + static_cast<std::ptrdiff_t>(degree));
        }
      }
    }
  }
}

TEST_F(SamplerTest, TheSameSeedDrawsTheSame) {
  const auto edges = sampler({.method = Sampling::attention, .tau = 0.3});
  const std::vector<std::uint32_t> nodes{7, 3, 40};
  const auto draw = [&](std::uint64_t seed) {
    return edges->draw(nodes, seed).computation.graph->out.neighbour;
  };
  const auto first = draw(1);
  EXPECT_NE(first, draw(2));
  EXPECT_EQ(first, draw(1));
}

TEST_F(SamplerTest, AttentionIsFollowed) {
  const auto edges = sampler({.method = Sampling::attention, .tau = 1, .distinct = false});
  const std::size_t relations = 2 * pair_.relation_count();
  std::vector<std::vector<double>> logits(2, std::vector<double>(relations, 0));
  logits[0][2] = logits[1][2] = 8;  // relation 2 takes nearly all the attention where a node has it
  edges->renew(logits);
  std::vector<std::uint32_t> nodes;
  for (std::uint32_t node = 0; node < graph_.node_count; ++node) nodes.push_back(node);
  const Part part = edges->draw(nodes, 3);
  const EdgeLists& out = part.computation.graph->out;
  std::size_t with = 0, drawn_with = 0;
  for (std::size_t node = 0; node < graph_.node_count; ++node) {
    const auto has = [](const EdgeLists& lists, std::size_t n) {
      for (std::size_t g = lists.node_begin[n]; g < lists.node_begin[n + 1]; ++g) {
        if (lists.relation[g] == 2) return true;
      }
      return false;
    };
    if (!has(graph_.out, node)) continue;
    ++with;
    drawn_with += has(out, node) ? 1 : 0;
  }
  ASSERT_GT(with, 50U);
  EXPECT_GE(drawn_with, with - 3);
}

/// Graphs are made in the memory of earlier ones, larger or smaller.
TEST_F(SamplerTest, EarlierDrawsLeaveNothingBehind) {
  const SamplingOptions options{.method = Sampling::attention};
  const auto used = sampler(options);
  std::uint64_t seed = 0;
  for (const std::size_t count : {200, 3, 60, 1, 200, 7}) {
    std::vector<std::uint32_t> nodes;
    for (std::uint32_t i = 0; i < count; ++i) nodes.push_back(2 * i + 1);
    const auto fresh = sampler(options);
    const Part expected = fresh->draw(nodes, ++seed), part = used->draw(nodes, seed);
    expect_equal(*part.computation.graph, *expected.computation.graph);
    EXPECT_EQ(part.nodes, expected.nodes);
    EXPECT_TRUE(std::ranges::equal(part.computation.need, expected.computation.need));
  }
}

/// Few nodes are compared, many are marked.
TEST_F(SamplerTest, NodesComeByNeedAndThenAsInTheWholeGraph) {
  const auto drawing = sampler({.method = Sampling::attention});
  for (const std::size_t count : {3, 200}) {
    std::vector<std::uint32_t> nodes;
    for (std::uint32_t i = 0; i < count; ++i) nodes.push_back(static_cast<std::uint32_t>(599 - 2 * i));
    const Part part = drawing->draw(nodes, 1);
    const std::vector<std::uint32_t>& rows = part.computation.graph->row_of;
    ASSERT_GE(rows.size(), count);
    for (std::size_t i = 1; i < rows.size(); ++i) {
      const auto before = part.computation.need[i - 1], here = part.computation.need[i];
      EXPECT_TRUE(before > here || (before == here && rows[i - 1] < rows[i])) << i;
    }
  }
}

}  // namespace
}  // namespace dovetail
