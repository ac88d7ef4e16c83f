#include "common/buffer.h"

#include <dovetail/errors.h>

#include <algorithm>
#include <fstream>
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

TEST(Buffer, InAFileItKeepsWhatIsMovedOut) {
  Buffer<int> buffer(kLarge, testing::TempDir());
  ASSERT_TRUE(buffer.in_file());
  ASSERT_TRUE(std::ranges::all_of(buffer.span(), [](int value) { return value == 0; }));
  for (std::size_t i = 0; i < buffer.size(); ++i) buffer[i] = static_cast<int>(i);
  buffer.rest(1, buffer.size());
  for (std::size_t i = 0; i < buffer.size(); ++i) ASSERT_EQ(buffer[i], static_cast<int>(i));
}

TEST(Buffer, InAFileItLeavesMemory) {
  constexpr std::size_t kPages = 4096;  // of at least 4 KiB
  const auto resident = [] {
    std::ifstream statm("/proc/self/statm");
    std::size_t all = 0, pages = 0;
    statm >> all >> pages;
    return pages;
  };
  Buffer<char> buffer(kPages * 4096, testing::TempDir());
  std::ranges::fill(buffer.span(), 'x');
  const std::size_t before = resident();
  buffer.rest(0, buffer.size());
  EXPECT_LT(resident() + kPages / 2, before);
}

TEST(Buffer, AFolderThatIsNotThereIsSaid) {
  EXPECT_THROW(Buffer<char>(kLarge, "/nowhere/at/all"), SystemError);
}

}  // namespace
}  // namespace dovetail
