#include "training/negatives.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <set>
#include <vector>

#include "common/random.h"

namespace dovetail {
namespace {

constexpr std::size_t kLeft = 300;
constexpr std::size_t kAll = 520;
constexpr std::size_t kColumns = 16;

class NegativesTest : public testing::Test {
 protected:
  NegativesTest() {
    order_.left_count = kLeft;
    order_.entity_of.resize(kAll);
    options_.kind = LossKind::triplet;
    options_.nearest = 7;
    options_.negative_count = 40;
    Random random(1);
    for (double& value : features_.span()) value = 2 * random.uniform() - 1;
  }

  double cosine(std::size_t a, std::size_t b) const {
    double ab = 0, aa = 0, bb = 0;
    for (std::size_t c = 0; c < kColumns; ++c) {
      ab += features_.row(a)[c] * features_.row(b)[c];
      aa += features_.row(a)[c] * features_.row(a)[c];
      bb += features_.row(b)[c] * features_.row(b)[c];
    }
    return ab / std::sqrt(aa * bb);
  }

  /// The cosine with the k-th best of a graph, the node itself aside.
  double bar(std::size_t node, std::size_t begin, std::size_t end) const {
    std::vector<double> all;
    for (std::size_t other = begin; other < end; ++other) {
      if (other != node) all.push_back(cosine(node, other));
    }
    std::ranges::sort(all, std::greater<>());
    return all[options_.nearest - 1];
  }

  NodeOrder order_;
  LossOptions options_;
  Matrix<double> features_{kAll, kColumns};
  ThreadPool pool_{2};
  std::vector<NodePair> links_{{3, 400}, {299, 300}, {3, 519}};
};

TEST_F(NegativesTest, NearestAreTheNearestOfTheSameGraph) {
  NegativeSampler sampler(options_, order_);
  sampler.renew(links_, features_, pool_);
  const NegativeSampler::Drawn drawn = sampler.draw(links_, 5);
  ASSERT_EQ(drawn.left.size(), links_.size() * options_.negative_count);
  const double rounding = 0.01;  // scores are of rounded directions
  for (std::size_t i = 0; i < drawn.left.size(); ++i) {
    const NodePair& link = links_[i / options_.negative_count];
    ASSERT_LT(drawn.left[i], kLeft);
    ASSERT_GE(drawn.right[i], kLeft);
    EXPECT_NE(drawn.left[i], link.left);
    EXPECT_NE(drawn.right[i], link.right);
    EXPECT_GE(cosine(link.left, drawn.left[i]), bar(link.left, 0, kLeft) - rounding);
    EXPECT_GE(cosine(link.right, drawn.right[i]), bar(link.right, kLeft, kAll) - rounding);
  }
  const std::set<std::uint32_t> different(drawn.left.begin(), drawn.left.begin() + 40);
  EXPECT_EQ(different.size(), options_.nearest) << "40 draws out of 7 should find them all";
}

TEST_F(NegativesTest, UniformTakesAllOfTheSameGraph) {
  options_.negatives = Negatives::uniform;
  options_.negative_count = 5000;
  const NegativeSampler sampler(options_, order_);
  const NegativeSampler::Drawn drawn = sampler.draw(links_, 5);
  const std::set<std::uint32_t> left(drawn.left.begin(), drawn.left.end()),
      right(drawn.right.begin(), drawn.right.end());
  EXPECT_EQ(left.size(), kLeft);
  EXPECT_EQ(*left.rbegin(), kLeft - 1);
  EXPECT_EQ(right.size(), kAll - kLeft);
  EXPECT_EQ(*right.begin(), kLeft);
}

TEST_F(NegativesTest, TheSeedDecides) {
  options_.negatives = Negatives::uniform;
  const NegativeSampler sampler(options_, order_);
  EXPECT_EQ(sampler.draw(links_, 5).left, sampler.draw(links_, 5).left);
  EXPECT_NE(sampler.draw(links_, 5).left, sampler.draw(links_, 6).left);
}

TEST_F(NegativesTest, TheSymmetricLossHasNone) {
  options_.kind = LossKind::symmetric;
  EXPECT_TRUE(NegativeSampler(options_, order_).draw(links_, 1).left.empty());
}

}  // namespace
}  // namespace dovetail
