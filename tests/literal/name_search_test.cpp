#include "literal/name_search.h"

#include <dovetail/errors.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numeric>
#include <rapidcheck/gtest.h>
#include <string>
#include <vector>

#include "common/random.h"
#include "formats/support.h"
#include "formats/word_vectors.h"
#include "naive_names.h"

namespace dovetail::test {
namespace {

using ::testing::HasSubstr;
using Names = std::vector<std::string>;

constexpr double kRounding = 1e-5;

std::vector<EntityId> all_of(const KnowledgeGraph& graph) {
  std::vector<EntityId> out(graph.entity_count());
  std::iota(out.begin(), out.end(), 0U);
  return out;
}

GraphPair pair_of(const Names& left, const Names& right) {
  return {named_graph(left), named_graph(right)};
}

/// Names of one to three words over few letters, so that many grams are shared; some are empty, some
/// repeated.
Names random_names(std::size_t count, Random& random) {
  Names names;
  for (std::size_t i = 0; i < count; ++i) {
    std::string name;
    if (i > 0 && random.below(16) == 0) name = names[random.below(i)];
    const std::size_t words = name.empty() ? random.below(16) == 0 ? 0 : 1 + random.below(3) : 0;
    for (std::size_t w = 0; w < words; ++w) {
      if (w > 0) name += ' ';
      const std::size_t length = 1 + random.below(6);
      for (std::size_t c = 0; c < length; ++c) name += static_cast<char>('a' + random.below(7));
    }
    names.push_back(name);
  }
  return names;
}

/// The k-th best of some scores above 0; 0 if there are fewer.
double kth(std::vector<double> scores, std::size_t k) {
  std::ranges::sort(scores, std::greater());
  return k <= scores.size() ? std::max(scores[k - 1], 0.0) : 0.0;
}

/// What search() must give by the naive scores. Pairs at the bar, by rounding, may be there or not.
::testing::AssertionResult agrees(const SparseScores& found, const NaiveNames& naive,
                                  const std::vector<EntityId>& left, const std::vector<EntityId>& right,
                                  std::size_t k) {
  std::vector<std::vector<double>> scores(left.size(), std::vector<double>(right.size()));
  std::vector<std::vector<double>> columns(right.size(), std::vector<double>(left.size()));
  for (std::size_t i = 0; i < left.size(); ++i) {
    for (std::size_t j = 0; j < right.size(); ++j) {
      columns[j][i] = scores[i][j] = naive.score(left[i], right[j]);
    }
  }
  std::vector<double> column_bar;
  for (const auto& column : columns) column_bar.push_back(kth(column, k));
  if (found.rows() != left.size() || found.columns != right.size()) {
    return ::testing::AssertionFailure() << found.rows() << " x " << found.columns;
  }
  for (std::size_t i = 0; i < left.size(); ++i) {
    const double row_bar = kth(scores[i], k);
    std::vector<bool> there(right.size(), false);
    for (std::size_t n = 0; n < found.columns_of(i).size(); ++n) {
      const std::uint32_t j = found.columns_of(i)[n];
      const auto fail = [&] {
        return ::testing::AssertionFailure() << "row " << i << " column " << j << ": ";
      };
      if (n > 0 && j <= found.columns_of(i)[n - 1]) return fail() << "not ascending";
      there[j] = true;
      const double score = scores[i][j];
      if (std::abs(found.scores_of(i)[n] - score) > kRounding)
        return fail() << found.scores_of(i)[n] << score;
      if (score <= 0) return fail() << "nothing in common";
      if (score < row_bar - kRounding && score < column_bar[j] - kRounding)
        return fail() << "not among the best";
    }
    for (std::size_t j = 0; j < right.size(); ++j) {
      const double score = scores[i][j];
      if (there[j] || score <= kRounding) continue;
      if (score > row_bar + kRounding || score > column_bar[j] + kRounding) {
        return ::testing::AssertionFailure() << "row " << i << " lacks column " << j;
      }
    }
  }
  return ::testing::AssertionSuccess();
}

RC_GTEST_PROP(NameSearchProperty, EqualsBruteForce, ()) {
  Random random(*rc::gen::arbitrary<std::uint64_t>());
  const Names left = random_names(1 + random.below(40), random),
              right = random_names(1 + random.below(40), random);
  const GraphPair pair = pair_of(left, right);
  const double words = *rc::gen::element(0.0, 0.5, 2.0);
  ThreadPool pool(2);
  const NameSimilarity names(pair, {.weights = {1, words, 0}}, pool);
  const NaiveNames naive(left, right, 1, words);
  // Lists in any order, and not of all entities.
  std::vector<EntityId> some_left = all_of(pair.left()), some_right = all_of(pair.right());
  random.shuffle(std::span(some_left));
  random.shuffle(std::span(some_right));
  some_left.resize(1 + random.below(some_left.size()));
  const std::size_t k = 1 + random.below(50);
  const SparseScores found = names.search(some_left, some_right, k, pool);
  RC_ASSERT(agrees(found, naive, some_left, some_right, k));
  for (std::size_t i = 0; i < found.rows(); ++i) {
    for (std::size_t n = 0; n < found.columns_of(i).size(); ++n) {
      RC_ASSERT(names.score(some_left[i], some_right[found.columns_of(i)[n]]) == found.scores_of(i)[n]);
    }
  }
}

TEST(NameSearch, EqualsBruteForceOverSeveralPanels) {
  Random random(7);
  const Names left = random_names(150, random), right = random_names(1100, random);
  const GraphPair pair = pair_of(left, right);
  ThreadPool pool(2);
  const NameSimilarity names(pair, {}, pool);
  const NaiveNames naive(left, right, 1, 0.5);
  EXPECT_TRUE(agrees(names.search(all_of(pair.left()), all_of(pair.right()), 3, pool), naive,
                     all_of(pair.left()), all_of(pair.right()), 3));
}

TEST(NameSearch, TheNumberOfThreadsChangesNothing) {
  Random random(8);
  const GraphPair pair = pair_of(random_names(9000, random), random_names(700, random));
  const Workspace here;
  std::string vectors;
  for (char a = 'a'; a < 'h'; ++a) {
    for (char b = 'a'; b < 'h'; ++b) {
      vectors += {a, b};
      for (int c = 0; c < 20; ++c) vectors += " " + std::to_string(random.uniform() - 0.5);
      vectors += '\n';
    }
  }
  const NameOptions options{.left_vectors = here.write("v.txt", vectors)};
  std::vector<SparseScores> results;
  for (const std::size_t threads : {1, 2, 8}) {
    ThreadPool pool(threads);
    Observer quiet;
    const NameSimilarity names(pair, options, read_word_vectors, pool, quiet);
    results.push_back(names.search(all_of(pair.left()), all_of(pair.right()), 5, pool));
  }
  EXPECT_GT(results[0].size(), 9000U);
  for (const SparseScores& other : {results[1], results[2]}) {
    EXPECT_EQ(other.begin, results[0].begin);
    EXPECT_EQ(other.column, results[0].column);
    EXPECT_EQ(other.score, results[0].score);
  }
}

TEST(NameSearch, OfEqualsTheFirstIsTaken) {
  const GraphPair pair = pair_of({"rome", "paris"}, {"paris", "paris", "rome", "paris"});
  ThreadPool pool(1);
  const NameSimilarity names(pair, {}, pool);
  const SparseScores found = names.search(all_of(pair.left()), std::vector<EntityId>{3, 1, 2, 0}, 1, pool);
  // Row 1 takes column 0; the other two get there as rows that every column has.
  EXPECT_THAT(found.columns_of(0), ::testing::ElementsAre(2));
  EXPECT_THAT(found.columns_of(1), ::testing::ElementsAre(0, 1, 3));
  const SparseScores back = names.search(std::vector<EntityId>{1, 1}, std::vector<EntityId>{0}, 1, pool);
  EXPECT_THAT(back.columns_of(0), ::testing::ElementsAre(0));
  EXPECT_THAT(back.columns_of(1), ::testing::ElementsAre(0));
}

TEST(NameSearch, TheSameNameIsOneAndNoNameIsNothing) {
  const GraphPair pair = pair_of({"big ben", "", "ben big", "xyz"}, {"Big Bén", "", "?"});
  ThreadPool pool(1);
  const NameSimilarity names(pair, {}, pool);
  EXPECT_NEAR(names.score(0, 0), 1, kRounding);
  EXPECT_GT(names.score(2, 0), 0.4);
  EXPECT_LT(names.score(2, 0), 0.99);
  EXPECT_EQ(names.score(3, 0), 0);
  for (const auto& [left, right] : {std::pair(1, 0), {0, 1}, {1, 1}, {0, 2}, {1, 2}}) {
    EXPECT_EQ(names.score(static_cast<EntityId>(left), static_cast<EntityId>(right)), 0)
        << left << " " << right;
  }
  EXPECT_EQ(names.named(Side::left), 3U);
  EXPECT_EQ(names.named(Side::right), 1U);
  EXPECT_TRUE(names.has_name(Side::left, 3));
  EXPECT_FALSE(names.has_name(Side::left, 1));
  EXPECT_FALSE(names.has_name(Side::right, 2));
  const SparseScores found = names.search(all_of(pair.left()), all_of(pair.right()), 10, pool);
  EXPECT_EQ(found.begin, (std::vector<std::uint64_t>{0, 1, 1, 2, 2}));
}

TEST(NameSearch, OneNameOnEachSideIsStillAlike) {
  ThreadPool pool(1);
  EXPECT_NEAR(NameSimilarity(pair_of({"rome"}, {"rome"}), {}, pool).score(0, 0), 1, kRounding);
}

TEST(NameSearch, OtherScriptsMeetInLatin) {
  const GraphPair pair = pair_of({"Москва", "北京", "Αθήνα"}, {"Beijing", "Athens", "Moskva"});
  ThreadPool pool(1);
  const NameSimilarity latin(pair, {}, pool), own(pair, {.transliterate = false}, pool);
  const SparseScores found = latin.search(all_of(pair.left()), all_of(pair.right()), 1, pool);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found.column, (std::vector<std::uint32_t>{2, 0, 1}));
  EXPECT_EQ(own.search(all_of(pair.left()), all_of(pair.right()), 1, pool).size(), 0U);
}

TEST(NameSearch, ListsMayBeEmpty) {
  const GraphPair pair = pair_of({"a", "b"}, {"a"});
  ThreadPool pool(1);
  const NameSimilarity names(pair, {}, pool);
  EXPECT_EQ(names.search({}, all_of(pair.right()), 5, pool).rows(), 0U);
  const SparseScores none = names.search(all_of(pair.left()), {}, 5, pool);
  EXPECT_EQ(none.rows(), 2U);
  EXPECT_EQ(none.size(), 0U);
  EXPECT_THROW((void)names.search({}, {}, 0, pool), ParameterError);
}

}  // namespace
}  // namespace dovetail::test
