#include "deciding/confidence.h"

#include <dovetail/calibration.h>
#include <dovetail/errors.h>
#include <dovetail/link_metrics.h>

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <vector>

#include "pairs/random_scores.h"

namespace dovetail {
namespace {

double value_of(const FeatureTable& table, std::size_t row, const std::string& name) {
  const auto found = std::ranges::find(table.names, name);
  EXPECT_NE(found, table.names.end()) << name;
  return table.row(row)[static_cast<std::size_t>(found - table.names.begin())];
}

TEST(LinkFeatures, SayWhatSpeaksForALink) {
  // Row 0: .6 and .3, none .1. Row 1: .8, none .2; it is column 1's best.
  const LinkProbabilities probabilities{
      sparse(2, {{{0, 0.6F}, {1, 0.3F}}, {{1, 0.8F}}}), {0.1F, 0.2F}, {0.5F, 0.0F}};
  const std::vector<float> structure = {0.2F, 0.5F, -0.1F};
  const std::vector<std::uint32_t> left = {1, 3}, right = {0, 7};
  const std::vector<double> extra = {5, 6, 7};
  const std::vector<Decision> decisions = {{0, 0, 0.6F}, {0, 1, 0.3F}, {1, 1, 0.8F}};
  const FeatureTable table = link_features(probabilities, decisions,
                                           {.scores = {{"structure", structure}},
                                            .row_degree = left,
                                            .column_degree = right,
                                            .extra = {{"age", extra}}});
  ASSERT_EQ(table.rows(), 3U);
  const auto column = [&](const std::string& name) {
    return std::vector<double>{value_of(table, 0, name), value_of(table, 1, name), value_of(table, 2, name)};
  };
  const auto expect = [&](const std::string& name, const std::vector<double>& expected) {
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(column(name)[i], expected[i], 1e-6) << name << " " << i;
  };
  expect("log-odds", {std::log(0.6 / 0.4), std::log(0.3 / 0.7), std::log(0.8 / 0.2)});
  expect("log-odds of no counterpart, left", {std::log(0.1 / 0.9), std::log(0.1 / 0.9), std::log(0.2 / 0.8)});
  expect("log-odds of no counterpart, right", {0, std::log(1e-9), std::log(1e-9)});
  expect("row margin", {0.3, -0.3, 0.6});
  expect("column margin", {0.1, -0.5, 0.5});
  expect("best of row", {1, 0, 1});
  expect("best of column", {1, 0, 1});
  expect("structure", {0.2, 0.5, -0.1});
  expect("structure, row margin", {-0.3, 0.3, 0});  // row 1 has no other: ahead of the least, itself, by 0
  expect("structure, column margin", {0.3, 0.6, -0.6});
  expect("structure, best of row", {0, 1, 1});
  expect("structure, best of column", {1, 1, 0});
  expect("log degree, left", {std::log(2), std::log(2), std::log(4)});
  expect("log degree, right", {0, std::log(8), std::log(8)});
  expect("age", {5, 6, 7});
}

TEST(LinkFeatures, CertaintyIsFinite) {
  const LinkProbabilities probabilities{sparse(2, {{{0, 1.0F}, {1, 0.0F}}}), {0.0F}, {0.0F, 1.0F}};
  const std::vector<Decision> decisions = {{0, 0, 1.0F}, {0, 1, 0.0F}};
  const FeatureTable table = link_features(probabilities, decisions, {});
  for (const double value : table.values) EXPECT_TRUE(std::isfinite(value));
  EXPECT_GT(value_of(table, 0, "log-odds"), 20);
  EXPECT_LT(value_of(table, 1, "log-odds"), -20);
}

TEST(LinkFeatures, RefuseWhatDoesNotFit) {
  const LinkProbabilities probabilities{sparse(2, {{{0, 1.0F}}}), {0.0F}, {0.0F, 1.0F}};
  const std::vector<Decision> known = {{0, 0, 1}}, unknown = {{0, 1, 1}};
  const std::vector<float> two = {1, 2};
  const std::vector<std::uint32_t> one = {1};
  EXPECT_THROW((void)link_features(probabilities, unknown, {}), Error);
  EXPECT_THROW((void)link_features(probabilities, known, {.scores = {{"structure", two}}}), Error);
  EXPECT_THROW((void)link_features(probabilities, known, {.row_degree = one}), Error);
}

/// The rows with an even number and those with an odd one.
struct Halves {
  FeatureTable examples, rest;
  std::vector<std::uint8_t> example_outcome, rest_outcome;

  Halves(const FeatureTable& table, const std::vector<std::uint8_t>& outcome)
      : examples{table.names, {}}, rest{table.names, {}} {
    for (std::size_t i = 0; i < table.rows(); ++i) {
      FeatureTable& half = i % 2 == 0 ? examples : rest;
      half.values.insert(half.values.end(), table.row(i).begin(), table.row(i).end());
      (i % 2 == 0 ? example_outcome : rest_outcome).push_back(outcome[i]);
    }
  }
};

TEST(Confidence, FittedOnOneHalfMeansWhatItSaysOnTheOther) {
  Random random(1);
  const SparseScores scores = planted_scores(6000, 40, random);
  ThreadPool pool(1);
  const LinkProbabilities probabilities = sinkhorn(scores, {}, pool);
  const std::vector<Decision> decisions = best_of_rows(probabilities.pairs);
  std::vector<std::uint8_t> right;
  for (const Decision& decision : decisions) right.push_back(decision.row == decision.column ? 1 : 0);
  const Halves halves(link_features(probabilities, decisions, {.scores = {{"structure", scores.score}}}),
                      right);
  const std::vector<double> found =
      predict(fit_logistic(halves.examples, halves.example_outcome), halves.rest);
  std::vector<double> raw;
  for (std::size_t i = 1; i < decisions.size(); i += 2) raw.push_back(decisions[i].score);
  const double fitted_error = calibration(found, halves.rest_outcome).expected_error;
  const double raw_error = calibration(raw, halves.rest_outcome).expected_error;
  EXPECT_LT(fitted_error, 0.03);
  EXPECT_GT(raw_error, 2 * fitted_error);
  EXPECT_GE(coverage_at_precision(found, halves.rest_outcome, 0.95).share,
            coverage_at_precision(raw, halves.rest_outcome, 0.95).share - 0.01);
}

TEST(Confidence, TheSameRegressionTellsWhatHasNoCounterpart) {
  Random random(2);
  SparseScores scores = planted_scores(6000, 40, random, 0.4);
  // Three rows in ten lose their counterpart: its score becomes one like all others.
  std::vector<std::uint8_t> none;
  for (std::size_t row = 0; row < scores.rows(); ++row) {
    none.push_back(random.uniform() < 0.3 ? 1 : 0);
    if (none.back() == 0) continue;
    const auto columns = scores.columns_of(row);
    const auto own = static_cast<std::uint64_t>(std::ranges::find(columns, row) - columns.begin());
    scores.score[scores.begin[row] + own] -= 0.4F;
  }
  ThreadPool pool(1);
  const LinkProbabilities probabilities = sinkhorn(scores, {.no_counterpart = 0.2}, pool);
  const Halves halves(link_features(probabilities, best_of_rows(probabilities.pairs),
                                    {.scores = {{"structure", scores.score}}}),
                      none);
  const std::vector<double> found =
      predict(fit_logistic(halves.examples, halves.example_outcome), halves.rest);
  EXPECT_LT(calibration(found, halves.rest_outcome).expected_error, 0.03);
  Verdicts predicted, known;
  for (EntityId i = 0; i < found.size(); ++i) {
    if (found[i] > 0.5) predicted.none_left.push_back(i);
    if (halves.rest_outcome[i] != 0) {
      known.none_left.push_back(i);
    } else {
      known.links.push_back({i, i});
    }
  }
  // Saying "none" of everything would have an F1 of .46.
  EXPECT_GT(verdict_metrics(predicted, known).none_left.f1, 0.8);
}

}  // namespace
}  // namespace dovetail
