#include "matching/score_panels.h"

#include <algorithm>
#include <numeric>

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

/// One region with everything in it.
Regions everywhere(const MatchVectors& vectors) {
  const auto all = [](std::size_t count) {
    RowLists lists{.begin = {0, count}, .rows = std::vector<std::uint32_t>(count)};
    std::iota(lists.rows.begin(), lists.rows.end(), 0);
    return lists;
  };
  return {.left = all(vectors.left.rows()), .right = all(vectors.right.rows())};
}

/// Rows side by side: as they lie if they follow each other, else copied into `copy`.
template <typename T>
const T* together(const Matrix<T>& matrix, std::span<const std::uint32_t> rows, std::vector<T>& copy) {
  if (rows.back() - rows.front() + 1 == rows.size()) return matrix.row(rows.front());
  copy.resize(rows.size() * matrix.columns());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::copy_n(matrix.row(rows[i]), matrix.columns(), copy.data() + i * matrix.columns());
  }
  return copy.data();
}

}  // namespace

ScorePanels::ScorePanels(const MatchVectors& vectors, const MatchingOptions& options, ThreadPool& pool)
    : vectors_(vectors), search_(options.search), pool_(pool) {
  if (search_ != Search::exact) codes_ = FourBitCodes(vectors, options, pool);
  regions_ =
      search_ == Search::approximate ? find_regions(codes_, options.probes, pool) : everywhere(vectors);
}

void ScorePanels::fill(std::span<const std::uint32_t> left, std::span<const std::uint32_t> right) {
  std::vector<std::uint8_t> left_copy;
  std::vector<Bfloat16> exact_copy;
  const bool exact = search_ == Search::exact;
  const Bfloat16* const left_rows = exact ? together(vectors_.left, left, exact_copy) : nullptr;
  const std::uint8_t* const left_codes = exact ? nullptr : together(codes_.left, left, left_copy);
  pool_.for_ranges(right.size(), kBlockRight, [&](std::size_t begin, std::size_t end) {
    const std::span<const std::uint32_t> rows = right.subspan(begin, end - begin);
    const ScoreBlock block{.a_rows = left.size(),
                           .b_rows = rows.size(),
                           .columns = exact ? vectors_.left.columns() : codes_.left.columns(),
                           .out = scores_.data() + begin,
                           .out_stride = right.size(),
                           .unit = codes_.unit};
    if (exact) {
      std::vector<Bfloat16> copy;
      exact_scores(left_rows, together(vectors_.right, rows, copy), block);
    } else {
      std::vector<std::uint8_t> copy;
      std::vector<std::int32_t> sums;
      for (const std::uint32_t row : rows) sums.push_back(codes_.right_sums[row]);
      four_bit_scores(left_codes, reinterpret_cast<const std::int8_t*>(together(codes_.right, rows, copy)),
                      sums.data(), block);
    }
  });
}

void ScorePanels::for_region(std::span<const std::uint32_t> left, std::span<const std::uint32_t> right,
                             const Body& body) {
  if (right.empty()) return;
  const std::size_t most = panel_rows(left.size(), right.size());
  if (scores_.size() < most * right.size()) scores_ = Buffer<float>(most * right.size());
  for (std::size_t first = 0; first < left.size(); first += most) {
    const std::span<const std::uint32_t> rows = left.subspan(first, std::min(most, left.size() - first));
    fill(rows, right);
    body({rows, right, scores_.data()});
  }
}

void ScorePanels::for_each(const Body& body) {
  for (std::size_t region = 0; region < regions_.size(); ++region) {
    for_region(regions_.left.of(region), regions_.right.of(region), body);
  }
}

}  // namespace dovetail
