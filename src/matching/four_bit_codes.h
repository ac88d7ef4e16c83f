#pragma once

#include <dovetail/matching.h>

#include <cstdint>
#include <vector>

#include "common/buffer.h"
#include "common/threads.h"
#include "matching/match_vectors.h"

namespace dovetail {

/// Vectors folded and in 4-bit integers, a byte each, as four_bit_scores takes them.
struct FourBitCodes {
  Matrix<std::uint8_t> left;   ///< code + 8
  Matrix<std::uint8_t> right;  ///< the code itself, signed
  std::vector<std::int32_t> right_sums;
  float unit = 1;  ///< of the codes' products

  FourBitCodes() = default;
  FourBitCodes(const MatchVectors& vectors, const MatchingOptions& options, ThreadPool& pool);

  [[nodiscard]] const std::int8_t* signed_row(std::size_t right_row) const {
    return reinterpret_cast<const std::int8_t*>(right.row(right_row));
  }
};

}  // namespace dovetail
