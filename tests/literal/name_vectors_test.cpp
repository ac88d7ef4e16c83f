#include "literal/name_vectors.h"

#include <dovetail/errors.h>

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <string>

#include "formats/support.h"
#include "formats/word_vectors.h"
#include "literal/name_search.h"
#include "naive_names.h"

namespace dovetail::test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr double kHalf = 4e-3;  // means are stored with eight bits

Observer quiet;

GraphPair pets() {
  return {named_graph({"cat", "big cat", "unheard"}), named_graph({"feline", "big dog", "cat"})};
}

double cosine(double x1, double y1, double x2, double y2) {
  return (x1 * x2 + y1 * y2) / std::sqrt((x1 * x1 + y1 * y1) * (x2 * x2 + y2 * y2));
}

TEST(NameVectors, MeansAreWeightedByRarity) {
  const Workspace here;
  const NameOptions options{.weights = {0, 0, 1},
                            .left_vectors = here.write("v.txt", "cat 1 0\nbig 0 2\nFeline 3 1\ndog -1 1\n")};
  ThreadPool pool(1);
  const NameSimilarity names(pets(), options, read_word_vectors, pool, quiet);
  // Six names; "cat" is in three of them, "big" in two, "dog" in one.
  const double cat = std::log(7.0 / 3), big = std::log(7.0 / 2), dog = std::log(7.0);
  EXPECT_NEAR(names.score(0, 0), cosine(1, 0, 3, 1), kHalf);
  EXPECT_NEAR(names.score(0, 2), 1, kHalf);
  EXPECT_NEAR(names.score(1, 0), cosine(cat, 2 * big, 3, 1), kHalf);
  EXPECT_NEAR(names.score(0, 1), cosine(1, 0, -dog, 2 * big + dog), kHalf);
  EXPECT_LT(names.score(0, 1), 0);
  EXPECT_EQ(names.score(2, 0), 0);
  EXPECT_TRUE(names.has_name(Side::left, 2));
  EXPECT_DOUBLE_EQ(names.known_words(Side::left), 0.75);
  EXPECT_DOUBLE_EQ(names.known_words(Side::right), 1);
}

TEST(NameVectors, PartsAddUpByTheirWeights) {
  const Workspace here;
  const auto file = here.write("v.txt", "cat 1 0\nbig 0 2\nfeline 3 1\ndog -1 1\n");
  ThreadPool pool(1);
  const auto with = [&](NameWeights weights) {
    return NameSimilarity(pets(), {.weights = weights, .left_vectors = file}, read_word_vectors, pool, quiet);
  };
  const NameSimilarity characters = with({1, 0, 0}), words = with({0, 3, 0}), vectors = with({0, 0, .2});
  const NameSimilarity all = with({}), other = with({1, 2, 5});
  for (EntityId i = 0; i < 3; ++i) {
    for (EntityId j = 0; j < 3; ++j) {
      const double c = characters.score(i, j), w = words.score(i, j), v = vectors.score(i, j);
      EXPECT_NEAR(all.score(i, j), (c + .5 * w + .5 * v) / 2, kHalf) << i << " " << j;
      EXPECT_NEAR(other.score(i, j), (c + 2 * w + 5 * v) / 8, kHalf) << i << " " << j;
    }
  }
  EXPECT_NEAR(characters.score(0, 2), 1, 1e-5);
  EXPECT_NEAR(words.score(0, 2), 1, 1e-5);
}

TEST(NameVectors, SearchAndScoreAgreeToTheLastBit) {
  const Workspace here;
  ThreadPool pool(1);
  const NameSimilarity names(
      pets(), {.left_vectors = here.write("v.txt", "cat 1 .3 .7\nbig .1 2 .4\nfeline 3 1 .9\ndog -1 1 .2\n")},
      read_word_vectors, pool, quiet);
  const std::vector<EntityId> left = {0, 1, 2}, right = {2, 1, 0};
  const SparseScores found = names.search(left, right, 3, pool);
  ASSERT_GE(found.size(), 6U);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t n = 0; n < found.columns_of(i).size(); ++n) {
      EXPECT_EQ(found.scores_of(i)[n], names.score(left[i], right[found.columns_of(i)[n]]));
    }
  }
}

TEST(NameVectors, TwoLanguagesHaveTwoFiles) {
  const Workspace here;
  // "gift" is poison in the one language, a present in the other.
  NameOptions options{.weights = {0, 0, 1}};
  options.left_vectors = here.write("de.vec", "3 2\nGift 1 0\nbär 0 1\n北京 1 1\n");
  options.right_vectors = here.write("en.vec", "4 2\ngift -1 0\npoison 1 0\nbear 0 1\npeking 1 1\n");
  ThreadPool pool(1);
  const GraphPair pair(named_graph({"Gift", "Bär", "北京"}),
                       named_graph({"gift", "poison", "bear", "peking"}));
  const NameSimilarity names(pair, options, read_word_vectors, pool, quiet);
  EXPECT_NEAR(names.score(0, 0), -1, kHalf);
  EXPECT_NEAR(names.score(0, 1), 1, kHalf);
  EXPECT_NEAR(names.score(1, 2), 1, kHalf);
  EXPECT_NEAR(names.score(2, 3), 1, kHalf);  // looked up in its own script, whatever is transliterated
  // Either file alone serves both.
  std::swap(options.left_vectors, options.right_vectors);
  options.left_vectors.clear();
  EXPECT_NEAR(NameSimilarity(pair, options, read_word_vectors, pool, quiet).score(0, 0), 1, kHalf);
}

TEST(NameVectors, CharactersAreCharactersAndNotBytes) {
  ThreadPool pool(1);
  // ж and з share their first byte only, and the pair has no other gram in common.
  const GraphPair pair(named_graph({"ж"}), named_graph({"з", "ж"}));
  const NameSimilarity names(pair, {.transliterate = false, .weights = {1, 0, 0}}, pool);
  EXPECT_EQ(names.score(0, 0), 0);
  EXPECT_NEAR(names.score(0, 1), 1, 1e-5);
}

TEST(NameVectors, RefusesWhatMakesNoSense) {
  const Workspace here;
  ThreadPool pool(1);
  const auto error = [&](const NameOptions& options) {
    return error_of([&] { (void)NameSimilarity(pets(), options, read_word_vectors, pool, quiet); });
  };
  EXPECT_THAT(error({.weights = {-1, 1, 1}}), HasSubstr("the weight of characters in names is -1"));
  EXPECT_THAT(error({.weights = {1, std::numeric_limits<double>::quiet_NaN(), 1}}),
              HasSubstr("weight of words"));
  EXPECT_THAT(error({.weights = {0, 0, 1}}), HasSubstr("only where a file of them is given"));
  const auto two = here.write("two.txt", "cat 1 0\n"), three = here.write("three.txt", "dog 1 0 0\n");
  EXPECT_THAT(
      error({.left_vectors = two, .right_vectors = three}),
      AllOf(HasSubstr("two.txt have 2 numbers"), HasSubstr("three.txt have 3"), HasSubstr("one space")));
}

TEST(NameVectors, WarnsOfVectorsOfAnotherLanguage) {
  const Workspace here;
  Listener listener;
  ThreadPool pool(1);
  const NameOptions options{.left_vectors = here.write("v.txt", "dog 1 0\n")};
  const NameSimilarity names(pets(), options, read_word_vectors, pool, listener);
  EXPECT_THAT(listener.warnings, ElementsAre(HasSubstr("know no word of the left graph's names")));
}

}  // namespace
}  // namespace dovetail::test
