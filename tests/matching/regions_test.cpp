#include "matching/regions.h"

#include <gtest/gtest.h>
#include <set>
#include <vector>

#include "grouped_vectors.h"

namespace dovetail {
namespace {

TEST(Regions, RightRowsLieInOneAndLeftRowsLookAtSome) {
  constexpr std::size_t kRows = 4 * kRegionRows;
  const MatchVectors vectors = grouped_vectors(kRows, 40);
  ThreadPool pool(2);
  const Regions regions = find_regions(vectors, 3, pool);
  ASSERT_EQ(regions.size(), 4U);
  std::vector<std::size_t> lies(kRows, 0);
  for (const std::uint32_t row : regions.right_rows.items()) ++lies[row];
  EXPECT_EQ(std::set(lies.begin(), lies.end()), (std::set<std::size_t>{1}));
  EXPECT_EQ(regions.right_rows.size(), kRows);
  EXPECT_EQ(std::set(regions.left_rows.items().begin(), regions.left_rows.items().end()).size(), kRows);
  std::size_t own = 0;  // left rows whose first region is that of the right row that is like them
  std::vector<std::uint32_t> region_of(kRows);
  for (std::uint32_t region = 0; region < regions.size(); ++region) {
    for (const std::uint32_t row : regions.right_rows[region]) region_of[row] = region;
  }
  for (std::size_t i = 0; i < kRows; ++i) {
    EXPECT_EQ(std::set(regions.looks_at(i).begin(), regions.looks_at(i).end()).size(), 3U);
    own += regions.looks_at(i)[0] == region_of[i] ? 1 : 0;
  }
  EXPECT_GE(own, kRows * 9 / 10);
}

TEST(Regions, ThereIsOneWhereAllWouldBeLookedAt) {
  const MatchVectors vectors = grouped_vectors(kRegionRows + 1, 10);
  ThreadPool pool(2);
  EXPECT_EQ(find_regions(vectors, 1, pool).size(), 2U);
  EXPECT_EQ(find_regions(vectors, 2, pool).size(), 1U);
}

}  // namespace
}  // namespace dovetail
