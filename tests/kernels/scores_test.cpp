#include "kernels/scores.h"

#include <gtest/gtest.h>
#include <numeric>
#include <vector>

#include "common/random.h"
#include "kernels/every_target.h"

namespace dovetail {
namespace {

TEST(Scores, FourBitIsExactWhateverTheBlock) {
  Random random(1);
  for (const std::size_t columns : {64, 192, 20032}) {
    std::vector<std::uint8_t> a(7 * columns);
    std::vector<std::int8_t> b(9 * columns);
    // The extreme codes everywhere in the first rows: sums must not overflow.
    for (std::size_t i = 0; i < a.size(); ++i) {
      a[i] = i < columns ? std::uint8_t{15} : static_cast<std::uint8_t>(1 + random.below(15));
    }
    for (std::size_t i = 0; i < b.size(); ++i) {
      b[i] = static_cast<std::int8_t>(i < columns ? -7 : static_cast<int>(random.below(15)) - 7);
    }
    std::vector<std::int32_t> sums(9);
    for (std::size_t j = 0; j < 9; ++j) {
      sums[j] = std::accumulate(b.begin() + static_cast<std::ptrdiff_t>(j * columns),
                                b.begin() + static_cast<std::ptrdiff_t>((j + 1) * columns), 0);
    }
    on_every_target([&] {
      for (const std::size_t a_rows : {1, 2, 7}) {
        for (const std::size_t b_rows : {1, 6, 9}) {
          std::vector<float> fast(7 * 9), slow(7 * 9);
          four_bit_scores(a.data(), b.data(), sums.data(), {a_rows, b_rows, columns, fast.data(), 9, 0.5F});
          naive::four_bit_scores(a.data(), b.data(), sums.data(),
                                 {a_rows, b_rows, columns, slow.data(), 9, 0.5F});
          EXPECT_EQ(fast, slow);
        }
      }
    });
  }
}

TEST(Scores, CodesMatchNaive) {
  Random random(3);
  constexpr std::size_t kColumns = 192;
  std::vector<Bfloat16> x;
  for (std::size_t i = 0; i < kColumns; ++i)
    x.push_back(to_bfloat16(static_cast<float>(random.uniform() - 0.5)));
  on_every_target([&] {
    for (const int offset : {0, 8}) {
      std::vector<std::uint8_t> fast(kColumns), slow(kColumns);
      four_bit_codes(x.data(), 0.05F, offset, kColumns, fast.data());
      naive::four_bit_codes(x.data(), 0.05F, offset, kColumns, slow.data());
      EXPECT_EQ(fast, slow);
    }
  });
}

TEST(Scores, ExactIsExactOnIntegers) {
  Random random(2);
  constexpr std::size_t kColumns = 128;
  std::vector<Bfloat16> a(9 * kColumns), b(8 * kColumns);
  for (auto* values : {&a, &b}) {
    for (Bfloat16& value : *values) value = to_bfloat16(static_cast<float>(random.below(9)) - 4);
  }
  on_every_target([&] {
    std::vector<float> fast(9 * 8), slow(9 * 8);
    exact_scores(a.data(), b.data(), {9, 8, kColumns, fast.data(), 8});
    naive::exact_scores(a.data(), b.data(), {9, 8, kColumns, slow.data(), 8});
    EXPECT_EQ(fast, slow);
    EXPECT_EQ(dot_rows(a.data() + kColumns, b.data(), kColumns), slow[8]);
  });
}

TEST(Scores, FindsWhatReachesTheBar) {
  Random random(4);
  constexpr std::size_t kCount = 77;
  std::vector<float> scores(kCount), bars(kCount);
  for (float& score : scores) score = static_cast<float>(random.below(12));
  for (float& bar : bars) bar = static_cast<float>(5 + random.below(12));
  on_every_target([&] {
    for (std::size_t begin = 0; begin <= kCount; ++begin) {
      for (const std::size_t end : {begin, std::min(kCount, begin + 3), kCount}) {
        for (const float bar : {0.0F, 10.5F, 11.0F, 12.0F}) {
          EXPECT_EQ(find_reaching(scores.data(), bar, begin, end),
                    naive::find_reaching(scores.data(), bar, begin, end));
        }
        EXPECT_EQ(find_reaching(scores.data(), bars.data(), begin, end),
                  naive::find_reaching(scores.data(), bars.data(), begin, end));
      }
    }
  });
}

}  // namespace
}  // namespace dovetail
