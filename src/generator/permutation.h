#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "common/random.h"

namespace dovetail {

/// An independent seed for each purpose, so that adding one draw does not change the others.
constexpr std::uint64_t derived_seed(std::uint64_t seed, std::uint64_t purpose) {
  return mix64(mix64(seed) ^ mix64(~purpose));
}

/// `random * size / 2^64`: a number below `size`, uniform if `random` is.
constexpr std::uint32_t scaled(std::uint64_t random, std::uint64_t size) {
  return static_cast<std::uint32_t>(static_cast<unsigned __int128>(random) * size >> 64);
}

/// A random-looking permutation of [0, size) that needs no table: a Feistel network over the smallest
/// power of two that holds `size`, walked until it lands inside. 1 <= size <= 2^32.
class Permutation {
 public:
  Permutation(std::uint64_t size, std::uint64_t seed)
      : size_(size), low_bits_((bits(size) + 1) / 2), low_mask_(mask(low_bits_)) {
    high_mask_ = mask(bits(size) - low_bits_);
    for (std::size_t i = 0; i < keys_.size(); ++i) keys_[i] = derived_seed(seed, i);
  }

  [[nodiscard]] std::uint32_t operator()(std::uint32_t value) const {
    do value = encrypt(value);
    while (value >= size_);
    return value;
  }

  [[nodiscard]] std::uint32_t inverse(std::uint32_t value) const {
    do value = decrypt(value);
    while (value >= size_);
    return value;
  }

 private:
  static unsigned bits(std::uint64_t size) {
    return size <= 4 ? 2U : static_cast<unsigned>(std::bit_width(size - 1));
  }
  static std::uint32_t mask(unsigned bits) { return static_cast<std::uint32_t>((1ULL << bits) - 1); }

  // The high half of a product depends on every bit of both factors' low parts: enough for a round.
  static std::uint32_t round(std::uint32_t half, std::uint64_t key) {
    const std::uint64_t x = (half ^ key) * 0xbf58476d1ce4e5b9ULL;
    return static_cast<std::uint32_t>(((x ^ (x >> 29)) * 0x94d049bb133111ebULL) >> 32);
  }

  [[nodiscard]] std::uint32_t encrypt(std::uint32_t value) const {
    std::uint32_t low = value & low_mask_;
    std::uint32_t high = value >> low_bits_;
    for (std::size_t i = 0; i < keys_.size(); i += 2) {
      high ^= round(low, keys_[i]) & high_mask_;
      low ^= round(high, keys_[i + 1]) & low_mask_;
    }
    return high << low_bits_ | low;
  }

  [[nodiscard]] std::uint32_t decrypt(std::uint32_t value) const {
    std::uint32_t low = value & low_mask_;
    std::uint32_t high = value >> low_bits_;
    for (std::size_t i = keys_.size(); i > 0; i -= 2) {
      low ^= round(high, keys_[i - 1]) & low_mask_;
      high ^= round(low, keys_[i - 2]) & high_mask_;
    }
    return high << low_bits_ | low;
  }

  std::uint64_t size_;
  unsigned low_bits_;
  std::uint32_t low_mask_;
  std::uint32_t high_mask_;
  std::array<std::uint64_t, 4> keys_{};  // four rounds: the fewest that make a Feistel network look random
};

}  // namespace dovetail
