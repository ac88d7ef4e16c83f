#include "kernels/table_scores.h"

#include <gtest/gtest.h>
#include <set>
#include <vector>

#include "common/random.h"
#include "every_target.h"
#include "kernels/scores.h"

namespace dovetail {
namespace {

TEST(TableScores, EveryRowOfABlockHasAPlace) {
  std::set<std::size_t> places;
  for (std::size_t row = 0; row < kTableBlock; ++row) places.insert(place_in_plane(row));
  EXPECT_EQ(places.size(), kTableBlock);
  EXPECT_EQ(*places.rbegin(), kTableBlock - 1);
}

TEST(TableScores, AreTheNaiveOnes) {
  constexpr std::size_t kPlanes = 256, kBlocks = 3, kStride = kBlocks * kTableBlock + 5;
  Random random(3);
  for (const std::size_t count : {1, 3, 4, 9}) {
    std::vector<std::uint8_t> entries(count * kPlanes * 16), codes(kBlocks * kPlanes * kTableBlock);
    for (std::uint8_t& entry : entries) entry = static_cast<std::uint8_t>(random.below(kTableMost + 1));
    for (std::uint8_t& code : codes) code = static_cast<std::uint8_t>(random.below(16));
    std::fill_n(entries.begin(), kPlanes * 16, kTableMost);  // the largest sums there can be
    std::vector<const std::uint8_t*> tables;
    for (std::size_t t = 0; t < count; ++t) tables.push_back(entries.data() + t * kPlanes * 16);
    std::vector<std::uint16_t> expected(count * kStride, 7);
    naive::table_scores({tables, codes.data(), kBlocks, kPlanes, expected.data(), kStride});
    EXPECT_EQ(expected[0], kPlanes * kTableMost);
    on_every_target([&] {
      std::vector<std::uint16_t> out(count * kStride, 7);
      table_scores({tables, codes.data(), kBlocks, kPlanes, out.data(), kStride});
      EXPECT_EQ(out, expected);
    });
  }
}

TEST(TableScores, PlacesThatReachABarAreFound) {
  Random random(4);
  std::vector<std::uint16_t> scores(133), bars(133);
  for (std::uint16_t& score : scores) score = static_cast<std::uint16_t>(random.below(65536));
  for (std::uint16_t& bar : bars) bar = static_cast<std::uint16_t>(random.below(65536));
  on_every_target([&] {
    for (const unsigned number : {0U, 1U, 30000U, 65000U, 65535U}) {
      const auto bar = static_cast<std::uint16_t>(number);
      std::size_t expected = 5;
      while (expected < scores.size() && scores[expected] < bar) ++expected;
      EXPECT_EQ(find_reaching(scores.data(), bar, 5, scores.size()), expected);
    }
    std::vector<std::size_t> places, expected;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      if (scores[i] >= bars[i]) expected.push_back(i);
    }
    for (std::size_t i = find_reaching(scores.data(), bars.data(), 0, scores.size()); i < scores.size();
         i = find_reaching(scores.data(), bars.data(), i + 1, scores.size())) {
      places.push_back(i);
    }
    EXPECT_EQ(places, expected);
  });
}

}  // namespace
}  // namespace dovetail
