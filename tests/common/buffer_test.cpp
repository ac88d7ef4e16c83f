#include "common/buffer.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace dovetail {
namespace {

constexpr std::size_t kLarge = std::size_t{5} << 20;

TEST(Buffer, StartsAsZerosAlsoWhenMemoryIsUsedAgain) {
  for (const std::size_t size : {std::size_t{100}, kLarge}) {
    for (int round = 0; round < 3; ++round) {
      Buffer<char> buffer(size);
      ASSERT_TRUE(std::ranges::all_of(buffer.span(), [](char c) { return c == 0; }));
      std::ranges::fill(buffer.span(), 'x');
    }
  }
}

TEST(Buffer, UsesMemoryAgainThatWasGivenBack) {
  drop_spare_memory();
  const char* first = nullptr;
  {
    const Buffer<char> buffer(kLarge);
    first = buffer.data();
  }
  const Buffer<char> again(kLarge - 100);
  EXPECT_EQ(again.data(), first);
  const Buffer<char> other(kLarge);
  EXPECT_NE(other.data(), first);
}

}  // namespace
}  // namespace dovetail
