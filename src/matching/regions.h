#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/compressed_rows.h"
#include "common/threads.h"
#include "matching/match_vectors.h"

namespace dovetail {

/// Regions of like vectors, so that a search need not compare all with all: every right row lies in one, and
/// every left row looks at those it is nearest to.
struct Regions {
  CompressedRows<std::uint32_t> right_rows;  ///< by region, ascending in each
  std::size_t looked = 1;                    ///< regions that a left row looks at
  std::vector<std::uint32_t> nearest;        ///< [left rows, looked], the nearest first
  CompressedRows<std::uint32_t> left_rows;   ///< by their nearest region, ascending in each

  [[nodiscard]] std::size_t size() const { return right_rows.rows(); }
  [[nodiscard]] std::span<const std::uint32_t> looks_at(std::size_t left_row) const {
    return {nearest.data() + left_row * looked, looked};
  }
};

/// Right rows in a region, about.
inline constexpr std::size_t kRegionRows = 2048;

/// By k-means on a sample of both sides. One region where `probes` would be all.
[[nodiscard]] Regions find_regions(const MatchVectors& vectors, std::size_t probes, ThreadPool& pool);

}  // namespace dovetail
