#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace dovetail {

/// Rows of codes that lie together: [planes][kTableBlock] bytes, a code of 0 .. 15 each. Of a plane's bytes,
/// those at even places are of the first half of the rows, those at odd ones of the second half.
inline constexpr std::size_t kTableBlock = 32;
/// The number of planes is a multiple of this, and entries of tables are at most kTableMost: so many add up
/// to a byte.
inline constexpr std::size_t kPlaneGroup = 8;
inline constexpr std::uint8_t kTableMost = 31;

/// Where the code of a block's row is among the bytes of a plane.
[[nodiscard]] constexpr std::size_t place_in_plane(std::size_t row) {
  return row < kTableBlock / 2 ? 2 * row : 2 * (row - kTableBlock / 2) + 1;
}

/// For each table and each row of codes: the sum over planes of the entry that the row's code picks.
struct TableScores {
  std::span<const std::uint8_t* const> tables;  ///< each [planes][16]
  const std::uint8_t* codes;                    ///< [blocks][planes][kTableBlock]
  std::size_t blocks, planes;
  std::uint16_t* out;      ///< [tables][blocks * kTableBlock]
  std::size_t out_stride;  ///< from one table's scores to the next one's
};
void table_scores(const TableScores& work);

namespace naive {
void table_scores(const TableScores& work);
}  // namespace naive

}  // namespace dovetail
