#include <dovetail/link_metrics.h>

#include <gtest/gtest.h>
#include <vector>

namespace dovetail {
namespace {

TEST(LinkMetrics, AGoldLinkThatIsRepeatedCountsOnce) {
  const std::vector<NamedLink> found{{"a", "x", 1}}, gold{{"a", "x", 1}, {"a", "x", 1}};
  const LinkMetrics metrics = link_metrics(found, gold);
  EXPECT_EQ(metrics.precision, 1);
  EXPECT_EQ(metrics.recall, 1);
  EXPECT_EQ(metrics.gold, 1U);
}

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

TEST(LinkMetrics, ALeftEntityWithTwoGoldLinksIsOnePrediction) {
  const LinkMetrics metrics = link_metrics({{"a", "A", 1}, {"b", "B", 1}}, {{"a", "A"}, {"a", "X"}});
  EXPECT_EQ(metrics.predicted, 1U);
  EXPECT_EQ(metrics.unjudged, 1U);
  EXPECT_DOUBLE_EQ(metrics.precision, 1);
  EXPECT_DOUBLE_EQ(metrics.recall, 0.5);
}

TEST(VerdictMetrics, JudgesLinksAndNone) {
  const Verdicts known{.links = {{0, 0}, {1, 1}, {2, 2}}, .none_left = {10, 11, 12}, .none_right = {20}};
  const Verdicts predicted{// Right, wrong, wrong (10 has none), and one of which nothing is known.
                           .links = {{0, 0}, {1, 2}, {10, 30}, {40, 41}},
                           // Wrong (2 has a counterpart), right, right, and one of which nothing is known.
                           .none_left = {2, 11, 12, 50},
                           .none_right = {20, 1}};
  const VerdictMetrics metrics = verdict_metrics(predicted, known);
  EXPECT_EQ(metrics.links.predicted, 3U);
  EXPECT_DOUBLE_EQ(metrics.links.precision, 1.0 / 3);
  EXPECT_DOUBLE_EQ(metrics.links.recall, 1.0 / 3);
  EXPECT_EQ(metrics.unjudged_links, 1U);
  EXPECT_EQ(metrics.none_left.predicted, 3U);
  EXPECT_DOUBLE_EQ(metrics.none_left.precision, 2.0 / 3);
  EXPECT_DOUBLE_EQ(metrics.none_left.recall, 2.0 / 3);
  EXPECT_DOUBLE_EQ(metrics.none_left.f1, 2.0 / 3);
  EXPECT_EQ(metrics.unjudged_none, 1U);
  EXPECT_DOUBLE_EQ(metrics.none_right.precision, 0.5);
  EXPECT_DOUBLE_EQ(metrics.none_right.recall, 1);
}

TEST(VerdictMetrics, ALinkIsJudgedByItsRightEndToo) {
  const Verdicts known{.links = {{0, 0}}, .none_left = {}, .none_right = {7}};
  const VerdictMetrics metrics = verdict_metrics({.links = {{5, 0}, {6, 7}, {6, 8}, {6, 8}}}, known);
  EXPECT_EQ(metrics.links.predicted, 2U);
  EXPECT_EQ(metrics.links.correct, 0U);
  EXPECT_EQ(metrics.unjudged_links, 1U);
}

}  // namespace
}  // namespace dovetail
