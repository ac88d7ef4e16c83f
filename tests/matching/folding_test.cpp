#include "matching/folding.h"

#include <cmath>
#include <gtest/gtest.h>
#include <vector>

#include "common/random.h"

namespace dovetail {
namespace {

using Row = std::vector<Bfloat16>;

double product(const Row& a, const Row& b) {
  double sum = 0;
  for (std::size_t c = 0; c < a.size(); ++c) sum += to_real(a[c]) * to_real(b[c]);
  return sum;
}

TEST(Folding, KeepsProductsOnAverage) {
  constexpr std::size_t kWide = 1536;
  const Folding folding(kWide, 64, 384, 64);
  EXPECT_EQ(folding.times(), 4U);
  ASSERT_EQ(folding.folded(), 384U);
  Random random(3);
  const auto unit = [&] {
    return static_cast<float>((random.uniform() - 0.5) * std::sqrt(12.0 / kWide));  // of length 1, about
  };
  constexpr int kTimes = 200;
  double off = 0, most = 0;
  for (int i = 0; i < kTimes; ++i) {
    Row a, b, folded_a(folding.folded()), folded_b(folding.folded());
    for (std::size_t c = 0; c < kWide; ++c) {
      const float shared = unit();
      a.push_back(to_bfloat16(0.8F * shared + 0.6F * unit()));
      b.push_back(to_bfloat16(0.8F * shared + 0.6F * unit()));
    }
    folding.fold(a.data(), folded_a);
    folding.fold(b.data(), folded_b);
    const double difference = product(folded_a, folded_b) - product(a, b);
    off += difference / kTimes;
    most = std::max(most, std::abs(difference));
  }
  EXPECT_NEAR(off, 0, 0.02);  // 1 / sqrt(384 * 200) is a deviation of 0.004
  EXPECT_LT(most, 0.3);
  EXPECT_GT(most, 0.01);  // it is a sketch
}

TEST(Folding, LeavesShortRowsAsTheyAre) {
  const Folding folding(128, 4, 768, 64);
  EXPECT_EQ(folding.times(), 1U);
  ASSERT_EQ(folding.folded(), 128U);
  Row row, folded(128);
  for (int c = 0; c < 128; ++c) row.push_back(to_bfloat16(static_cast<float>(c)));
  folding.fold(row.data(), folded);
  for (std::size_t c = 0; c < row.size(); ++c) {
    EXPECT_EQ(std::abs(to_real(folded[c])), to_real(row[c])) << c;  // but for signs
  }
}

}  // namespace
}  // namespace dovetail
