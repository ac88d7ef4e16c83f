#include <dovetail/errors.h>
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

TEST(StrictMetrics, EveryLinkCounts) {
  // a is right, b wrong, d is not in the gold: wrong too; e has two links of which one is right.
  const std::vector<NamedLink> predicted = {{"a", "A", .9}, {"b", "X", .8}, {"d", "D", .3},
                                            {"e", "E", .7}, {"e", "F", .2}, {"a", "A", .1}};
  const std::vector<NamedLink> gold = {{"a", "A"}, {"b", "B"}, {"e", "E"}, {"e", "E"}};
  const StrictMetrics metrics = strict_metrics(predicted, gold);
  EXPECT_EQ(metrics.predicted, 5U);
  EXPECT_EQ(metrics.correct, 2U);
  EXPECT_EQ(metrics.gold, 3U);
  EXPECT_DOUBLE_EQ(metrics.precision, 2.0 / 5);
  EXPECT_DOUBLE_EQ(metrics.recall, 2.0 / 3);
  EXPECT_DOUBLE_EQ(metrics.f1, 0.5);
  EXPECT_DOUBLE_EQ(metrics.best_f1, 2.0 / 3);  // of a, b and e
  EXPECT_DOUBLE_EQ(metrics.best_score, .7);
}

TEST(StrictMetrics, EqualScoresAreKeptTogether) {
  const StrictMetrics metrics = strict_metrics({{"a", "A", 1}, {"b", "X", 1}}, {{"a", "A"}});
  EXPECT_DOUBLE_EQ(metrics.best_f1, 2.0 / 3);
  EXPECT_DOUBLE_EQ(metrics.best_f1, metrics.f1);
}

TEST(LinkCalibration, LooksAtWhatTheGoldCanJudgeUnlessItIsComplete) {
  const std::vector<NamedLink> predicted = {
      {"a", "A", 0, .9}, {"b", "B", 0, .5}, {"c", "A", 0, .7}, {"d", "D", 0, {}}};
  const std::vector<NamedLink> gold = {{"a", "A"}};
  const Calibration some = link_calibration(predicted, gold, false);
  EXPECT_EQ(some.count, 2U);  // a, and c by its right end
  EXPECT_NEAR(some.confidence, .8, 1e-12);
  EXPECT_NEAR(some.right, .5, 1e-12);
  EXPECT_NEAR(some.expected_error, (.1 + .7) / 2, 1e-12);
  const Calibration all = link_calibration(predicted, gold, true);
  EXPECT_EQ(all.count, 3U);
  EXPECT_NEAR(all.expected_error, (.1 + .7 + .5) / 3, 1e-12);
  EXPECT_EQ(link_calibration({{"a", "A", 1}}, gold, true).count, 0U);
}

TEST(LinkMetrics, LeaveOutSeedsAndLinksOfTheirEntities) {
  std::vector<NamedLink> predicted = {{"a", "A"}, {"a", "X"}, {"b", "B"}, {"c", "C2"}, {"d", "A"}};
  std::vector<NamedLink> gold = {{"a", "A"}, {"b", "B"}, {"c", "C"}, {"c", "C2"}};
  leave_out_seeds({{"a", "A"}, {"c", "C"}}, predicted, gold);
  ASSERT_EQ(gold.size(), 2U);
  EXPECT_EQ(gold[0].left, "b");
  ASSERT_EQ(predicted.size(), 2U);  // c has a second counterpart, which is asked for
  EXPECT_EQ(predicted[0].left, "b");
  EXPECT_EQ(predicted[1].right, "C2");
}

TEST(LinkMetrics, KeepLinksOfEntitiesThatMatch) {
  std::vector<NamedLink> links = {{"http://x/person/1", "a"}, {"http://x/city/1", "b"}, {"Zürich", "c"}};
  keep_matching("person/\\d+$|^Z.rich$", links);
  ASSERT_EQ(links.size(), 2U);
  EXPECT_EQ(links[1].left, "Zürich");
  EXPECT_THROW(keep_matching("(", links), ParameterError);
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
