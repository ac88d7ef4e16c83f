#include "kernels/rows.h"

#include <cmath>
#include <gtest/gtest.h>
#include <vector>

#include "common/random.h"
#include "kernels/every_target.h"

namespace dovetail {
namespace {

constexpr std::size_t kWidth = 48;

std::vector<float> random_floats(std::size_t size, std::uint64_t seed, double range = 1) {
  Random random(seed);
  std::vector<float> values(size);
  for (float& value : values) value = static_cast<float>((2 * random.uniform() - 1) * range);
  return values;
}

std::vector<Bfloat16> random_rows(std::size_t size, std::uint64_t seed, double range = 1) {
  std::vector<Bfloat16> rows;
  for (const float value : random_floats(size, seed, range)) rows.push_back(to_bfloat16(value));
  return rows;
}

/// Two results that were rounded to Bfloat16 may differ by one in the last place.
void expect_close(const std::vector<Bfloat16>& a, const std::vector<Bfloat16>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_NEAR(to_real(a[i]), to_real(b[i]), 0.008 * std::abs(to_real(b[i])) + 1e-6) << "at " << i;
  }
}

void expect_close(const std::vector<float>& a, const std::vector<float>& b, double relative = 1e-5) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], relative * (1 + std::abs(b[i]))) << i;
}

TEST(Bfloat16, RoundsToNearestEven) {
  EXPECT_EQ(to_real(to_bfloat16(1.0F)), 1.0F);
  EXPECT_EQ(to_real(to_bfloat16(1.0F + 0x1p-8F)), 1.0F);             // half way, down to even
  EXPECT_EQ(to_real(to_bfloat16(1.0F + 3 * 0x1p-8F)), 1 + 0x1p-6F);  // half way, up to even
  EXPECT_EQ(to_real(to_bfloat16(-0.3F)), -0.30078125F);
}

std::vector<std::uint32_t> with_room_to_prefetch(std::vector<std::uint32_t> numbers) {
  numbers.resize(numbers.size() + kPrefetchAhead);
  return numbers;
}

TEST(Rows, EluMatchesNaive) {
  const std::vector<float> x = random_floats(kWidth, 4, 12);
  on_every_target([&] {
    std::vector<Bfloat16> fast(kWidth), slow(kWidth);
    store_elu_row<float>(x.data(), kWidth, fast.data());
    naive::store_elu_row(x.data(), kWidth, slow.data());
    expect_close(fast, slow);
  });
}

TEST(Rows, MeanForwardMatchesNaive) {
  const std::vector<std::uint32_t> numbers = with_room_to_prefetch({3, 0, 7, 7, 2});
  const std::vector<Bfloat16> table = random_rows(8 * kWidth, 1, 12);  // reaches far into ELU's flat part
  on_every_target([&] {
    for (std::size_t count = 0; count <= 5; ++count) {
      for (const bool elu : {false, true}) {
        std::vector<Bfloat16> fast(kWidth), slow(kWidth);
        std::vector<float> scratch(kWidth);
        mean_rows_forward<float>({numbers.data(), count}, table.data(), kWidth, elu, scratch.data(),
                                 fast.data());
        naive::mean_rows_forward({numbers.data(), count}, table.data(), kWidth, elu, scratch.data(),
                                 slow.data());
        expect_close(fast, slow);
      }
    }
  });
}

TEST(Rows, MeanBackwardSkipsNodesThatAreNotNeeded) {
  const std::vector<std::uint32_t> nodes = with_room_to_prefetch({0, 2, 3, 1});
  const std::vector<std::uint8_t> need{1, 0, 2, 0};
  const std::vector<Bfloat16> gradient = random_rows(4 * 2 * kWidth, 2);
  on_every_target([&] {
    for (std::size_t count = 0; count <= 4; ++count) {
      std::vector<float> fast(kWidth), slow(kWidth);
      const bool any = mean_rows_backward<float>({nodes.data(), count}, need.data(), 1, gradient.data(),
                                                 2 * kWidth, kWidth, fast.data());
      EXPECT_EQ(any, naive::mean_rows_backward({nodes.data(), count}, need.data(), 1, gradient.data(),
                                               2 * kWidth, kWidth, slow.data()));
      EXPECT_EQ(any, count > 0);
      expect_close(fast, slow);
    }
  });
}

TEST(Rows, DotIsExactOnIntegers) {
  std::vector<float> a(kWidth), b(kWidth);
  for (std::size_t i = 0; i < kWidth; ++i) {
    a[i] = static_cast<float>(i % 7) - 3;
    b[i] = static_cast<float>(i % 5) - 2;
  }
  on_every_target(
      [&] { EXPECT_EQ(dot(a.data(), b.data(), kWidth), naive::dot(a.data(), b.data(), kWidth)); });
}

TEST(Rows, OptimisersMatchNaive) {
  const OptimiserStep<float> step{.rate = 0.01F,
                                  .decay_mean = 0.9F,
                                  .decay_square = 0.95F,
                                  .gain_mean = 0.1F,
                                  .gain_square = 0.05F,
                                  .correction = 2,
                                  .epsilon = 1e-7F};
  const std::vector<float> gradient = random_floats(kWidth, 3);
  on_every_target([&] {
    for (const bool adam : {false, true}) {
      std::vector<float> row[2], mean[2], square[2];
      for (int naive_one = 0; naive_one < 2; ++naive_one) {
        row[naive_one] = random_floats(kWidth, 4);
        mean[naive_one] = random_floats(kWidth, 5, 0.1);
        square[naive_one] = random_floats(kWidth, 6);
        for (float& value : square[naive_one]) value = std::abs(value) + 0.02F;
      }
      if (adam) {
        adam_row(step, gradient.data(), kWidth, mean[0].data(), square[0].data(), row[0].data());
        naive::adam_row(step, gradient.data(), kWidth, mean[1].data(), square[1].data(), row[1].data());
      } else {
        rmsprop_row(step, gradient.data(), kWidth, mean[0].data(), square[0].data(), row[0].data());
        naive::rmsprop_row(step, gradient.data(), kWidth, mean[1].data(), square[1].data(), row[1].data());
      }
      expect_close(row[0], row[1]);
      expect_close(mean[0], mean[1]);
      expect_close(square[0], square[1]);
    }
  });
}

}  // namespace
}  // namespace dovetail
