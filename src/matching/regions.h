#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/threads.h"
#include "matching/four_bit_codes.h"

namespace dovetail {

/// Lists of row numbers, one after the other.
struct RowLists {
  std::vector<std::size_t> begin;
  std::vector<std::uint32_t> rows;

  [[nodiscard]] std::span<const std::uint32_t> of(std::size_t list) const {
    return {rows.data() + begin[list], begin[list + 1] - begin[list]};
  }
};

/// Regions of like vectors, so that a search need not compare all with all: every right row lies in one, and
/// every left row looks at those it is nearest to.
struct Regions {
  RowLists left, right;

  [[nodiscard]] std::size_t size() const { return right.begin.size() - 1; }
};

/// About as many regions as the root of the number of right rows, by k-means on a sample of both sides.
/// Integers throughout: the number of threads changes nothing.
[[nodiscard]] Regions find_regions(const FourBitCodes& codes, std::size_t probes, ThreadPool& pool);

}  // namespace dovetail
