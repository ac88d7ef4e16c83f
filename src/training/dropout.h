#pragma once

#include <cstddef>
#include <cstdint>

#include "common/buffer.h"
#include "common/threads.h"

namespace dovetail {

/// Which features of a batch are kept: one bit each, from a seed and a position alone.
class DropoutMasks {
 public:
  /// `share` is what is dropped, rounded to a multiple of 1/256.
  explicit DropoutMasks(double share);

  /// Draws masks for `rows` rows of `columns` bits; columns is a multiple of 8.
  void draw(std::uint64_t seed, std::size_t rows, std::size_t columns, ThreadPool& pool);

  /// Null where nothing is dropped.
  [[nodiscard]] const std::uint8_t* row(std::size_t i) const {
    return kept_ == 256 ? nullptr : bits_.data() + i * stride_;
  }
  [[nodiscard]] std::size_t stride() const { return stride_; }
  [[nodiscard]] std::size_t memory_bytes() const { return bits_.size(); }

 private:
  [[nodiscard]] std::uint64_t draw_word(std::uint64_t seed, std::uint64_t position) const;

  unsigned kept_;  // of 256
  std::size_t stride_ = 0;
  Buffer<std::uint8_t> bits_;
};

}  // namespace dovetail
