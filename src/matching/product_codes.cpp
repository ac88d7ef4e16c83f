#include "matching/product_codes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "kernels/table_scores.h"
#include "matching/match_vectors.h"

namespace dovetail {
namespace {

constexpr std::size_t kSample = 8192;  // rows that are learned from
constexpr std::size_t kCodePasses = 10;
constexpr std::size_t kBlockGrain = 8;  // blocks
/// Entries of tables reach this many deviations either way.
constexpr float kReach = 4;

void to_floats(const Bfloat16* row, std::size_t columns, float* out) {
  std::transform(row, row + columns, out, [](Bfloat16 value) { return to_real(value); });
}

Matrix<float> sampled(const Matrix<Bfloat16>& rows, std::size_t most) {
  const std::size_t count = std::min(most, rows.rows());
  Matrix<float> sample(count, rows.columns());
  for (std::size_t i = 0; i < count; ++i) {
    to_floats(rows.row(i * rows.rows() / count), rows.columns(), sample.row(i));
  }
  rows.rest(0, rows.rows());
  return sample;
}

}  // namespace

ProductCodes::ProductCodes(const Matrix<Bfloat16>& rows, const Matrix<Bfloat16>& others, ThreadPool& pool)
    : columns_(rows.columns()), typical_(rows.columns(), kTypical), half_square_(kPlanes * kTypical) {
  const Matrix<float> sample = sampled(rows, kSample);
  pool.run(kPlanes, [&](std::size_t plane) { learn(sample, plane); });
  const std::size_t looked = std::min<std::size_t>(others.rows(), kSample / 8);
  double squares = 0;
  std::array<float, kTableBytes> entries{};
  for (std::size_t i = 0; i < looked; ++i) {
    put_entries(others.row(i * others.rows() / looked), entries);
    for (const float entry : entries) squares += static_cast<double>(entry) * entry;
  }
  others.rest(0, others.rows());
  const double mean_square = squares / static_cast<double>(std::max<std::size_t>(1, looked) * kTableBytes);
  scale_ = mean_square > 0 ? static_cast<float>(kTableMost / (2 * kReach * std::sqrt(mean_square))) : 0;
}

std::array<float, ProductCodes::kTypical> ProductCodes::products(const float* row, std::size_t plane) const {
  std::array<float, kTypical> sums{};
  for (std::size_t c = begin(plane); c < end(plane); ++c) {
    const float* const typical = typical_.row(c);
    for (std::size_t k = 0; k < kTypical; ++k) sums[k] += row[c] * typical[k];
  }
  return sums;
}

std::uint8_t ProductCodes::nearest(const float* row, std::size_t plane) const {
  std::array<float, kTypical> scores = products(row, plane);
  for (std::size_t k = 0; k < kTypical; ++k) scores[k] -= half_square_[plane * kTypical + k];
  return static_cast<std::uint8_t>(std::ranges::max_element(scores) - scores.begin());
}

/// k-means, from rows that lie evenly apart.
void ProductCodes::learn(const Matrix<float>& sample, std::size_t plane) {
  if (sample.rows() == 0) return;
  const auto put = [&](std::size_t k, const auto& piece) {
    double square = 0;
    for (std::size_t c = begin(plane); c < end(plane); ++c) {
      const double value = piece(c);
      typical_.row(c)[k] = static_cast<float>(value);
      square += value * value;
    }
    half_square_[plane * kTypical + k] = static_cast<float>(square / 2);
  };
  for (std::size_t k = 0; k < kTypical; ++k) {
    put(k, [&](std::size_t c) { return sample.row(k * sample.rows() / kTypical)[c]; });
  }
  for (std::size_t pass = 0; pass < kCodePasses; ++pass) {
    Matrix<double> total(kTypical, end(plane) - begin(plane));
    std::array<std::size_t, kTypical> count{};
    for (std::size_t i = 0; i < sample.rows(); ++i) {
      const std::size_t k = nearest(sample.row(i), plane);
      ++count[k];
      for (std::size_t c = begin(plane); c < end(plane); ++c)
        total.row(k)[c - begin(plane)] += sample.row(i)[c];
    }
    for (std::size_t k = 0; k < kTypical; ++k) {
      if (count[k] == 0) continue;  // nothing came here: it stays
      put(k, [&](std::size_t c) { return total.row(k)[c - begin(plane)] / static_cast<double>(count[k]); });
    }
  }
}

Buffer<std::uint8_t> ProductCodes::encode(const Matrix<Bfloat16>& rows,
                                          std::span<const std::uint32_t> numbers, ThreadPool& pool) const {
  const std::size_t blocks = (numbers.size() + kTableBlock - 1) / kTableBlock;
  Buffer<std::uint8_t> codes(blocks * kPlanes * kTableBlock);
  pool.for_ranges(blocks, kBlockGrain, [&](std::size_t begin_block, std::size_t end_block) {
    std::vector<float> row(columns_);
    const std::size_t last = std::min(end_block * kTableBlock, numbers.size());
    for (std::size_t i = begin_block * kTableBlock; i < last; ++i) {
      to_floats(rows.row(numbers[i]), columns_, row.data());
      std::uint8_t* const block = codes.data() + i / kTableBlock * kPlanes * kTableBlock;
      for (std::size_t plane = 0; plane < kPlanes; ++plane) {
        block[plane * kTableBlock + place_in_plane(i % kTableBlock)] = nearest(row.data(), plane);
      }
    }
  });
  rows.rest(0, rows.rows());
  return codes;
}

/// Measured from their mean, which leaves out what a row has in common with all.
void ProductCodes::put_entries(const Bfloat16* other, std::array<float, kTableBytes>& entries) const {
  std::vector<float> row(columns_);
  to_floats(other, columns_, row.data());
  for (std::size_t plane = 0; plane < kPlanes; ++plane) {
    const std::array<float, kTypical> sums = products(row.data(), plane);
    const float mean = std::accumulate(sums.begin(), sums.end(), 0.0F) / kTypical;
    for (std::size_t k = 0; k < kTypical; ++k) entries[plane * kTypical + k] = sums[k] - mean;
  }
}

void ProductCodes::make_table(const Bfloat16* other, std::uint8_t* table) const {
  std::array<float, kTableBytes> entries{};
  put_entries(other, entries);
  for (std::size_t n = 0; n < kTableBytes; ++n) {
    const float place = entries[n] * scale_ + 0.5F * kTableMost + 0.5F;
    table[n] = static_cast<std::uint8_t>(std::clamp(place, 0.0F, static_cast<float>(kTableMost)));
  }
}

}  // namespace dovetail
