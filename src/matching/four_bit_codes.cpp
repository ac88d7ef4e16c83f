#include "matching/four_bit_codes.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "kernels/scores.h"
#include "matching/folding.h"

namespace dovetail {
namespace {

constexpr std::size_t kPackGrain = 64;
/// The largest 4-bit code stands for this many times the root mean square: a step of 0.35 deviations, about
/// the best for 15 codes and normally distributed values; less where values have been clipped already.
constexpr double kLargestCode = 2.45;
/// Clipping shortens a vector, and bringing it back to length 1 raises the limit again by about this.
constexpr double kClippedRange = 1.35;
/// Folded rows are not made shorter than this: with fewer columns their products become too uncertain.
constexpr std::size_t kLeastFoldedCodes = 768;

}  // namespace

FourBitCodes::FourBitCodes(const MatchVectors& vectors, const MatchingOptions& options, ThreadPool& pool) {
  const std::size_t columns = vectors.left.columns();
  const Folding folding(columns, options.fold, kLeastFoldedCodes, kCodeUnit);
  const std::size_t folded_columns = folding.folded();
  const double clipped = options.clip > 0 ? kClippedRange * options.clip : kLargestCode;
  const double largest = folding.times() > 1 ? kLargestCode : std::min(kLargestCode, clipped);
  // Vectors are two halves of length 1 each, and folding keeps that on average: a value's mean square is
  // 2 / columns.
  const auto step = static_cast<float>(largest / 7 * std::sqrt(2.0 / static_cast<double>(folded_columns)));
  unit = step * step;
  const auto encode = [&](const Matrix<Bfloat16>& rows, int offset, Matrix<std::uint8_t>& codes) {
    codes = Matrix<std::uint8_t>(rows.rows(), folded_columns);
    for_rows(rows, kPackGrain, pool, [&](std::size_t begin, std::size_t end) {
      std::vector<Bfloat16> folded(folded_columns);
      for (std::size_t i = begin; i < end; ++i) {
        folding.fold(rows.row(i), folded);
        four_bit_codes(folded.data(), step, offset, folded_columns, codes.row(i));
      }
    });
  };
  encode(vectors.left, 8, left);
  encode(vectors.right, 0, right);
  right_sums.resize(right.rows());
  for (std::size_t i = 0; i < right_sums.size(); ++i) {
    right_sums[i] = std::accumulate(signed_row(i), signed_row(i) + folded_columns, std::int32_t{0});
  }
}

}  // namespace dovetail
