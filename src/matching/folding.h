#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "common/random.h"
#include "kernels/bfloat16.h"

namespace dovetail {

/// Makes rows shorter by adding up columns that are folded() apart, each with its sign: dot products of
/// folded rows are, on average, those of the rows (a count sketch).
class Folding {
 public:
  /// As many at a time, at most, as leave `least` columns or more, and a multiple of `unit`.
  Folding(std::size_t columns, std::size_t most, std::size_t least, std::size_t unit)
      : times_(std::clamp<std::size_t>(columns / least, 1, most)),
        folded_((columns / times_ + unit - 1) / unit * unit),
        signs_(columns) {
    for (std::size_t c = 0; c < columns; ++c) signs_[c] = mix64(c) % 2 == 0 ? 1.0F : -1.0F;
  }

  [[nodiscard]] std::size_t times() const { return times_; }
  [[nodiscard]] std::size_t folded() const { return folded_; }

  void fold(const Bfloat16* row, std::span<Bfloat16> out) const {
    for (std::size_t p = 0; p < folded_; ++p) {
      float sum = 0;
      for (std::size_t c = p; c < signs_.size(); c += folded_) sum += signs_[c] * to_real(row[c]);
      out[p] = to_bfloat16(sum);
    }
  }

 private:
  std::size_t times_, folded_;
  std::vector<float> signs_;
};

}  // namespace dovetail
