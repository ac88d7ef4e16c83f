#include "matching/regions.h"

#include <algorithm>
#include <numeric>

#include "kernels/scores.h"
#include "matching/folding.h"
#include "pairs/top_k.h"

namespace dovetail {
namespace {

constexpr std::size_t kRegionGrain = 128;
/// Rows of each side that k-means sees, for each region, and how often it goes over them.
constexpr std::size_t kSampled = 64;
constexpr std::size_t kRegionPasses = 6;

/// Rows are folded to about this many columns before centres are compared with them: what is near is seen as
/// well, and the time of this step, the only one that grows faster than the rows, is a fraction of it.
constexpr std::size_t kLeastFoldedRows = 384, kMostFoldedRows = 64;

std::vector<std::uint32_t> evenly(std::size_t rows, std::size_t wanted) {
  const std::size_t count = std::min(rows, wanted);
  std::vector<std::uint32_t> numbers(count);
  for (std::size_t i = 0; i < count; ++i) numbers[i] = static_cast<std::uint32_t>(i * rows / count);
  return numbers;
}

/// The nearest of the folded centres to each row: [rows, count].
std::vector<std::uint32_t> nearest_centres(const Matrix<Bfloat16>& rows, const Folding& folding,
                                           const Matrix<Bfloat16>& centres, std::size_t count,
                                           ThreadPool& pool) {
  const std::size_t regions = centres.rows(), columns = folding.folded();
  std::vector<std::uint32_t> nearest(rows.rows() * count);
  for_rows(rows, kRegionGrain, pool, [&](std::size_t begin, std::size_t end) {
    Matrix<Bfloat16> folded(end - begin, columns);
    for (std::size_t i = begin; i < end; ++i) folding.fold(rows.row(i), {folded.row(i - begin), columns});
    Matrix<float> scores(end - begin, regions);
    exact_scores(folded.data(), centres.data(),
                 {.a_rows = end - begin,
                  .b_rows = regions,
                  .columns = columns,
                  .out = scores.data(),
                  .out_stride = regions});
    std::vector<Scored> all(regions);
    for (std::size_t i = begin; i < end; ++i) {
      for (std::uint32_t c = 0; c < regions; ++c) all[c] = {c, scores.row(i - begin)[c]};
      std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count), all.end(), better);
      for (std::size_t n = 0; n < count; ++n) nearest[i * count + n] = all[n].number;
    }
  });
  return nearest;
}

/// Moves every centre to the middle of the rows that are nearest to it; one without any stays.
void improve(const MatchVectors& sample, const Folding& folding, Matrix<Bfloat16>& centres,
             ThreadPool& pool) {
  const std::size_t columns = centres.columns();
  Matrix<float> total(centres.rows(), columns);
  std::vector<Bfloat16> folded(columns);
  for (const Matrix<Bfloat16>* rows : {&sample.left, &sample.right}) {
    const std::vector<std::uint32_t> nearest = nearest_centres(*rows, folding, centres, 1, pool);
    for (std::size_t i = 0; i < nearest.size(); ++i) {
      folding.fold(rows->row(i), folded);
      float* const sum = total.row(nearest[i]);
      for (std::size_t c = 0; c < columns; ++c) sum[c] += to_real(folded[c]);
    }
  }
  std::vector<Bfloat16> row(columns);
  for (std::size_t centre = 0; centre < total.rows(); ++centre) {
    const float* const sum = total.row(centre);
    if (std::all_of(sum, sum + columns, [](float value) { return value == 0; })) continue;
    std::transform(sum, sum + columns, row.begin(), [](float value) { return to_bfloat16(value); });
    put_normalised(row.data(), columns, columns, 0, centres.row(centre));
  }
}

Matrix<Bfloat16> find_centres(const MatchVectors& vectors, const Folding& folding, std::size_t regions,
                              ThreadPool& pool) {
  const MatchVectors sample = select_rows(vectors, evenly(vectors.left.rows(), kSampled * regions),
                                          evenly(vectors.right.rows(), kSampled * regions));
  const std::size_t columns = folding.folded();
  Matrix<Bfloat16> centres(regions, columns);
  for (std::size_t c = 0; c < regions; ++c) {
    folding.fold(sample.right.row(c * sample.right.rows() / regions), {centres.row(c), columns});
  }
  for (std::size_t pass = 0; pass < kRegionPasses; ++pass) improve(sample, folding, centres, pool);
  return centres;
}

/// Numbers of the rows by their region, ascending in each.
CompressedRows<std::uint32_t> by_region(const auto& region_of, std::size_t rows, std::size_t regions) {
  return CompressedRows<std::uint32_t>::grouped(regions, [&](const auto& body) {
    for (std::uint32_t row = 0; row < rows; ++row) body(region_of(row), row);
  });
}

}  // namespace

Regions find_regions(const MatchVectors& vectors, std::size_t probes, ThreadPool& pool) {
  const std::size_t right = vectors.right.rows(), left = vectors.left.rows();
  const std::size_t wanted = (right + kRegionRows - 1) / kRegionRows;
  const std::size_t regions = wanted <= probes ? 1 : wanted;
  Regions result{.right_rows = {},
                 .looked = std::min(probes, regions),
                 .nearest = std::vector<std::uint32_t>(left, 0),
                 .left_rows = {}};
  std::vector<std::uint32_t> region_of(right, 0);
  if (regions > 1) {
    const Folding folding(vectors.right.columns(), kMostFoldedRows, kLeastFoldedRows, kCodeUnit);
    const Matrix<Bfloat16> centres = find_centres(vectors, folding, regions, pool);
    region_of = nearest_centres(vectors.right, folding, centres, 1, pool);
    result.nearest = nearest_centres(vectors.left, folding, centres, result.looked, pool);
  }
  result.right_rows = by_region([&](std::size_t row) { return region_of[row]; }, right, regions);
  result.left_rows = by_region([&](std::size_t row) { return result.looks_at(row)[0]; }, left, regions);
  return result;
}

}  // namespace dovetail
