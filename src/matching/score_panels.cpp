#include "matching/score_panels.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "common/random.h"
#include "kernels/scores.h"

namespace dovetail {
namespace {

/// Bytes of a panel of scores.
constexpr std::size_t kPanelBytes = std::size_t{24} << 20;
/// Right rows that one thread computes with all left rows of the panel at a time.
constexpr std::size_t kBlockRight = 192;
constexpr std::size_t kRowGrain = 64;
/// The largest 4-bit code stands for this many times the root mean square: a step of 0.35 deviations, about
/// the best for 15 codes and normally distributed values; less where values have been clipped already.
constexpr double kLargestCode = 2.45;
/// Clipping shortens a vector, and bringing it back to length 1 raises the limit again by about this.
constexpr double kClippedRange = 1.35;

/// Folded rows are not made shorter than this: with fewer columns their products become too uncertain.
constexpr std::size_t kLeastFolded = 768;

std::size_t panel_rows(const MatchVectors& vectors) {
  const std::size_t fitting = kPanelBytes / sizeof(float) / std::max<std::size_t>(1, vectors.right.rows());
  return std::clamp<std::size_t>(fitting, 16, std::max<std::size_t>(16, vectors.left.rows()));
}

/// Adds up columns that are out.size() apart, each with its sign: dot products of folded rows are, on
/// average, those of the rows (a count sketch).
void fold_row(const Bfloat16* row, std::span<const float> signs, std::span<Bfloat16> out) {
  for (std::size_t p = 0; p < out.size(); ++p) {
    float sum = 0;
    for (std::size_t c = p; c < signs.size(); c += out.size()) sum += signs[c] * to_real(row[c]);
    out[p] = to_bfloat16(sum);
  }
}

}  // namespace

ScorePanels::ScorePanels(const MatchVectors& vectors, const MatchingOptions& options, ThreadPool& pool)
    : vectors_(vectors), search_(options.search), pool_(pool), columns_(vectors.left.columns()) {
  if (search_ == Search::four_bit) quantise(options);
  scores_ = Buffer<float>(panel_rows(vectors) * vectors.right.rows());
}

void ScorePanels::quantise(const MatchingOptions& options) {
  const std::size_t columns = vectors_.left.columns();
  const std::size_t fold = std::clamp<std::size_t>(columns / kLeastFolded, 1, options.fold);
  columns_ = (columns / fold + kCodeUnit - 1) / kCodeUnit * kCodeUnit;
  const double clipped = options.clip > 0 ? kClippedRange * options.clip : kLargestCode;
  const double largest = fold > 1 ? kLargestCode : std::min(kLargestCode, clipped);
  // Vectors are two halves of length 1 each, and folding keeps that on average: a value's mean square is
  // 2 / columns.
  const auto step = static_cast<float>(largest / 7 * std::sqrt(2.0 / static_cast<double>(columns_)));
  unit_ = step * step;
  std::vector<float> signs(columns);
  for (std::size_t c = 0; c < columns; ++c) signs[c] = mix64(c) % 2 == 0 ? 1.0F : -1.0F;
  const auto encode = [&](const Matrix<Bfloat16>& rows, int offset, Matrix<std::uint8_t>& codes) {
    codes = Matrix<std::uint8_t>(rows.rows(), columns_);
    pool_.for_ranges(rows.rows(), kRowGrain, [&](std::size_t begin, std::size_t end) {
      std::vector<Bfloat16> folded(columns_);
      for (std::size_t i = begin; i < end; ++i) {
        fold_row(rows.row(i), signs, folded);
        four_bit_codes(folded.data(), step, offset, columns_, codes.row(i));
      }
    });
  };
  encode(vectors_.left, 8, left_codes_);
  encode(vectors_.right, 0, right_codes_);
  right_sums_.resize(vectors_.right.rows());
  for (std::size_t i = 0; i < right_sums_.size(); ++i) {
    const auto* const codes = reinterpret_cast<const std::int8_t*>(right_codes_.row(i));
    right_sums_[i] = std::accumulate(codes, codes + columns_, std::int32_t{0});
  }
}

void ScorePanels::fill(std::size_t first, std::size_t rows) {
  const std::size_t stride = vectors_.right.rows();
  pool_.for_ranges(stride, kBlockRight, [&](std::size_t begin, std::size_t end) {
    const ScoreBlock block{.a_rows = rows,
                           .b_rows = end - begin,
                           .columns = columns_,
                           .out = scores_.data() + begin,
                           .out_stride = stride,
                           .unit = unit_};
    if (search_ == Search::four_bit) {
      four_bit_scores(left_codes_.row(first), reinterpret_cast<const std::int8_t*>(right_codes_.row(begin)),
                      right_sums_.data() + begin, block);
    } else {
      exact_scores(vectors_.left.row(first), vectors_.right.row(begin), block);
    }
  });
}

void ScorePanels::for_each(const std::function<void(const Panel&)>& body) {
  const std::size_t most = panel_rows(vectors_);
  for (std::size_t first = 0; first < vectors_.left.rows(); first += most) {
    const std::size_t rows = std::min(most, vectors_.left.rows() - first);
    fill(first, rows);
    body({first, rows, scores_.data(), vectors_.right.rows()});
  }
}

}  // namespace dovetail
