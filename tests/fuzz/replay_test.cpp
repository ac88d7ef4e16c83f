// A short pass over the targets of the fuzzer, without it: every file of the corpus, and what a few cuts and
// changes make of it.
#include <filesystem>
#include <gtest/gtest.h>
#include <string>
#include <vector>

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
  std::vector<std::string> seeds;
  const std::filesystem::path corpus = std::string(DOVETAIL_SOURCE) + "/tests/fuzz/corpus/" + target.name;
  if (std::filesystem::exists(corpus)) {
    for (const auto& entry : std::filesystem::directory_iterator(corpus)) {
      seeds.push_back(content_of(entry.path()));
    }
  }
  if (target.written) {
    seeds.push_back(target.written());
    EXPECT_NO_THROW(target.read(seeds.back())) << "it does not read what it writes: " << seeds.back();
  }
  for (const std::string& bytes : seeds) {
    SCOPED_TRACE(bytes.substr(0, 200));
    EXPECT_NO_THROW(feed(target, bytes));
    Random random(bytes.size());
    for (int i = 0; i < kVariants; ++i) EXPECT_NO_THROW(feed(target, spoilt(bytes, random)));
  }
  EXPECT_GT(seeds.size(), 0U) << "neither a folder of seeds nor a writer";
  feed(target, "");
}

INSTANTIATE_TEST_SUITE_P(Readers, Fuzz, testing::ValuesIn(fuzz_targets()), [](const auto& which) {
  std::string name = which.param.name;
  std::erase(name, '-');
  return name;
});

}  // namespace
}  // namespace dovetail::test
