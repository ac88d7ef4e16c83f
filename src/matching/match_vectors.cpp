#include "matching/match_vectors.h"

#include <algorithm>
#include <cmath>

#include "kernels/scores.h"

namespace dovetail {

std::size_t MatchVectors::padded_columns(std::size_t columns) {
  return (2 * columns + kCodeUnit - 1) / kCodeUnit * kCodeUnit;
}

MatchVectors::MatchVectors(std::size_t left_rows, std::size_t right_rows, std::size_t columns,
                           const std::filesystem::path& folder)
    : left(left_rows, padded_columns(columns), folder), right(right_rows, padded_columns(columns), folder) {}

MatchVectors select_rows(const MatchVectors& vectors, std::span<const std::uint32_t> left,
                         std::span<const std::uint32_t> right, const std::filesystem::path& folder) {
  const auto select = [&](const Matrix<Bfloat16>& all, std::span<const std::uint32_t> rows) {
    Matrix<Bfloat16> some(rows.size(), all.columns(), folder);
    for (std::size_t first = 0; first < rows.size(); first += kRowsAtATime) {
      const std::size_t end = std::min(first + kRowsAtATime, rows.size());
      for (std::size_t i = first; i < end; ++i) std::copy_n(all.row(rows[i]), all.columns(), some.row(i));
      some.rest(first, end);
      all.rest(rows[first], rows[end - 1] + 1);
    }
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
