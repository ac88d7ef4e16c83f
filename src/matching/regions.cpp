#include "matching/regions.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/scores.h"
#include "matching/top_k.h"

namespace dovetail {
namespace {

constexpr std::size_t kRowGrain = 128;
/// Rows of each side that k-means sees, for each region, and how often it goes over them.
constexpr std::size_t kSampled = 24;
constexpr std::size_t kPasses = 4;
constexpr int kOffset = 8, kLargest = 7;
/// Root mean square of codes, which centres are brought to.
constexpr double kDeviation = 2.8;

/// Centres of regions, in codes as right rows have them.
struct Centres {
  Matrix<std::uint8_t> codes;
  std::vector<std::int32_t> sums;

  Centres(std::size_t count, std::size_t columns) : codes(count, columns), sums(count, 0) {}

  void put(std::size_t centre, std::span<const std::int32_t> total) {
    double squares = 0;
    for (const std::int32_t value : total) squares += static_cast<double>(value) * value;
    if (squares == 0) return;  // nothing came here: the centre stays
    const double scale = kDeviation * std::sqrt(static_cast<double>(total.size()) / squares);
    auto* const out = reinterpret_cast<std::int8_t*>(codes.row(centre));
    sums[centre] = 0;
    for (std::size_t c = 0; c < total.size(); ++c) {
      const long code = std::lround(scale * total[c]);
      out[c] = static_cast<std::int8_t>(std::clamp<long>(code, -kLargest, kLargest));
      sums[centre] += out[c];
    }
  }
};

/// Rows of either side.
struct Rows {
  const Matrix<std::uint8_t>& codes;
  std::vector<std::uint32_t> numbers;
  int offset;  ///< in the codes
};

std::vector<std::uint32_t> evenly(std::size_t rows, std::size_t wanted) {
  const std::size_t count = std::min(rows, wanted);
  std::vector<std::uint32_t> numbers(count);
  for (std::size_t i = 0; i < count; ++i) numbers[i] = static_cast<std::uint32_t>(i * rows / count);
  return numbers;
}

/// The nearest centres of each row: [rows, count].
std::vector<std::uint32_t> nearest_centres(const Rows& rows, const Centres& centres, std::size_t count,
                                           ThreadPool& pool) {
  const std::size_t columns = centres.codes.columns(), regions = centres.codes.rows();
  std::vector<std::uint32_t> nearest(rows.numbers.size() * count);
  pool.for_ranges(rows.numbers.size(), kRowGrain, [&](std::size_t begin, std::size_t end) {
    Matrix<std::uint8_t> own(end - begin, columns);
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint8_t* const codes = rows.codes.row(rows.numbers[i]);
      std::transform(codes, codes + columns, own.row(i - begin), [&](std::uint8_t code) {
        return static_cast<std::uint8_t>(code + kOffset - rows.offset);
      });
    }
    Matrix<float> scores(end - begin, regions);
    four_bit_scores(own.data(), reinterpret_cast<const std::int8_t*>(centres.codes.data()),
                    centres.sums.data(),
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

/// Moves every centre to the middle of the rows that are nearest to it.
void improve(const std::vector<const Rows*>& samples, Centres& centres, ThreadPool& pool) {
  const std::size_t columns = centres.codes.columns();
  Matrix<std::int32_t> total(centres.codes.rows(), columns);
  for (const Rows* rows : samples) {
    const std::vector<std::uint32_t> nearest = nearest_centres(*rows, centres, 1, pool);
    for (std::size_t i = 0; i < nearest.size(); ++i) {
      const std::uint8_t* const codes = rows->codes.row(rows->numbers[i]);
      std::int32_t* const sum = total.row(nearest[i]);
      for (std::size_t c = 0; c < columns; ++c) {
        sum[c] += static_cast<std::int8_t>(codes[c] - rows->offset);
      }
    }
  }
  for (std::size_t c = 0; c < total.rows(); ++c) centres.put(c, {total.row(c), columns});
}

/// The rows of each region, ascending.
RowLists by_region(std::span<const std::uint32_t> regions_of, std::size_t each, std::size_t regions) {
  RowLists lists;
  lists.begin.assign(regions + 1, 0);
  for (const std::uint32_t region : regions_of) ++lists.begin[region + 1];
  std::partial_sum(lists.begin.begin(), lists.begin.end(), lists.begin.begin());
  lists.rows.resize(regions_of.size());
  std::vector<std::size_t> next(lists.begin.begin(), lists.begin.end() - 1);
  for (std::size_t n = 0; n < regions_of.size(); ++n) {
    lists.rows[next[regions_of[n]]++] = static_cast<std::uint32_t>(n / each);
  }
  return lists;
}

}  // namespace

Regions find_regions(const FourBitCodes& codes, std::size_t probes, ThreadPool& pool) {
  const std::size_t columns = codes.left.columns();
  const auto root = static_cast<std::size_t>(std::sqrt(static_cast<double>(codes.right.rows())));
  const std::size_t regions = std::max<std::size_t>(1, root);
  Rows left{codes.left, evenly(codes.left.rows(), kSampled * regions), kOffset};
  Rows right{codes.right, evenly(codes.right.rows(), kSampled * regions), 0};
  Centres centres(regions, columns);
  std::vector<std::int32_t> row(columns);
  for (std::size_t c = 0; c < regions; ++c) {
    const std::int8_t* const first = codes.signed_row(c * codes.right.rows() / regions);
    row.assign(first, first + columns);
    centres.put(c, row);
  }
  for (std::size_t pass = 0; pass < kPasses; ++pass) improve({&left, &right}, centres, pool);
  left.numbers = evenly(codes.left.rows(), codes.left.rows());
  right.numbers = evenly(codes.right.rows(), codes.right.rows());
  const std::size_t looked = std::min(probes, regions);
  return {.left = by_region(nearest_centres(left, centres, looked, pool), looked, regions),
          .right = by_region(nearest_centres(right, centres, 1, pool), 1, regions)};
}

}  // namespace dovetail
