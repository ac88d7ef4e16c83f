#include <cstdlib>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>

#include "end_to_end/program.h"

namespace dovetail::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

class Evaluate : public testing::Test {
 protected:
  [[nodiscard]] std::string write(const std::string& name, const std::string& text) const {
    return here.write(name, text).string();
  }
  static json judge(std::vector<std::string> words) {
    words.insert(words.begin(), "evaluate");
    words.emplace_back("--json");
    const Outcome run = dovetail(words);
    EXPECT_EQ(run.code, 0) << run.err;
    return json::parse(run.out);
  }
  Workspace here;
  std::string links = write("links.tsv",
                            "left\tright\tscore\tmargin\tconfidence\n"
                            "p1\tq1\t1\t0\t0.9\np2\tq9\t1\t0\t0.8\np3\tq3\t1\t0\t0.7\nc1\td1\t1\t0\t0.2\n");
  std::string gold = write("gold.csv", "one;other\np1;q1\np2;q2\np3;q3\np4;q4\n");
};

TEST_F(Evaluate, CountsStrictlyWhereTheGoldIsComplete) {
  const json usual = judge({links, "--gold", gold});
  EXPECT_EQ(usual["predicted"], 3);
  EXPECT_EQ(usual["gold"], 4) << "titles that nobody knows are no link";
  EXPECT_FALSE(usual.contains("strict"));
  EXPECT_EQ(usual["calibration"]["count"], 3);
  const json strict = judge({links, "--gold", gold, "--complete"});
  EXPECT_EQ(strict["predicted"], 3);
  EXPECT_EQ(strict["strict"]["predicted"], 4);
  EXPECT_EQ(strict["strict"]["correct"], 2);
  EXPECT_DOUBLE_EQ(strict["strict"]["precision"], 0.5);
  EXPECT_DOUBLE_EQ(strict["strict"]["recall"], 0.5);
  EXPECT_DOUBLE_EQ(strict["strict"]["f1"], 0.5);
  EXPECT_NEAR(strict["strict"]["best_f1"].get<double>(), 4.0 / 7, 1e-12);
  EXPECT_EQ(strict["strict"]["best_score"], 0.7);
  EXPECT_EQ(strict["calibration"]["count"], 4);
  EXPECT_NEAR(strict["calibration"]["expected_calibration_error"].get<double>(), (.1 + .8 + .3 + .2) / 4,
              1e-9);
}

TEST_F(Evaluate, PrintsBothWaysSideBySide) {
  const Outcome run = dovetail({"evaluate", links, "--gold", gold, "--complete"});
  EXPECT_THAT(run.out, HasSubstr("                           usual    strict\n"));
  EXPECT_THAT(run.out, HasSubstr("links that count               3         4\n"));
  EXPECT_THAT(run.out, HasSubstr("precision                 0.6667    0.5000\n"));
  EXPECT_THAT(run.out, HasSubstr("F1                        0.5714    0.5000\n"));
  EXPECT_THAT(run.out, HasSubstr("expected calibration error 0.3500"));
  EXPECT_LE(widest_line(run.out), 80U);
}

TEST_F(Evaluate, LeavesOutSeedsAndOtherKinds) {
  const json rest = judge({links, "--gold", gold, "--complete", "--seeds", write("s.tsv", "p1\tq1\n")});
  EXPECT_EQ(rest["strict"]["predicted"], 3);
  EXPECT_EQ(rest["strict"]["gold"], 3);
  const json persons = judge({links, "--gold", gold, "--complete", "--of", "^p"});
  EXPECT_EQ(persons["strict"]["predicted"], 3);
  EXPECT_EQ(persons["strict"]["gold"], 4);
}

TEST_F(Evaluate, RefusesWhatMeansNothing) {
  const auto refusal = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"evaluate", links, "--gold", gold});
    const Outcome run = dovetail(words);
    EXPECT_EQ(run.code, 2);
    return run.err;
  };
  EXPECT_THAT(refusal({"--of", "("}), HasSubstr("expected a regular expression"));
  EXPECT_THAT(refusal({"--of", "zzz"}), HasSubstr("--of leaves no gold link"));
  EXPECT_THAT(refusal({"--seeds", gold}), HasSubstr("--seeds leaves no gold link"));
  const std::string bold = write("bold.tsv", "left\tright\tconfidence\np1\tq1\t1.5\n");
  const Outcome run = dovetail({"evaluate", bold, "--gold", gold});
  EXPECT_EQ(run.code, 2);
  EXPECT_THAT(run.err, HasSubstr("found the confidence 1.5 of \"p1\""));
}

TEST_F(Evaluate, SaysNothingOfConfidencesWhereThereAreNone) {
  const Outcome run = dovetail({"evaluate", write("plain.tsv", "p1\tq1\n"), "--gold", gold, "--complete"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out, Not(HasSubstr("calibration")));
}

/// The gold of published tables has separators and titles of its own.
TEST(EvaluateBenchmarkData, ReadsTheGoldOfTables) {
  const char* folder = std::getenv("DOVETAIL_DATA");
  if (folder == nullptr || *folder == '\0') GTEST_SKIP() << "DOVETAIL_DATA is not set";
  for (const auto& [name, count] :
       {std::pair("D1", 89), {"D2", 1076}, {"D4", 2224}, {"D5", 1968}, {"D8", 853}}) {
    const std::string gold = (std::filesystem::path(folder) / "tables" / name / "gt.csv").string();
    const Outcome run = dovetail({"evaluate", gold, "--gold", gold, "--complete", "--json"});
    ASSERT_EQ(run.code, 0) << run.err;
    const json figures = json::parse(run.out)["strict"];
    EXPECT_EQ(figures["gold"], count) << name;
    EXPECT_EQ(figures["f1"], 1) << name;
  }
}

}  // namespace
}  // namespace dovetail::test
