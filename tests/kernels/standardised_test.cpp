#include "kernels/standardised.h"

#include <cmath>
#include <gtest/gtest.h>
#include <vector>

#include "common/random.h"
#include "kernels/every_target.h"

namespace dovetail {
namespace {

constexpr std::size_t kWidth = 32;
constexpr std::size_t kRows = 9;

/// A batch of rows with a dropout mask, and room for what is computed from it.
struct Side {
  std::vector<Bfloat16> values;
  std::vector<std::uint8_t> mask;
  std::vector<std::uint32_t> numbers{4, 0, 1, 8, 2, 3, 5, 6, 7};
  std::vector<float> mean = std::vector<float>(kWidth), inverse = std::vector<float>(kWidth);

  explicit Side(std::uint64_t seed) {
    Random random(seed);
    for (std::size_t i = 0; i < kRows * kWidth; ++i) {
      values.push_back(to_bfloat16(static_cast<float>(random.uniform() - 0.3)));
    }
    for (std::size_t i = 0; i < kRows * kWidth / 8 + 8; ++i) {
      mask.push_back(static_cast<std::uint8_t>(random.next() | random.next()));
    }
  }
  MaskedRows<float> rows() const {
    return {values.data(), kWidth, numbers.data(), kRows, mask.data(), kWidth / 8};
  }
  ColumnScale<float> scale() { return {mean.data(), inverse.data()}; }
};

void expect_close(const std::vector<float>& a, const std::vector<float>& b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    EXPECT_NEAR(a[i], b[i], 1e-4 * (1 + std::abs(b[i]))) << "at " << i;
}

TEST(Standardised, MatchesNaive) {
  Side x(1), y(2);
  naive::column_scale(x.rows(), kWidth, 1e-5F, x.scale());
  naive::column_scale(y.rows(), kWidth, 1e-5F, y.scale());
  std::vector<float> xy(kRows), xx(kRows), yy(kRows), scratch(2 * kWidth);
  naive::row_products(x.rows(), x.scale(), y.rows(), y.scale(), kWidth, 0, kRows,
                      {xy.data(), xx.data(), yy.data()});
  std::vector<Bfloat16> slow(kRows * kWidth);
  naive::standardised_backward(x.rows(), x.scale(), y.rows(), y.scale(), kWidth, xy.data(), xx.data(), true,
                               scratch.data(), slow.data(), kWidth);
  on_every_target([&] {
    Side fast_x(1);
    column_scale(fast_x.rows(), kWidth, 1e-5F, fast_x.scale());
    expect_close(fast_x.mean, x.mean);
    expect_close(fast_x.inverse, x.inverse);
    std::vector<float> fast_xy(kRows), fast_xx(kRows), fast_yy(kRows);
    row_products(x.rows(), x.scale(), y.rows(), y.scale(), kWidth, 0, kRows,
                 {fast_xy.data(), fast_xx.data(), fast_yy.data()});
    expect_close(fast_xy, xy);
    expect_close(fast_xx, xx);
    expect_close(fast_yy, yy);
    std::vector<Bfloat16> fast(kRows * kWidth);
    standardised_backward(x.rows(), x.scale(), y.rows(), y.scale(), kWidth, xy.data(), xx.data(), true,
                          scratch.data(), fast.data(), kWidth);
    for (std::size_t i = 0; i < fast.size(); ++i) {
      EXPECT_NEAR(to_real(fast[i]), to_real(slow[i]), 0.01 * std::abs(to_real(slow[i])) + 1e-3) << "at " << i;
    }
  });
}

TEST(Standardised, ColumnsGetMeanZeroAndDeviationOne) {
  Side x(3);
  column_scale(x.rows(), kWidth, 0.0F, x.scale());
  std::vector<float> xy(kRows), xx(kRows), yy(kRows);
  row_products(x.rows(), x.scale(), x.rows(), x.scale(), kWidth, 0, kRows, {xy.data(), xx.data(), yy.data()});
  double total = 0;
  for (const float square : xx) total += square;
  EXPECT_NEAR(total, kRows * kWidth, 0.01);
}

TEST(Standardised, AConstantColumnStaysFinite) {
  Side x(4);
  for (Bfloat16& value : x.values) value = to_bfloat16(0.5F);
  std::vector<std::uint8_t> all(x.mask.size(), 0xFF);
  x.mask = all;
  column_scale(x.rows(), kWidth, 1e-10F, x.scale());
  for (const float inverse : x.inverse) EXPECT_TRUE(std::isfinite(inverse));
}

}  // namespace
}  // namespace dovetail
