#include <dovetail/generate.h>

#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "generator/generator_recorder.h"
#include "generator/value_maker.h"
#include "graph/literal.h"

namespace dovetail::testing_generator {
namespace {

/// Keeps the literals of both sides beside the links.
class RecordedValues : public PairSink {
 public:
  class SideValues : public GraphSink {
   public:
    void relation(Term) override {}
    void entity(Term entity, std::string_view) override { entities = entity.number + 1; }
    void triple(Term, Term, Term) override {}
    void literal(Term subject, std::string_view attribute, std::string_view value) override {
      EXPECT_TRUE(is_literal(value)) << value;
      values[{subject.number, std::string(attribute)}] = split_literal(value).text;
      hash.add(subject);
      hash.add(attribute);
      hash.add(value);
    }
    std::uint32_t entities = 0;
    std::map<std::pair<std::uint32_t, std::string>, std::string> values;
    Hash hash;
  };

  explicit RecordedValues(const GenerateOptions& options) {
    Observer observer;
    generate_pair(options, *this, observer);
  }
  GraphSink& side(Side side) override { return side == Side::left ? left : right; }
  void link(Term l, Term r, LinkUse) override { links.emplace_back(l.number, r.number); }

  SideValues left, right;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> links;
};

GenerateOptions with_values(std::uint64_t values, double difference) {
  GenerateOptions options;
  options.entities = 500;
  options.values = values;
  options.difference.values = difference;
  return options;
}

TEST(GeneratedValues, CounterpartsHaveTheSameValuesInOtherFormats) {
  const RecordedValues pair(with_values(10, 0));
  EXPECT_EQ(pair.left.values.size(), 5000U);
  EXPECT_EQ(pair.right.values.size(), 5000U);
  std::size_t codes = 0, years = 0, written_alike = 0;
  for (const auto& [l, r] : pair.links) {
    const auto left = [&](const char* name) {
      return pair.left.values.at({l, std::string("http://left.example/attribute/") + name});
    };
    const auto right = [&](const char* name) {
      return pair.right.values.at({r, std::string("http://right.example/attribute/") + name});
    };
    std::string code = left("code");
    std::erase(code, '-');
    codes += code == right("model") ? 1 : 0;
    years += right("released").starts_with(left("year") + "-") ? 1 : 0;
    written_alike += left("phone") == right("telephone") || left("place") == right("location") ? 1 : 0;
  }
  EXPECT_EQ(codes, pair.links.size());
  EXPECT_EQ(years, pair.links.size());
  EXPECT_EQ(written_alike, 0U);
}

TEST(GeneratedValues, ADifferenceMakesValuesMissingAndWrong) {
  const RecordedValues pair(with_values(10, 0.4));
  EXPECT_NEAR(static_cast<double>(pair.left.values.size()), 4000, 120);  // half of the difference is missing
  std::size_t both = 0, wrong = 0;
  for (const auto& [l, r] : pair.links) {
    const auto left = pair.left.values.find({l, "http://left.example/attribute/code"});
    const auto right = pair.right.values.find({r, "http://right.example/attribute/model"});
    if (left == pair.left.values.end() || right == pair.right.values.end()) continue;
    std::string code = left->second;
    std::erase(code, '-');
    ++both;
    wrong += code != right->second ? 1 : 0;
  }
  EXPECT_GT(both, 200U);
  EXPECT_NEAR(static_cast<double>(wrong) / static_cast<double>(both), 1 - .8 * .8, .1);
}

TEST(GeneratedValues, TheSameSeedMakesTheSameBytes) {
  const RecordedValues one(with_values(12, 0.2)), same(with_values(12, 0.2));
  EXPECT_EQ(one.left.hash.value(), same.left.hash.value());
  EXPECT_EQ(one.right.hash.value(), same.right.hash.value());
  GenerateOptions other = with_values(12, 0.2);
  other.seed = 2;
  EXPECT_NE(RecordedValues(other).left.hash.value(), one.left.hash.value());
  std::set<std::string> attributes;
  for (const auto& [key, value] : one.left.values) attributes.insert(key.second);
  EXPECT_EQ(attributes.size(), 12U);
}

TEST(GeneratedValues, WithoutThemNothingChanges) {
  GenerateOptions options = with_values(0, 0.2);
  const RecordedPair none(options);
  options.difference.values = 1;
  EXPECT_EQ(RecordedPair(options).hash(), none.hash());
}

}  // namespace
}  // namespace dovetail::testing_generator
