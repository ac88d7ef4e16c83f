#include "deciding/assignment.h"

#include <dovetail/errors.h>

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <set>
#include <utility>
#include <vector>

#include "pairs/random_scores.h"

namespace dovetail {
namespace {

/// The best (pairs, sum of scores less `each` for every pair) over all ways to match rows from `row` on; with
/// `count` more pairs are better than fewer whatever they score.
std::pair<int, double> best_by_trying(const SparseScores& scores, std::size_t row, double each, bool count,
                                      std::set<std::uint32_t>& used) {
  if (row == scores.rows()) return {0, 0};
  std::pair<int, double> best = best_by_trying(scores, row + 1, each, count, used);
  for (std::size_t k = 0; k < scores.columns_of(row).size(); ++k) {
    if (!used.insert(scores.columns_of(row)[k]).second) continue;
    std::pair<int, double> with = best_by_trying(scores, row + 1, each, count, used);
    with = {with.first + (count ? 1 : 0), with.second + scores.scores_of(row)[k] - each};
    best = std::max(best, with);
    used.erase(scores.columns_of(row)[k]);
  }
  return best;
}

double largest(const SparseScores& scores) {
  double size = 1;
  for (const float score : scores.score) size = std::max(size, std::abs(static_cast<double>(score)));
  return size;
}

RC_GTEST_PROP(Assignment, EqualsTheBestOfAllWaysWithAMinimum, ()) {
  const SparseScores scores = any_scores(6);
  const double unmatched = *rc::gen::element(-1000.0, -0.02, 0.0, 0.3, 100.0);
  std::set<std::uint32_t> used;
  const double expected = best_by_trying(scores, 0, unmatched, false, used).second;
  double total = 0;
  for (const Decision& decision : assign(scores, unmatched).decisions) {
    RC_ASSERT(decision.score > unmatched);
    total += decision.score - unmatched;
  }
  RC_ASSERT(std::abs(total - expected) < 1e-9 * (largest(scores) + std::abs(unmatched)));
}

RC_GTEST_PROP(Assignment, EqualsTheBestOfAllWaysWithAsManyPairsAsPossible, ()) {
  const SparseScores scores = any_scores(6);
  std::set<std::uint32_t> used;
  const auto [pairs, expected] = best_by_trying(scores, 0, 0, true, used);
  const std::vector<Decision> decisions = assign(scores).decisions;
  double total = 0;
  for (const Decision& decision : decisions) total += decision.score;
  RC_ASSERT(static_cast<int>(decisions.size()) == pairs);
  RC_ASSERT(std::abs(total - expected) < 1e-9 * largest(scores));
}

/// Duality: what the header says about values and prices, from which follows that nothing is better.
void expect_proof(const SparseScores& scores, const Assignment& found) {
  const double tolerance = 1e-9 * (1 + std::abs(found.unmatched));
  std::vector<int> row_taken(scores.rows(), 0);
  std::vector<int> column_taken(scores.columns, 0);
  double total = 0;
  for (const Decision& decision : found.decisions) {
    ASSERT_EQ(++row_taken[decision.row], 1);
    ASSERT_EQ(++column_taken[decision.column], 1);
    const auto columns = scores.columns_of(decision.row);
    const auto place = std::ranges::find(columns, decision.column);
    ASSERT_NE(place, columns.end());
    ASSERT_EQ(scores.scores_of(decision.row)[static_cast<std::size_t>(place - columns.begin())],
              decision.score);
    total += decision.score;
  }
  double bound = 0;
  for (std::size_t row = 0; row < scores.rows(); ++row) {
    bound += found.row_value[row];
    total += row_taken[row] == 0 ? found.unmatched : 0;
    ASSERT_GE(found.row_value[row], found.unmatched - tolerance);
    for (std::size_t k = 0; k < scores.columns_of(row).size(); ++k) {
      const std::uint32_t column = scores.columns_of(row)[k];
      ASSERT_GE(found.row_value[row], scores.scores_of(row)[k] - found.column_price[column] - tolerance);
    }
  }
  for (std::size_t column = 0; column < scores.columns; ++column) {
    ASSERT_GE(found.column_price[column], 0);
    bound += found.column_price[column];
    ASSERT_TRUE(column_taken[column] == 1 || found.column_price[column] == 0);
  }
  EXPECT_NEAR(total, bound, tolerance * static_cast<double>(scores.rows() + 1));
}

TEST(Assignment, ProvesThatNothingIsBetterOnLargerGraphs) {
  Random random(1);
  const auto even = [&] { return static_cast<float>(random.uniform()); };
  const auto steps = [&] { return static_cast<float>(random.below(4)); };  // ties everywhere
  for (const std::optional<double> unmatched : {std::optional<double>(), {0.0}, {0.25}}) {
    for (const SparseScores& scores :
         {planted_scores(2000, 20, random), random_scores(300, 300, 0.1, random, even),
          random_scores(300, 300, 0.1, random, steps), random_scores(300, 150, 0.1, random, even),
          random_scores(150, 300, 0.1, random, steps), random_scores(300, 300, 0.005, random, even)}) {
      const Assignment found = assign(scores, unmatched);
      EXPECT_FALSE(found.decisions.empty());
      expect_proof(scores, found);
    }
  }
}

TEST(Assignment, GivesUpABestPairForABetterWhole) {
  // Greedy would take (0, 0) and leave .1 for row 1.
  const SparseScores scores = sparse(2, {{{0, 0.9F}, {1, 0.8F}}, {{0, 0.7F}, {1, 0.1F}}});
  EXPECT_EQ(assign(scores).decisions, (std::vector<Decision>{{0, 1, 0.8F}, {1, 0, 0.7F}}));
  EXPECT_EQ(assign(scores, 0.75).decisions, (std::vector<Decision>{{0, 0, 0.9F}}));
}

TEST(Assignment, NothingGivesNothing) {
  EXPECT_TRUE(assign(SparseScores{}).decisions.empty());
  EXPECT_TRUE(assign(sparse(3, {{}, {}})).decisions.empty());
  EXPECT_TRUE(assign(sparse(0, {{}})).decisions.empty());
}

TEST(Assignment, RefusesWhatIsNoNumber) {
  EXPECT_THROW((void)assign(sparse(1, {{{0, NAN}}})), Error);
  EXPECT_THROW((void)assign(sparse(1, {{{0, 1}}}), INFINITY), ParameterError);
}

}  // namespace
}  // namespace dovetail
