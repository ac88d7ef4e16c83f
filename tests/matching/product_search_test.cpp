#include "matching/product_search.h"

#include <gtest/gtest.h>
#include <vector>

#include "grouped_vectors.h"
#include "kernels/scores.h"
#include "matching/matcher.h"
#include "matching/regions.h"

namespace dovetail {
namespace {

/// Left rows whose best candidate is the right row that was made like them.
std::size_t first_ones(const Found& found) {
  std::size_t right = 0;
  for (std::uint32_t i = 0; i < found.similarity.rows(); ++i) {
    const std::vector<Scored> row = ranked_row(found.similarity, i);
    right += !row.empty() && row[0].number == i ? 1 : 0;
  }
  return right;
}

TEST(ProductSearch, FindsWhatAllPairsFind) {
  const MatchVectors vectors = grouped_vectors(1500, 30);
  ThreadPool pool(2);
  const std::size_t all = first_ones(search(vectors, {.search = Search::exact, .candidates = 10}, pool));
  const Found found = search(vectors, {.search = Search::approximate, .candidates = 10}, pool);
  EXPECT_GE(first_ones(found) + 5, all);
  EXPECT_GE(all, 1400U);
  // Scores are exact whoever proposed the pair.
  const Found exact = search(vectors, {.search = Search::exact, .candidates = 10}, pool);
  const std::size_t known = find_column(exact.similarity, 7, 7), own = find_column(found.similarity, 7, 7);
  ASSERT_NE(known, SparseScores::kAbsent);
  ASSERT_NE(own, SparseScores::kAbsent);
  EXPECT_EQ(found.similarity.score[own], exact.similarity.score[known]);
}

TEST(ProductSearch, ColumnsHaveTheirBestToo) {
  // Right row 0 is like no left row: only by the columns' lists does it have candidates at all.
  MatchVectors vectors = grouped_vectors(1500, 30);
  for (std::size_t c = 0; c < vectors.right.columns(); ++c)
    vectors.right.row(0)[c] = to_bfloat16(c < 20 ? 0.1F : 0);
  ThreadPool pool(2);
  const Found found = search(vectors, {.search = Search::approximate, .candidates = 10}, pool);
  EXPECT_GE(transposed(found.similarity).columns_of(0).size(), 10U);
}

TEST(ProductSearch, SomeRegionsHoldMostOfTheNearest) {
  constexpr std::size_t kRows = 3 * kRegionRows;
  const MatchVectors vectors = grouped_vectors(kRows, 60);
  ThreadPool pool(2);
  const Found found = search(vectors, {.search = Search::approximate, .probes = 1, .candidates = 5}, pool);
  EXPECT_GE(first_ones(found), kRows * 8 / 10);
}

TEST(ProductSearch, IsTheSameForAnyNumberOfThreads) {
  const MatchVectors vectors = grouped_vectors(2 * kRegionRows, 20);
  std::vector<Found> found;
  for (const std::size_t threads : {1, 2, 8}) {
    ThreadPool pool(threads);
    found.push_back(search(vectors, {.search = Search::approximate, .probes = 1, .candidates = 5}, pool));
  }
  for (const Found& other : found) {
    EXPECT_EQ(other.similarity.column, found[0].similarity.column);
    EXPECT_EQ(other.similarity.score, found[0].similarity.score);
    EXPECT_EQ(other.right_mean, found[0].right_mean);
  }
}

TEST(ProductSearch, IsTheSameWhereVectorsLieInFiles) {
  const MatchVectors in_memory = grouped_vectors(1200, 20);
  std::vector<std::uint32_t> all(1200);
  for (std::uint32_t i = 0; i < all.size(); ++i) all[i] = i;
  const MatchVectors in_files = select_rows(in_memory, all, all, testing::TempDir());
  ASSERT_TRUE(in_files.left.in_file());
  ThreadPool pool(2);
  for (const Search kind : {Search::exact, Search::four_bit, Search::approximate}) {
    const MatchingOptions options{.search = kind, .candidates = 10};
    const Found expected = search(in_memory, options, pool), found = search(in_files, options, pool);
    EXPECT_EQ(found.similarity.column, expected.similarity.column);
    EXPECT_EQ(found.similarity.score, expected.similarity.score);
  }
}

TEST(ProductSearch, PairsThatAreNamedAreScoredToo) {
  const MatchVectors vectors = grouped_vectors(1500, 30);
  ThreadPool pool(2);
  const MatchingOptions options{.search = Search::approximate, .candidates = 3};
  const Found alone = search(vectors, options, pool);
  SparseBuilder named(1500, 1500);
  named.add(4, 4, 0);     // it is found anyway
  named.add(4, 1499, 0);  // of another group
  ASSERT_EQ(find_column(alone.similarity, 4, 1499), SparseScores::kAbsent);
  const SparseScores also = named.build();
  const Found found = search(vectors, options, pool, &also);
  EXPECT_EQ(found.similarity.size(), alone.similarity.size() + 1);
  const std::size_t place = find_column(found.similarity, 4, 1499);
  ASSERT_NE(place, SparseScores::kAbsent);
  EXPECT_EQ(found.similarity.score[place],
            dot_rows(vectors.left.row(4), vectors.right.row(1499), vectors.left.columns()));
}

TEST(ProductSearch, TellsHowFarItIs) {
  struct Listener final : Observer {
    void progress(std::string_view task, std::uint64_t done, std::uint64_t total, std::string_view) override {
      EXPECT_EQ(task, "search");
      EXPECT_EQ(total, 1500U);
      EXPECT_TRUE(heard.empty() || done > heard.back());
      heard.push_back(done);
    }
    std::vector<std::uint64_t> heard;
  };
  const MatchVectors vectors = grouped_vectors(1500, 30);
  for (const Search kind : {Search::four_bit, Search::approximate}) {
    Listener listener;
    ThreadPool pool(2, &listener);
    (void)search(vectors, {.search = kind, .candidates = 3}, pool);
    ASSERT_GE(listener.heard.size(), kind == Search::approximate ? 3U : 2U);
    EXPECT_EQ(listener.heard.front(), 0U);
    EXPECT_EQ(listener.heard.back(), 1500U);
  }
}

TEST(ProductSearch, NothingIsFoundWhereThereIsNothing) {
  ThreadPool pool(2);
  for (const auto& [left, right] : {std::pair<std::size_t, std::size_t>(0, 5), {5, 0}, {0, 0}, {1, 1}}) {
    const MatchVectors vectors(left, right, kColumns);
    const Found found = search(vectors, {.search = Search::approximate, .candidates = 3}, pool);
    EXPECT_EQ(found.similarity.size(), left * right);
  }
}

}  // namespace
}  // namespace dovetail
