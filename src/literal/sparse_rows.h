#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dovetail {

/// Vectors with few entries that are not zero, one a row.
struct SparseRows {
  std::vector<std::uint64_t> begin{0};  ///< [rows + 1]
  std::vector<std::uint32_t> term;      ///< [entries] ascending within a row
  std::vector<float> weight;            ///< [entries]

  [[nodiscard]] std::size_t rows() const { return begin.size() - 1; }
  [[nodiscard]] std::span<const std::uint32_t> terms_of(std::size_t row) const {
    return {term.data() + begin[row], static_cast<std::size_t>(begin[row + 1] - begin[row])};
  }
  [[nodiscard]] std::span<const float> weights_of(std::size_t row) const {
    return {weight.data() + begin[row], static_cast<std::size_t>(begin[row + 1] - begin[row])};
  }
};

}  // namespace dovetail
