#include "matching/score_panels.h"

#include <algorithm>

#include "kernels/scores.h"

namespace dovetail {
namespace {

/// Scores in a panel at most, unless 16 rows have more.
constexpr std::size_t kPanelScores = std::size_t{6} << 20;
/// Right rows that one thread computes with all left rows of the panel at a time.
constexpr std::size_t kBlockRight = 192;

std::size_t panel_rows(std::size_t left, std::size_t right) {
  const std::size_t fitting = kPanelScores / std::max<std::size_t>(1, right);
  return std::clamp<std::size_t>(fitting, 16, std::max<std::size_t>(16, left));
}

}  // namespace

ScorePanels::ScorePanels(const MatchVectors& vectors, const MatchingOptions& options, ThreadPool& pool)
    : vectors_(vectors), search_(options.search), pool_(pool) {
  if (search_ != Search::exact) codes_ = FourBitCodes(vectors, options, pool);
}

void ScorePanels::fill(std::size_t first, std::size_t rows) {
  const std::size_t right = vectors_.right.rows();
  const bool exact = search_ == Search::exact;
  pool_.for_ranges(right, kBlockRight, [&](std::size_t begin, std::size_t end) {
    const ScoreBlock block{.a_rows = rows,
                           .b_rows = end - begin,
                           .columns = exact ? vectors_.left.columns() : codes_.left.columns(),
                           .out = scores_.data() + begin,
                           .out_stride = right,
                           .unit = codes_.unit};
    if (exact) {
      exact_scores(vectors_.left.row(first), vectors_.right.row(begin), block);
    } else {
      four_bit_scores(codes_.left.row(first), codes_.signed_row(begin), codes_.right_sums.data() + begin,
                      block);
    }
  });
}

void ScorePanels::for_each(const Body& body) {
  const std::size_t left = vectors_.left.rows(), right = vectors_.right.rows();
  if (right == 0) return;
  const std::size_t most = panel_rows(left, right);
  scores_ = Buffer<float>(most * right);
  for (std::size_t first = 0; first < left; first += most) {
    const std::size_t rows = std::min(most, left - first);
    fill(first, rows);
    body({first, rows, scores_.data()});
  }
}

}  // namespace dovetail
