#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "generator/name_maker.h"
#include "generator_recorder.h"

namespace dovetail {
namespace {

using testing_generator::RecordedPair;

std::set<std::string> bigrams(std::string_view text) {
  std::set<std::string> set;
  for (std::size_t i = 0; i + 2 <= text.size(); ++i) set.emplace(text.substr(i, 2));
  return set;
}

/// Dice coefficient of the letter pairs.
double resemblance(std::string_view a, std::string_view b) {
  const std::set<std::string> x = bigrams(a);
  const std::set<std::string> y = bigrams(b);
  const auto common = std::count_if(x.begin(), x.end(), [&](const auto& gram) { return y.count(gram) != 0; });
  return 2.0 * static_cast<double>(common) / static_cast<double>(x.size() + y.size());
}

struct Comparison {
  double same = 0, counterparts = 0, strangers = 0;
};

Comparison compare(double difference) {
  NameMaker names(1, difference);
  Comparison result;
  constexpr int kNames = 4000;
  std::string left, right, stranger;
  for (std::uint64_t i = 0; i < kNames; ++i) {
    const auto type = static_cast<std::uint32_t>(i % 30);
    names.name(Side::left, {i, type, 5}, left);
    names.name(Side::right, {i, type, 5}, right);
    names.name(Side::right, {i + 100'000, (type + 7) % 30, 6}, stranger);
    result.same += left == right ? 1.0 / kNames : 0;
    result.counterparts += resemblance(left, right) / kNames;
    result.strangers += resemblance(left, stranger) / kNames;
  }
  return result;
}

TEST(NameMaker, CounterpartsDifferYetResemble) {
  const Comparison usual = compare(0.3);
  EXPECT_LT(usual.same, 0.5);
  EXPECT_GT(usual.counterparts, 0.5);
  EXPECT_LT(usual.strangers, 0.2);
}

TEST(NameMaker, DifferenceIsSettable) {
  EXPECT_NEAR(compare(0).counterparts, 1, 1e-9);
  EXPECT_GT(compare(0.1).counterparts, compare(0.4).counterparts + 0.05);
  EXPECT_GT(compare(0.4).counterparts, compare(1).counterparts + 0.05);
}

TEST(NameMaker, NamesAreMostlyUniqueAndOfSeveralWords) {
  GenerateOptions options;
  const RecordedPair pair(options);
  for (const auto* labels : {&pair.left.labels, &pair.right.labels}) {
    const std::set<std::string> distinct(labels->begin(), labels->end());
    EXPECT_GE(distinct.size() * 100, labels->size() * 99);
    const auto several = std::count_if(labels->begin(), labels->end(), [](const std::string& label) {
      return label.find(' ') != std::string::npos;
    });
    EXPECT_GE(several * 10, static_cast<std::ptrdiff_t>(labels->size() * 7));
    EXPECT_EQ(distinct.count(""), 0U);
  }
}

TEST(NameMaker, TypesShareWords) {
  GenerateOptions options;
  const RecordedPair pair(options);
  std::map<std::string, int> words;
  for (const std::string& label : pair.left.labels) {
    const std::size_t space = label.rfind(' ');
    if (space != std::string::npos) ++words[label.substr(space + 1)];
  }
  const auto frequent =
      std::count_if(words.begin(), words.end(), [](const auto& w) { return w.second >= 50; });
  EXPECT_GE(frequent, 5);
}

TEST(NameMaker, NamesAreValidUtf8EvenIfMistyped) {
  NameMaker names(3, 1.0);
  std::string name;
  for (std::uint64_t i = 0; i < 20'000; ++i) {
    names.name(Side::right, {i, static_cast<std::uint32_t>(i % 9), 1}, name);
    for (std::size_t at = 0; at < name.size(); ++at) {
      const auto byte = static_cast<unsigned char>(name[at]);
      if (byte < 0x80) continue;
      // All letters beyond ASCII that are used have two bytes.
      ASSERT_EQ(byte & 0xE0, 0xC0) << name;
      ASSERT_LT(at + 1, name.size()) << name;
      ASSERT_EQ(static_cast<unsigned char>(name[++at]) & 0xC0, 0x80) << name;
    }
  }
}

TEST(NameMaker, LabelsCanBeLeftOut) {
  GenerateOptions options;
  options.entities = 100;
  options.labels = false;
  const RecordedPair pair(options);
  EXPECT_TRUE(std::all_of(pair.left.labels.begin(), pair.left.labels.end(),
                          [](const std::string& label) { return label.empty(); }));
}

}  // namespace
}  // namespace dovetail
