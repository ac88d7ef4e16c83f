#include <gtest/gtest.h>
#include <numeric>
#include <vector>

#include "encoder/tiny_pair.h"
#include "training/sampler.h"

namespace dovetail {
namespace {

TEST(Reach, BoundsTheNodesThatGetFeatures) {
  const GraphPair pair = tiny_pair(3000, 6, 30000, 4);
  const MessageGraph graph = whole_graph(pair, breadth_first_order(pair));
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

}  // namespace
}  // namespace dovetail
