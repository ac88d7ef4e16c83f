// A short pass over the targets of the fuzzer, without it: every file of the corpus, and what a few cuts and
// changes make of it.
#include <gtest/gtest.h>
#include <string>

#include "common/random.h"
#include "formats/support.h"
#include "fuzz/targets.h"

namespace dovetail::test {
namespace {

constexpr int kVariants = 40;

/// Cut off, some bytes changed, or a piece of it in another place.
std::string spoilt(std::string bytes, Random& random) {
  if (bytes.empty()) return bytes;
  const auto place = [&] { return random.below(bytes.size()); };
  switch (random.below(3)) {
    case 0:
      return bytes.substr(0, place());
    case 1:
      for (int i = 0; i < 3; ++i) bytes[place()] = static_cast<char>(random.below(256));
      return bytes;
    default:
      const std::string piece = bytes.substr(place(), 1 + random.below(16));
      return bytes.insert(place(), piece);
  }
}

class Fuzz : public testing::TestWithParam<FuzzTarget> {};

TEST_P(Fuzz, WhateverTheBytesAreTheyAreReadOrRefused) {
  const FuzzTarget& target = GetParam();
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(DOVETAIL_SOURCE) +
                                                               "/tests/fuzz/corpus/" + target.name)) {
    const std::string bytes = content_of(entry.path());
    SCOPED_TRACE(entry.path().string());
    EXPECT_NO_THROW(feed(target, bytes));
    Random random(bytes.size());
    for (int i = 0; i < kVariants; ++i) EXPECT_NO_THROW(feed(target, spoilt(bytes, random)));
    ++files;
  }
  EXPECT_GT(files, 0U);
  feed(target, "");
}

INSTANTIATE_TEST_SUITE_P(Readers, Fuzz, testing::ValuesIn(fuzz_targets()), [](const auto& which) {
  std::string name = which.param.name;
  std::erase(name, '-');
  return name;
});

}  // namespace
}  // namespace dovetail::test
