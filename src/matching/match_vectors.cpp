#include "matching/match_vectors.h"

#include <algorithm>
#include <cmath>

#include "kernels/scores.h"

namespace dovetail {
namespace {

std::size_t padded_columns(std::size_t columns) {
  return (2 * columns + kCodeUnit - 1) / kCodeUnit * kCodeUnit;
}

}  // namespace

MatchVectors::MatchVectors(std::size_t left_rows, std::size_t right_rows, std::size_t columns)
    : left(left_rows, padded_columns(columns)), right(right_rows, padded_columns(columns)) {}

MatchVectors select_rows(const MatchVectors& vectors, std::span<const std::uint32_t> left,
                         std::span<const std::uint32_t> right) {
  const auto select = [](const Matrix<Bfloat16>& all, std::span<const std::uint32_t> rows) {
    Matrix<Bfloat16> some(rows.size(), all.columns());
    for (std::size_t i = 0; i < rows.size(); ++i) std::copy_n(all.row(rows[i]), all.columns(), some.row(i));
    return some;
  };
  MatchVectors selected;
  selected.left = select(vectors.left, left);
  selected.right = select(vectors.right, right);
  return selected;
}

void put_normalised(const Bfloat16* row, std::size_t columns, std::size_t used, double clip, Bfloat16* out) {
  float limit = INFINITY;
  if (clip > 0) {
    const double mean_square = static_cast<double>(dot_rows(row, row, columns)) / static_cast<double>(used);
    limit = static_cast<float>(clip * std::sqrt(mean_square));
  }
  double squares = 0;
  for (std::size_t c = 0; c < columns; ++c) {
    const double value = std::clamp(to_real(row[c]), -limit, limit);
    squares += value * value;
  }
  const auto scale = static_cast<float>(squares > 0 ? 1 / std::sqrt(squares) : 0.0);
  for (std::size_t c = 0; c < columns; ++c) {
    out[c] = to_bfloat16(scale * std::clamp(to_real(row[c]), -limit, limit));
  }
}

}  // namespace dovetail
