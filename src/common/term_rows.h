#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "common/compressed_rows.h"

namespace dovetail {

/// A term of a text and what it counts there; in lists by term, the number of a text and what the term counts
/// in it.
struct WeightedTerm {
  std::uint32_t term;
  float weight;
};

/// Sparse vectors, one a row, terms ascending within it.
using TermRows = CompressedRows<WeightedTerm>;

/// `sum` and the product of two rows, added up in the order of the terms.
[[nodiscard]] inline float dot(std::span<const WeightedTerm> a, std::span<const WeightedTerm> b,
                               float sum = 0) {
  const WeightedTerm *x = a.data(), *y = b.data();
  const WeightedTerm *const x_end = x + a.size(), *const y_end = y + b.size();
  while (x != x_end && y != y_end) {
    const std::uint32_t left = x->term, right = y->term;
    if (left == right) sum += x->weight * y->weight;
    x += left <= right ? 1 : 0;
    y += right <= left ? 1 : 0;
  }
  return sum;
}

}  // namespace dovetail
