#include "matching/regions.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>
#include <vector>

#include "common/random.h"
#include "matching/matcher.h"

namespace dovetail {
namespace {

constexpr std::size_t kColumns = 256;

/// Groups of like rows, left row i nearest to right row i.
MatchVectors grouped_vectors(std::size_t rows, std::size_t groups) {
  Random random(5);
  const auto noise = [&] { return static_cast<float>(random.uniform() - 0.5); };
  std::vector<std::vector<float>> centre(groups, std::vector<float>(kColumns));
  for (std::vector<float>& row : centre) std::ranges::generate(row, noise);
  MatchVectors vectors(rows, rows, kColumns);
  for (std::size_t i = 0; i < rows; ++i) {
    std::vector<float> own = centre[mix64(i) % groups];
    for (float& value : own) value += noise();
    for (Bfloat16* const out : {vectors.left.row(i), vectors.right.row(i)}) {
      for (const std::size_t half : {0, 1}) {
        std::vector<Bfloat16> row;
        for (const float value : own) row.push_back(to_bfloat16(value + 0.5F * noise()));
        put_normalised(row.data(), kColumns, kColumns, 0, out + half * kColumns);
      }
    }
  }
  return vectors;
}

TEST(Regions, RightRowsLieInOneAndLeftRowsLookAtSome) {
  const MatchVectors vectors = grouped_vectors(1000, 20);
  ThreadPool pool(2);
  const Regions regions = find_regions(FourBitCodes(vectors, {}, pool), 3, pool);
  EXPECT_EQ(regions.size(), 31U);
  std::vector<std::size_t> lies(1000, 0), looks(1000, 0);
  for (std::size_t region = 0; region < regions.size(); ++region) {
    for (const std::uint32_t row : regions.right.of(region)) ++lies[row];
    for (const std::uint32_t row : regions.left.of(region)) ++looks[row];
    EXPECT_TRUE(std::ranges::is_sorted(regions.left.of(region)));
    EXPECT_TRUE(std::ranges::is_sorted(regions.right.of(region)));
  }
  EXPECT_EQ(std::set(lies.begin(), lies.end()), (std::set<std::size_t>{1}));
  EXPECT_EQ(std::set(looks.begin(), looks.end()), (std::set<std::size_t>{3}));
}

TEST(Regions, LookedAtAllTheyFindWhatAllPairsFind) {
  const MatchVectors vectors = grouped_vectors(400, 10);
  ThreadPool pool(2);
  const Found all = search(vectors, {.search = Search::four_bit, .candidates = 10}, pool);
  const Found regions =
      search(vectors, {.search = Search::approximate, .probes = 1000, .candidates = 10}, pool);
  EXPECT_EQ(regions.similarity.begin, all.similarity.begin);
  EXPECT_EQ(regions.similarity.column, all.similarity.column);
  EXPECT_EQ(regions.similarity.score, all.similarity.score);
}

TEST(Regions, AFewHoldMostOfTheNearest) {
  const MatchVectors vectors = grouped_vectors(3000, 60);
  ThreadPool pool(2);
  const Found found = search(vectors, {.search = Search::approximate, .probes = 4, .candidates = 10}, pool);
  std::size_t right = 0;
  for (std::uint32_t i = 0; i < 3000; ++i) {
    const std::vector<Scored> row = ranked_row(found.similarity, i);
    right += !row.empty() && row[0].number == i ? 1 : 0;
  }
  EXPECT_GE(right, 2900U);
}

TEST(Regions, AreTheSameForAnyNumberOfThreads) {
  const MatchVectors vectors = grouped_vectors(900, 9);
  std::vector<Found> found;
  for (const std::size_t threads : {1, 2, 8}) {
    ThreadPool pool(threads);
    found.push_back(search(vectors, {.search = Search::approximate, .probes = 2, .candidates = 10}, pool));
  }
  for (const Found& other : found) {
    EXPECT_EQ(other.similarity.column, found[0].similarity.column);
    EXPECT_EQ(other.similarity.score, found[0].similarity.score);
    EXPECT_EQ(other.right_mean, found[0].right_mean);
  }
}

}  // namespace
}  // namespace dovetail
