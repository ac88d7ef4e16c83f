#include "deciding/sinkhorn.h"

#include <dovetail/errors.h>

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <rapidcheck/gtest.h>
#include <vector>

#include "pairs/random_scores.h"

namespace dovetail {
namespace {

/// The definition: a dense matrix, divided by its row sums and its column sums in turn. Only for scores whose
/// exponentials a long double can hold.
struct Dense {
  std::vector<std::vector<long double>> pairs;
  std::vector<long double> none_row, none_column;

  Dense(const SparseScores& scores, const SinkhornOptions& options) {
    const auto weight = [&](long double score) { return std::exp(score / options.temperature); };
    const long double none = options.no_counterpart ? weight(*options.no_counterpart) : 0;
    pairs.assign(scores.rows(), std::vector<long double>(scores.columns, 0));
    none_row.assign(scores.rows(), none);
    none_column.assign(scores.columns, none);
    for (std::size_t i = 0; i < scores.rows(); ++i) {
      for (std::size_t k = 0; k < scores.columns_of(i).size(); ++k) {
        pairs[i][scores.columns_of(i)[k]] = weight(scores.scores_of(i)[k]);
      }
    }
    for (std::size_t n = 0; n < options.iterations; ++n) {
      divide_rows();
      for (std::size_t j = 0; j < none_column.size(); ++j) divide_column(j, options.cap_columns);
    }
    divide_rows();
    for (std::size_t j = 0; j < none_column.size(); ++j) {
      const long double mass = column_mass(j);
      if (options.cap_columns) {
        none_column[j] = std::max<long double>(0, 1 - mass);
      } else {
        none_column[j] = mass + none_column[j] == 0 ? 1 : none_column[j] / (mass + none_column[j]);
      }
    }
  }

  void divide_rows() {
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      long double sum = none_row[i];
      for (const long double value : pairs[i]) sum += value;
      if (sum == 0) {
        none_row[i] = 1;  // no candidates
        continue;
      }
      for (long double& value : pairs[i]) value /= sum;
      none_row[i] /= sum;
    }
  }
  [[nodiscard]] long double column_mass(std::size_t j) const {
    long double sum = 0;
    for (const auto& row : pairs) sum += row[j];
    return sum;
  }
  /// Capped columns are scaled back to what they were before, and then down to 1 if they are above.
  void divide_column(std::size_t j, bool cap) {
    if (cap) {
      if (capped.empty()) capped.assign(none_column.size(), 1);
      const long double sum = std::max<long double>(1, column_mass(j) * capped[j]);
      for (auto& row : pairs) row[j] *= capped[j] / sum;
      capped[j] = sum;
      return;
    }
    const long double sum = column_mass(j) + none_column[j];
    if (sum == 0) return;
    for (auto& row : pairs) row[j] /= sum;
    none_column[j] /= sum;
  }
  std::vector<long double> capped;
};

SinkhornOptions any_options() {
  SinkhornOptions options;
  options.iterations = any_size(0, 12);
  options.temperature = *rc::gen::element(0.03, 0.5, 2.0);
  if (*rc::gen::arbitrary<bool>()) {
    options.no_counterpart = *rc::gen::element(-0.1, 0.0, 0.5);
  } else {
    options.cap_columns = *rc::gen::arbitrary<bool>();
  }
  return options;
}

RC_GTEST_PROP(Sinkhorn, IsTheDenseDefinition, ()) {
  Random random(*rc::gen::arbitrary<std::uint64_t>());
  const SparseScores scores = random_scores(
      *rc::gen::inRange<std::size_t>(1, 9), *rc::gen::inRange<std::size_t>(1, 9), *rc::gen::element(0.3, 1.0),
      random, [&] { return static_cast<float>(2 * random.uniform() - 1); });
  const SinkhornOptions options = any_options();
  ThreadPool pool(1);
  const LinkProbabilities fast = sinkhorn(scores, options, pool);
  const Dense dense(scores, options);
  for (std::size_t i = 0; i < scores.rows(); ++i) {
    for (std::size_t k = 0; k < scores.columns_of(i).size(); ++k) {
      RC_ASSERT(std::abs(fast.pairs.scores_of(i)[k] - dense.pairs[i][scores.columns_of(i)[k]]) < 1e-6);
    }
    RC_ASSERT(std::abs(fast.none_row[i] - dense.none_row[i]) < 1e-6);
  }
  for (std::size_t j = 0; j < scores.columns; ++j) {
    RC_ASSERT(std::abs(fast.none_column[j] - dense.none_column[j]) < 1e-6);
  }
}

/// Whether all are probabilities and each row's sum to 1.
void expect_probabilities(const LinkProbabilities& found) {
  for (std::size_t i = 0; i < found.pairs.rows(); ++i) {
    double sum = found.none_row[i];
    for (const float value : found.pairs.scores_of(i)) {
      ASSERT_TRUE(value >= 0 && value <= 1) << value;
      sum += value;
    }
    ASSERT_NEAR(sum, 1, 1e-5) << "row " << i;
  }
  for (const float value : found.none_column) ASSERT_TRUE(value >= 0 && value <= 1) << value;
}

TEST(Sinkhorn, AnyFiniteScoreGivesProbabilities) {
  ThreadPool pool(1);
  Random random(1);
  const float huge = std::numeric_limits<float>::max();
  for (const float size : {1.0F, 100.0F, 1e4F, 1e20F, huge, 1e-30F}) {
    for (const std::optional<double> none : {std::optional<double>(), {0.0}, {1e4}, {-1e4}}) {
      for (const bool cap : {false, true}) {
        const SinkhornOptions options{.iterations = 10, .no_counterpart = none, .cap_columns = cap};
        const auto extreme = [&] { return random.uniform() < 0.5 ? size : -size; };
        const auto between = [&] { return size * static_cast<float>(2 * random.uniform() - 1); };
        expect_probabilities(sinkhorn(random_scores(20, 30, 0.3, random, extreme), options, pool));
        expect_probabilities(sinkhorn(random_scores(20, 30, 0.3, random, between), options, pool));
        expect_probabilities(sinkhorn(random_scores(20, 1, 0.7, random, between), options, pool));
        expect_probabilities(sinkhorn(random_scores(1, 20, 0.7, random, between), options, pool));
      }
    }
  }
}

TEST(Sinkhorn, AColumnThatEveryRowRanksFarBehindStillGetsItsMass) {
  // exp(-1e4 / .03) is 0 in any floating-point type; as potentials nothing is lost. Row 0 is wanted by column
  // 1 a little more than row 1 is.
  const SparseScores scores = sparse(2, {{{0, 1e4F}, {1, 0.5F}}, {{0, 1e4F}, {1, 0.0F}}});
  ThreadPool pool(1);
  const LinkProbabilities found = sinkhorn(scores, {.iterations = 100}, pool);
  EXPECT_GT(found.pairs.score[1], 0.99F);
  EXPECT_GT(found.pairs.score[2], 0.99F);
}

TEST(Sinkhorn, EqualScoresShareEvenly) {
  ThreadPool pool(1);
  Random random(2);
  const LinkProbabilities found =
      sinkhorn(random_scores(4, 4, 1, random, [] { return 1e4F; }), SinkhornOptions{}, pool);
  for (const float value : found.pairs.score) EXPECT_NEAR(value, 0.25, 1e-6);
  for (const float value : found.none_row) EXPECT_EQ(value, 0);
  for (const float value : found.none_column) EXPECT_EQ(value, 0);
}

TEST(Sinkhorn, WhatHasNoCandidatesHasNoCounterpart) {
  ThreadPool pool(1);
  for (const std::optional<double> none : {std::optional<double>(), {0.2}}) {
    const LinkProbabilities found =
        sinkhorn(sparse(3, {{}, {{0, 0.5F}, {2, 0.1F}}, {}}), {.no_counterpart = none}, pool);
    EXPECT_EQ(found.none_row[0], 1);
    EXPECT_EQ(found.none_row[2], 1);
    EXPECT_LT(found.none_row[1], 0.5);
    EXPECT_EQ(found.none_column[1], 1);
  }
  EXPECT_EQ(sinkhorn(SparseScores{}, {}, pool).pairs.size(), 0U);
}

TEST(Sinkhorn, TheOneLeftOverGoesToNoCounterpart) {
  // Two rows want column 0, the second less; column 1 nobody wants.
  const SparseScores scores = sparse(2, {{{0, 0.9F}}, {{0, 0.6F}, {1, -0.5F}}});
  ThreadPool pool(1);
  const LinkProbabilities found = sinkhorn(scores, {.iterations = 50, .no_counterpart = 0.1}, pool);
  EXPECT_GT(found.pairs.score[0], 0.9F);
  EXPECT_GT(found.none_row[1], 0.9F);
  EXPECT_LT(found.none_column[0], 0.1F);
  EXPECT_GT(found.none_column[1], 0.9F);
}

TEST(Sinkhorn, ThreadsChangeNothing) {
  Random random(3);
  const SparseScores scores = planted_scores(2000, 20, random);
  ThreadPool one(1);
  const SinkhornOptions options{.no_counterpart = 0.1};
  const LinkProbabilities expected = sinkhorn(scores, options, one);
  for (const std::size_t threads : {2, 8}) {
    ThreadPool pool(threads);
    const LinkProbabilities found = sinkhorn(scores, options, pool);
    EXPECT_EQ(found.pairs.score, expected.pairs.score);
    EXPECT_EQ(found.none_row, expected.none_row);
    EXPECT_EQ(found.none_column, expected.none_column);
  }
}

TEST(Sinkhorn, RefusesWhatIsNoNumber) {
  ThreadPool pool(1);
  const SparseScores scores = sparse(1, {{{0, NAN}}});
  EXPECT_THROW((void)sinkhorn(scores, {}, pool), Error);
  const SparseScores good = sparse(1, {{{0, 1.0F}}});
  EXPECT_THROW((void)sinkhorn(good, {.temperature = 0}, pool), ParameterError);
  EXPECT_THROW((void)sinkhorn(good, {.temperature = 1e-305}, pool), ParameterError);
  EXPECT_THROW((void)sinkhorn(good, {.no_counterpart = INFINITY}, pool), ParameterError);
}

}  // namespace
}  // namespace dovetail
