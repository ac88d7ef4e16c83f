#include "matching/score_panels.h"

#include <algorithm>
#include <cmath>
#include <numeric>

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

std::size_t panel_rows(const MatchVectors& vectors) {
  const std::size_t fitting = kPanelBytes / sizeof(float) / std::max<std::size_t>(1, vectors.right.rows());
  return std::clamp<std::size_t>(fitting, 16, std::max<std::size_t>(16, vectors.left.rows()));
}

}  // namespace

ScorePanels::ScorePanels(const MatchVectors& vectors, const MatchingOptions& options, ThreadPool& pool)
    : vectors_(vectors), search_(options.search), pool_(pool) {
  if (search_ == Search::four_bit) quantise(options.clip);
  scores_ = Buffer<float>(panel_rows(vectors) * vectors.right.rows());
}

void ScorePanels::quantise(double clip) {
  // Vectors are two halves of length 1 each, so a value's mean square is 2 / columns.
  const std::size_t columns = vectors_.left.columns();
  const double largest = clip > 0 ? std::min(kLargestCode, kClippedRange * clip) : kLargestCode;
  const auto step = static_cast<float>(largest / 7 * std::sqrt(2.0 / static_cast<double>(columns)));
  unit_ = step * step;
  left_codes_ = Matrix<std::uint8_t>(vectors_.left.rows(), columns);
  right_codes_ = Matrix<std::uint8_t>(vectors_.right.rows(), columns);
  right_sums_.resize(vectors_.right.rows());
  pool_.for_ranges(left_codes_.rows(), kRowGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      four_bit_codes(vectors_.left.row(i), step, 8, columns, left_codes_.row(i));
    }
  });
  pool_.for_ranges(right_codes_.rows(), kRowGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      four_bit_codes(vectors_.right.row(i), step, 0, columns, right_codes_.row(i));
      const auto* const codes = reinterpret_cast<const std::int8_t*>(right_codes_.row(i));
      right_sums_[i] = std::accumulate(codes, codes + columns, std::int32_t{0});
    }
  });
}

void ScorePanels::fill(std::size_t first, std::size_t rows) {
  const std::size_t columns = vectors_.left.columns();
  const std::size_t stride = vectors_.right.rows();
  pool_.for_ranges(stride, kBlockRight, [&](std::size_t begin, std::size_t end) {
    const ScoreBlock block{.a_rows = rows,
                           .b_rows = end - begin,
                           .columns = columns,
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

float ScorePanels::score(std::size_t left, std::size_t right) const {
  float result = 0;
  const ScoreBlock block{.a_rows = 1,
                         .b_rows = 1,
                         .columns = vectors_.left.columns(),
                         .out = &result,
                         .out_stride = 1,
                         .unit = unit_};
  if (search_ == Search::four_bit) {
    four_bit_scores(left_codes_.row(left), reinterpret_cast<const std::int8_t*>(right_codes_.row(right)),
                    right_sums_.data() + right, block);
  } else {
    exact_scores(vectors_.left.row(left), vectors_.right.row(right), block);
  }
  return result;
}

}  // namespace dovetail
