#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>
#include <vector>

#include "encoder/tiny_pair.h"
#include "training/sampler.h"

namespace dovetail {
namespace {

TEST(Reach, BoundsTheNodesThatGetFeatures) {
  const GraphPair pair = tiny_pair(3000, 6, 30000, 4);
  ThreadPool pool(1);
  const MessageGraph graph = whole_graph(pair, breadth_first_order(pair, pool), pool);
  std::vector<std::uint32_t> nodes(20);
  std::iota(nodes.begin(), nodes.end(), 100);
  const auto with_features = [&](std::size_t reach) {
    const auto sampler =
        make_sampler({.method = Sampling::attention, .reach = reach}, 2, 2 * pair.relation_count(), graph);
    const Part part = sampler->draw(nodes, 1);
    std::size_t count = 0;
    for (std::size_t i = 0; i < part.computation.need.size(); ++i) {
      count += part.computation.need[i] > 0 ? 1 : 0;
      if (i > 0) {
        EXPECT_LE(part.computation.need[i], part.computation.need[i - 1]);
      }
    }
    return count;
  };
  EXPECT_GT(with_features(0), 2000U);
  // Every node keeps one edge, which may lead past the limit.
  EXPECT_LE(with_features(16), 16 * nodes.size() * 5 / 4);
  EXPECT_GE(with_features(16), 16 * nodes.size() / 2);
}

TEST(Reach, BoundsWhatLendsItsEmbeddingOnly) {
  const GraphPair pair = tiny_pair(3000, 6, 30000, 4);
  ThreadPool pool(1);
  const MessageGraph graph = whole_graph(pair, breadth_first_order(pair, pool), pool);
  const std::vector<std::uint32_t> nodes{100, 200, 300};
  for (const std::size_t reach : {0, 200}) {
    const auto sampler =
        make_sampler({.method = Sampling::attention, .reach = reach}, 2, 2 * pair.relation_count(), graph);
    const Part part = sampler->draw(nodes, 1);
    const EdgeLists& out = part.computation.graph->out;
    std::size_t most = 0;
    for (std::size_t node = 0; node < part.computation.need.size(); ++node) {
      if (part.computation.need[node] == 1) {
        most = std::max(most, out.first_edge(node + 1) - out.first_edge(node));
      }
    }
    if (reach == 0) {
      EXPECT_GT(most, 10U);
    } else {
      EXPECT_EQ(most, 2U);
    }
  }
}

}  // namespace
}  // namespace dovetail
