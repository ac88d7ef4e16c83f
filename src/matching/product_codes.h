#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/buffer.h"
#include "common/threads.h"
#include "kernels/bfloat16.h"

namespace dovetail {

/// Vectors in half a byte for each of kPlanes pieces (product quantisation): a piece is told by which of 16
/// typical ones it is nearest to. The product of a vector with all that are coded is then a sum of entries of
/// a table, which is made for it once.
class ProductCodes {
 public:
  static constexpr std::size_t kPlanes = 256;
  static constexpr std::size_t kTypical = 16;
  static constexpr std::size_t kTableBytes = kPlanes * kTypical;

  /// Learns what is typical from some of the rows, and how large products with others are.
  ProductCodes(const Matrix<Bfloat16>& rows, const Matrix<Bfloat16>& others, ThreadPool& pool);

  /// Codes of these rows as table_scores takes them, in whole blocks; rows beyond are whatever.
  [[nodiscard]] Buffer<std::uint8_t> encode(const Matrix<Bfloat16>& rows,
                                            std::span<const std::uint32_t> numbers, ThreadPool& pool) const;
  /// The table of a row of the others: [kPlanes][16]. Scores of one coded row by several tables can be
  /// compared, and those of several coded rows by one.
  void make_table(const Bfloat16* other, std::uint8_t* table) const;

 private:
  void learn(const Matrix<float>& sample, std::size_t plane);
  [[nodiscard]] std::size_t begin(std::size_t plane) const { return plane * columns_ / kPlanes; }
  [[nodiscard]] std::size_t end(std::size_t plane) const { return (plane + 1) * columns_ / kPlanes; }
  /// Of a row's piece with the typical ones.
  [[nodiscard]] std::array<float, kTypical> products(const float* row, std::size_t plane) const;
  [[nodiscard]] std::uint8_t nearest(const float* row, std::size_t plane) const;
  void put_entries(const Bfloat16* other, std::array<float, kTableBytes>& entries) const;

  std::size_t columns_;
  Matrix<float> typical_;           // [columns, kTypical]: typical pieces stand upright in a plane's columns
  std::vector<float> half_square_;  // [kPlanes][kTypical] of their lengths
  float scale_ = 1;                 // of entries
};

}  // namespace dovetail
