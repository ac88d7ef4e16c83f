#include "deciding/logistic.h"

#include <dovetail/calibration.h>
#include <dovetail/errors.h>

#include <cmath>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <vector>

#include "pairs/random_scores.h"

namespace dovetail {
namespace {

double chance_of(double log_odds) {
  return 1 / (1 + std::exp(-log_odds));
}

struct Examples {
  FeatureTable table;
  std::vector<std::uint8_t> outcome;
  std::vector<double> chance;  ///< of outcome 1
};

/// Three features of different size and place, of which the last one says nothing.
Examples known_examples(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  Examples examples{{{"wide", "narrow", "idle"}, {}}, {}, {}};
  for (std::size_t i = 0; i < count; ++i) {
    const double wide = 1000 + 200 * random.uniform();
    const double narrow = 0.01 * random.uniform();
    examples.table.values.insert(examples.table.values.end(), {wide, narrow, random.uniform()});
    examples.chance.push_back(chance_of(0.02 * (wide - 1100) + 300 * (narrow - 0.005) + 1));
    examples.outcome.push_back(random.uniform() < examples.chance.back() ? 1 : 0);
  }
  return examples;
}

TEST(Logistic, FindsTheChancesThatMadeTheExamples) {
  const LogisticModel model = [] {
    const Examples known = known_examples(20000, 1);
    return fit_logistic(known.table, known.outcome);
  }();
  const Examples fresh = known_examples(20000, 2);
  const std::vector<double> found = predict(model, fresh.table);
  double error = 0;
  for (std::size_t i = 0; i < found.size(); ++i) error += std::abs(found[i] - fresh.chance[i]) / 20000;
  EXPECT_LT(error, 0.01);
  EXPECT_LT(calibration(found, fresh.outcome).expected_error, 0.015);
  EXPECT_LT(std::abs(model.weight[2]), 0.05 * std::abs(model.weight[0]));
}

RC_GTEST_PROP(Logistic, NoStepLowersTheLossAnyMore, ()) {
  Random random(*rc::gen::arbitrary<std::uint64_t>());
  const std::size_t count = any_size(1, 60);
  const std::size_t features = any_size(1, 5);
  FeatureTable table{std::vector<std::string>(features, "x"), {}};
  std::vector<std::uint8_t> outcome;
  const double share = *rc::gen::element(0.0, 0.1, 0.5, 1.0);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t f = 0; f < features; ++f) {
      // The second feature is the first one over again, the third always the same.
      const double fresh = std::exp(4 * random.uniform());
      table.values.push_back(f == 1 ? table.values.back() : f == 2 ? 7 : fresh);
    }
    outcome.push_back(random.uniform() < share ? 1 : 0);
  }
  const double l2 = *rc::gen::element(0.01, 1.0, 10.0);
  const LogisticModel model = fit_logistic(table, outcome, {.l2 = l2});

  double right = 0;
  for (const std::uint8_t o : outcome) right += o;
  const double wrong = static_cast<double>(count) - right;
  const std::vector<double> found = predict(model, table);
  std::vector<double> gradient(features + 1, 0);
  for (std::size_t i = 0; i < count; ++i) {
    const double error = (outcome[i] != 0 ? (right + 1) / (right + 2) : 1 / (wrong + 2)) - found[i];
    gradient[features] += error;
    for (std::size_t f = 0; f < features; ++f) {
      const double spread = model.deviation[f] > 0 ? model.deviation[f] : 1;
      gradient[f] += error * (table.row(i)[f] - model.mean[f]) / spread;
    }
  }
  for (std::size_t f = 0; f < features; ++f) gradient[f] -= l2 * model.weight[f];
  for (const double slope : gradient) RC_ASSERT(std::abs(slope) < 1e-4);
  if (features > 2) RC_ASSERT(model.weight[2] == 0.0);
}

TEST(Logistic, ExamplesThatAPlaneDividesGiveSureButFiniteAnswers) {
  FeatureTable table{{"x"}, {}};
  std::vector<std::uint8_t> outcome;
  for (int i = -50; i < 50; ++i) {
    table.values.push_back(i < 0 ? i - 1e3 : i + 1e3);
    outcome.push_back(i < 0 ? 0 : 1);
  }
  for (const double l2 : {0.0, 1.0}) {
    const std::vector<double> found = predict(fit_logistic(table, outcome, {.l2 = l2}), table);
    EXPECT_LT(found.front(), 0.1);
    EXPECT_GT(found.front(), 1e-4);
    EXPECT_GT(found.back(), 0.9);
    EXPECT_LT(found.back(), 1 - 1e-4);
  }
}

TEST(Logistic, FewExamplesGiveCautiousAnswers) {
  const FeatureTable one{{"x"}, {3}};
  const std::vector<std::uint8_t> yes = {1};
  EXPECT_NEAR(predict(fit_logistic(one, yes), one)[0], 2.0 / 3, 1e-6);  // Laplace's rule
  const FeatureTable none{{"x"}, {}};
  EXPECT_NEAR(predict(fit_logistic(none, {}), one)[0], 0.5, 1e-6);
}

TEST(Logistic, RefusesWhatDoesNotFit) {
  const std::vector<std::uint8_t> yes = {1};
  EXPECT_THROW((void)fit_logistic({{"x"}, {NAN}}, yes), Error);
  EXPECT_THROW((void)fit_logistic({{"x"}, {1, 2}}, yes), Error);
  EXPECT_THROW((void)fit_logistic({{"x"}, {1}}, yes, {.l2 = -1}), ParameterError);
  EXPECT_THROW((void)predict(fit_logistic({{"x"}, {1}}, yes), {{"y"}, {1}}), Error);
}

}  // namespace
}  // namespace dovetail
