// Values through the program: what is learned of attributes, what a user says of them, and reasons.
#include <algorithm>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "end_to_end/program.h"

namespace dovetail::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

class ValuesProgram : public testing::Test {
 protected:
  ValuesProgram() {
    EXPECT_EQ(
        dovetail({"generate", at("pair"), "--entities", "300", "--no-labels", "--values", "10", "--quiet"})
            .code,
        0);
  }

  [[nodiscard]] std::string at(const std::string& name) const { return (here / name).string(); }

  /// Aligns the two graphs without any link.
  [[nodiscard]] auto align(const std::string& out, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments = {"align", at("pair/left.nt"), at("pair/right.nt"), "--out", at(out)};
    arguments.insert(arguments.end(), {"--strategy", "rules"});
    arguments.insert(arguments.end(), more.begin(), more.end());
    return dovetail(arguments);
  }

  /// The share of the pair's links that a run has found.
  [[nodiscard]] double found(const std::string& out) const {
    const auto ends = [](const std::string& text) {
      std::vector<std::string> pairs;
      std::istringstream lines(text);
      for (std::string line; std::getline(lines, line);) {
        const std::size_t tab = line.find('\t');
        if (tab != line.npos) pairs.push_back(line.substr(0, line.find('\t', tab + 1)));
      }
      std::ranges::sort(pairs);
      return pairs;
    };
    const auto wanted = ends(content_of(here / "pair/links.tsv")),
               got = ends(content_of(here / (out + "/links.tsv")));
    std::vector<std::string> both;
    std::ranges::set_intersection(wanted, got, std::back_inserter(both));
    return static_cast<double>(both.size()) / static_cast<double>(wanted.size());
  }

  Workspace here;
};

TEST_F(ValuesProgram, AttributesThatCorrespondAreFoundWithoutLinks) {
  const auto run = align("out");
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.err, HasSubstr("surest matches of values"));
  EXPECT_GT(found("out"), .9);
  const std::string attributes = content_of(here / "out/attributes.tsv");
  EXPECT_THAT(attributes, HasSubstr("left\tright\tprobability\tpairs\tcomparison\tfor\tagainst\n"));
  for (const auto& [left, right] : {std::pair("code", "model"), std::pair("title", "heading")}) {
    EXPECT_THAT(attributes,
                HasSubstr(fmt::format("http://left.example/attribute/{}\thttp://right.example/attribute/{}\t",
                                      left, right)));
  }
}

TEST_F(ValuesProgram, WhatAUserSaysOfAttributesIsKeptTo) {
  here.write("rules.tsv", "code\tmodel\tdifferent\nhttp://left.example/attribute/stars\tcost\tsame\n");
  const auto run = align("out", {"--attributes", at("rules.tsv")});
  ASSERT_EQ(run.code, 0) << run.err;
  const std::string attributes = content_of(here / "out/attributes.tsv");
  EXPECT_THAT(attributes, Not(HasSubstr("attribute/code\thttp://right.example/attribute/model")));
  EXPECT_THAT(attributes, HasSubstr("attribute/stars\thttp://right.example/attribute/cost"));

  here.write("wrong.tsv", "code\tno-such\tsame\n");
  const auto wrong = align("other", {"--attributes", at("wrong.tsv")});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("wrong.tsv:1: "));
  EXPECT_THAT(wrong.err, HasSubstr("no attribute of the right graph"));
  here.write("both.tsv", "code\tmodel\tsame\ncode\tmodel\tdifferent\n");
  const auto both = align("other", {"--attributes", at("both.tsv")});
  EXPECT_EQ(both.code, 2);
  EXPECT_THAT(both.err, HasSubstr("both.tsv:2: "));
  const auto unused = align("other", {"--mode", "names", "--attributes", at("rules.tsv")});
  EXPECT_EQ(unused.code, 2);
  EXPECT_THAT(unused.err, HasSubstr("attributes has no effect because mode is names"));
  EXPECT_FALSE(exists(here / "other"));
}

TEST_F(ValuesProgram, ReasonsShowTheValuesOfBothSides) {
  ASSERT_EQ(align("out").code, 0);
  std::istringstream lines(content_of(here / "out/evidence.jsonl"));
  std::size_t linked = 0, by_values = 0;
  std::string left;
  for (std::string line; std::getline(lines, line);) {
    const json entity = json::parse(line);
    if (entity["link"].is_null()) continue;
    ++linked;
    const auto& reasons = entity["link"]["for"];
    if (std::ranges::any_of(reasons, [](const json& reason) {
          return reason.dump().find("attribute/code") != std::string::npos;
        })) {
      ++by_values;
      left = entity["left"];
    }
  }
  EXPECT_GT(by_values, linked / 2);
  const auto explained = dovetail({"explain", at("out"), left});
  EXPECT_EQ(explained.code, 0);
  EXPECT_THAT(explained.out, HasSubstr("code"));
  EXPECT_THAT(explained.out, HasSubstr("model"));
}

TEST_F(ValuesProgram, TheNumberOfThreadsChangesNoByte) {
  ASSERT_EQ(align("one", {"--threads", "1"}).code, 0);
  for (const char* threads : {"2", "8"}) {
    ASSERT_EQ(align(threads, {"--threads", threads}).code, 0);
    for (const char* file : {"/links.tsv", "/attributes.tsv", "/evidence.jsonl"}) {
      EXPECT_EQ(content_of(here / (std::string("one") + file)),
                content_of(here / (threads + std::string(file))))
          << file;
    }
  }
}

}  // namespace
}  // namespace dovetail::test
