#include <dovetail/link_metrics.h>

#include <gtest/gtest.h>
#include <vector>

namespace dovetail {
namespace {

TEST(LinkMetrics, CountsWhatIsRightWhatIsWrongAndWhatIsMissing) {
  const std::vector<NamedLink> predicted = {{"a", "A", 1}, {"b", "X", 1}, {"d", "D", 1}};
  const std::vector<NamedLink> gold = {{"a", "A"}, {"b", "B"}, {"c", "C"}};
  const LinkMetrics metrics = link_metrics(predicted, gold);
  EXPECT_EQ(metrics.predicted, 2U);
  EXPECT_EQ(metrics.correct, 1U);
  EXPECT_EQ(metrics.unjudged, 1U);  // d: the gold links say nothing of it
  EXPECT_DOUBLE_EQ(metrics.precision, 1.0 / 2);
  EXPECT_DOUBLE_EQ(metrics.recall, 1.0 / 3);
  EXPECT_DOUBLE_EQ(metrics.f1, 0.4);
  EXPECT_FALSE(metrics.ranked);
}

TEST(LinkMetrics, RanksCandidatesByScoreAndCountsTiesAgainstUs) {
  const std::vector<NamedLink> predicted = {{"a", "X", 0.9}, {"a", "A", 0.8}, {"a", "Y", 0.1},
                                            {"b", "B", 0.5}, {"b", "Z", 0.5}, {"c", "C", 0.7}};
  const std::vector<NamedLink> gold = {{"a", "A"}, {"b", "B"}, {"c", "C"}, {"d", "D"}};
  const LinkMetrics metrics = link_metrics(predicted, gold);
  EXPECT_TRUE(metrics.ranked);
  EXPECT_EQ(metrics.correct, 1U);  // a is second, b is tied
  EXPECT_DOUBLE_EQ(metrics.ranks.hits_at_1, 0.25);
  EXPECT_DOUBLE_EQ(metrics.ranks.hits_at_5, 0.75);
  EXPECT_DOUBLE_EQ(metrics.ranks.mrr, (0.5 + 0.5 + 1) / 4);
}

TEST(LinkMetrics, NothingPredictedIsNothingRight) {
  const LinkMetrics metrics = link_metrics({}, {{"a", "A"}});
  EXPECT_EQ(metrics.precision, 0);
  EXPECT_EQ(metrics.recall, 0);
  EXPECT_EQ(metrics.f1, 0);
}

}  // namespace
}  // namespace dovetail
