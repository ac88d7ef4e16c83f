#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

#include "common/buffer.h"
#include "common/threads.h"
#include "kernels/bfloat16.h"

namespace dovetail {

/// The vectors whose dot product is the score: a row for each left and each right entity, padded to a
/// multiple of kCodeUnit.
struct MatchVectors {
  Matrix<Bfloat16> left, right;

  MatchVectors() = default;
  /// For features of `columns` values, of which two sets make a vector; in files of the folder, if there is
  /// one.
  MatchVectors(std::size_t left_rows, std::size_t right_rows, std::size_t columns,
               const std::filesystem::path& folder = {});

  /// Columns of a vector.
  [[nodiscard]] static std::size_t padded_columns(std::size_t columns);
};

/// Rows that are looked at before they leave memory, where they lie in a file.
inline constexpr std::size_t kRowsAtATime = 32768;

/// Calls body(begin, end) for ranges of rows, as the pool does. Rows in a file leave memory after their turn.
template <typename Body>
void for_rows(const Matrix<Bfloat16>& rows, std::size_t grain, ThreadPool& pool, const Body& body) {
  const std::size_t at_a_time = rows.in_file() ? kRowsAtATime : std::max<std::size_t>(1, rows.rows());
  for (std::size_t first = 0; first < rows.rows(); first += at_a_time) {
    const std::size_t count = std::min(at_a_time, rows.rows() - first);
    pool.for_ranges(count, grain,
                    [&](std::size_t begin, std::size_t end) { body(first + begin, first + end); });
    rows.rest(first, first + count);
  }
}

/// Some of the rows only, in the order given; in files of the folder, if there is one.
[[nodiscard]] MatchVectors select_rows(const MatchVectors& vectors, std::span<const std::uint32_t> left,
                                       std::span<const std::uint32_t> right,
                                       const std::filesystem::path& folder = {});

/// Brings a feature row to length 1; before that, values beyond `clip` times the root mean square of its
/// `used` columns that are not padding are cut down to it (0: not). A row of zeros stays one.
void put_normalised(const Bfloat16* row, std::size_t columns, std::size_t used, double clip, Bfloat16* out);

}  // namespace dovetail
