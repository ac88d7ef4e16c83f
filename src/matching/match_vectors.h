#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "common/buffer.h"
#include "kernels/bfloat16.h"

namespace dovetail {

/// The vectors whose dot product is the score: a row for each left and each right entity, padded to a
/// multiple of kCodeUnit.
struct MatchVectors {
  Matrix<Bfloat16> left, right;

  MatchVectors() = default;
  /// For features of `columns` values, of which two sets make a vector.
  MatchVectors(std::size_t left_rows, std::size_t right_rows, std::size_t columns);
};

/// Some of the rows only, in the order given.
[[nodiscard]] MatchVectors select_rows(const MatchVectors& vectors, std::span<const std::uint32_t> left,
                                       std::span<const std::uint32_t> right);

/// Brings a feature row to length 1; before that, values beyond `clip` times the root mean square of its
/// `used` columns that are not padding are cut down to it (0: not). A row of zeros stays one.
void put_normalised(const Bfloat16* row, std::size_t columns, std::size_t used, double clip, Bfloat16* out);

}  // namespace dovetail
