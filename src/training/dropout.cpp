#include "training/dropout.h"

#include <dovetail/errors.h>

#include <cmath>
#include <cstring>
#include <fmt/format.h>

#include "common/random.h"

namespace dovetail {

DropoutMasks::DropoutMasks(double share) : kept_(0) {
  if (!(share >= 0 && share < 1)) {
    throw ParameterError(fmt::format("the dropout is {}; it must be at least 0 and below 1", share));
  }
  kept_ = static_cast<unsigned>(std::lround((1 - share) * 256));
  if (kept_ == 0) kept_ = 1;
}

/// 64 bits that are each 1 with probability kept_ / 256: from the lowest digit of that binary fraction
/// upwards, a 1 joins random bits by "or" and a 0 by "and", each halving the weight of what came before.
std::uint64_t DropoutMasks::draw_word(std::uint64_t seed, std::uint64_t position) const {
  std::uint64_t state = seed + position * 8;
  std::uint64_t word = 0;
  for (unsigned digit = 0; digit < 8; ++digit) {
    const std::uint64_t random = mix64(state + digit);
    word = (kept_ >> digit & 1) != 0 ? word | random : word & random;
  }
  return word;
}

void DropoutMasks::draw(std::uint64_t seed, std::size_t rows, std::size_t columns, ThreadPool& pool) {
  if (kept_ == 256) return;
  const std::size_t words = (columns + 63) / 64;
  stride_ = words * sizeof(std::uint64_t);
  bits_.require((rows + 1) * stride_);  // one row more: kernels may read past the last mask
  constexpr std::size_t kRowGrain = 64;
  pool.for_ranges(rows, kRowGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin * words; i < end * words; ++i) {
      const std::uint64_t word = draw_word(mix64(seed), i);
      std::memcpy(bits_.data() + i * sizeof(word), &word, sizeof(word));
    }
  });
}

}  // namespace dovetail
