#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>

#include "end_to_end/pair_program.h"

namespace dovetail::test {
namespace {

using nlohmann::json;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

class UpdateProgram : public PairProgram {
 protected:
  UpdateProgram() {
    const Outcome run =
        dovetail({"align", at("pair/left.nt"), at("pair/right.nt"), "--links", at("pair/train_links.tsv"),
                  "--out", at("out"), "--dimension", "32", "--quiet"});
    EXPECT_EQ(run.code, 0) << run.err;
  }

  [[nodiscard]] Outcome update(const std::string& folder, const std::vector<std::string>& more) const {
    std::vector<std::string> arguments = {"update", at(folder)};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return dovetail(arguments);
  }
  /// left, right of the links of a run.
  [[nodiscard]] std::vector<Pair> links(const std::string& folder) const {
    std::istringstream lines(content_of(here / (folder + "/links.tsv")));
    std::string line;
    std::getline(lines, line);
    std::vector<Pair> pairs;
    while (std::getline(lines, line)) {
      std::istringstream fields(line);
      Pair pair;
      std::getline(fields, pair.first, '\t');
      std::getline(fields, pair.second, '\t');
      pairs.push_back(pair);
    }
    return pairs;
  }
  [[nodiscard]] json record(const std::string& folder) const {
    return json::parse(content_of(here / (folder + "/run.json")));
  }
};

TEST_F(UpdateProgram, LearnsFromLinksAndFromPairsThatAreNone) {
  const std::vector<Pair> before = links("out");
  ASSERT_GT(before.size(), 20U);
  const auto line = [](const Pair& pair) { return pair.first + "\t" + pair.second + "\n"; };
  here.write("right.tsv", line(before[0]) + line(before[1]));
  here.write("wrong.tsv", line(before[2]) + line(before[3]));
  const Outcome run =
      update("out", {"--links", at("right.tsv"), "--not-links", at("wrong.tsv"), "--out", at("new")});
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("links found from"));
  for (std::size_t n = 0; n < 4; ++n) EXPECT_THAT(links("new"), Not(Contains(before[n])));
  EXPECT_GT(links("new").size(), before.size() / 2);
  EXPECT_EQ(links("out"), before) << "the run that was updated stays";
  EXPECT_EQ(record("new")["data"]["links"]["train"], record("out")["data"]["links"]["train"].get<int>() + 2);
  EXPECT_EQ(record("new")["data"]["links"]["apart"], 2);
  // The result is a run like any other.
  const std::string linked = links("new")[0].first;
  EXPECT_EQ(dovetail({"explain", at("new"), linked}).code, 0);
  EXPECT_EQ(dovetail({"report", at("new")}).code, 0);
  EXPECT_EQ(dovetail({"merge", at("new"), "--to", "ntriples", "-o", at("merged.nt")}).code, 0);
}

TEST_F(UpdateProgram, GraphsGrowAgainAndAgain) {
  const std::vector<Pair> before = links("out");
  here.write("l.nt", "<http://new/l> <http://new/p> <" + before[0].first + "> .\n");
  here.write("r.nt", "<http://new/r> <http://new/q> <" + before[0].second + "> .\n");
  const auto entities = [&] { return record("out")["data"]["left"]["entities"].get<int>(); };
  const int count = entities();
  ASSERT_EQ(update("out", {"--left", at("l.nt"), "--right", at("r.nt"), "--quiet"}).code, 0);
  EXPECT_EQ(entities(), count + 1);
  here.write("both.tsv", "http://new/l\thttp://new/r\n");
  const Outcome again = update("out", {"--links", at("both.tsv"), "--strict", "--quiet"});
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(record("out")["inputs"]["more"].size(), 2U);
  EXPECT_EQ(dovetail({"export", at("out"), "--to", "npy", "-o", at("vectors.npy")}).code, 0);
}

TEST_F(UpdateProgram, RefusalsLeaveTheRunAsItWas) {
  const auto before = tree_of(here / "out");
  EXPECT_THAT(update("out", {}).err, HasSubstr("found no new input"));
  EXPECT_THAT(update("out", {"--links", at("nowhere.tsv")}).err, HasSubstr("nowhere.tsv"));
  here.write("swapped.tsv", links("out")[0].second + "\t" + links("out")[0].first + "\n");
  EXPECT_THAT(update("out", {"--links", at("swapped.tsv")}).err, HasSubstr("swap"));
  here.write("pair/left.nt",
             content_of(here / "pair/left.nt") + "<http://other/a> <http://other/p> <http://other/b> .\n");
  here.write("more.tsv", "a\tb\n");
  const Outcome other = update("out", {"--links", at("more.tsv")});
  EXPECT_EQ(other.code, 2);
  EXPECT_THAT(other.err, HasSubstr("found other graphs or links than those that"));
  EXPECT_EQ(tree_of(here / "out"), before);
}

TEST_F(PairProgram, AlignTakesPairsThatAreNotTheSame) {
  ASSERT_EQ(align("out", {"--mode", "basic", "--quiet"}).code, 0);
  std::istringstream lines(content_of(here / "out/links.tsv"));
  std::string header, left, right;
  std::getline(lines, header);
  std::getline(lines, left, '\t');
  std::getline(lines, right, '\t');
  here.write("wrong.tsv", left + "\t" + right + "\n");
  ASSERT_EQ(align("again", {"--mode", "basic", "--not-links", at("wrong.tsv"), "--quiet"}).code, 0);
  EXPECT_THAT(content_of(here / "out/links.tsv"), HasSubstr(left + "\t" + right + "\t"));
  EXPECT_THAT(content_of(here / "again/links.tsv"), Not(HasSubstr(left + "\t" + right + "\t")));
}

}  // namespace
}  // namespace dovetail::test
