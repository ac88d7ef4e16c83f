#include <chrono>
#include <csignal>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <regex>
#include <string>
#include <sys/stat.h>
#include <thread>
#include <vector>

#include "end_to_end/program.h"
#include "end_to_end/terminal.h"
#include "remaining_time.h"

namespace dovetail::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;

TEST(RemainingTime, IsNotToldBeforeItIsKnown) {
  RemainingTime time;
  EXPECT_FALSE(time.seconds_left(0));
  time.begin({.name = "loading", .unit = "bytes"}, 0);
  time.measure(0.5, 10);
  EXPECT_FALSE(time.seconds_left(10));
  EXPECT_GT(time.share_done(10), 0);
  EXPECT_LE(time.share_done(10), 0.05);
}

class ProgressProgram : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(dovetail({"generate", pair, "-n", "1500", "--seed-ratio", "0.3", "--no-labels", "-q"}).code, 0);
  }
  [[nodiscard]] std::string at(const std::string& name) const { return (here / name).string(); }

  Workspace here;
  const std::string pair = (here / "pair").string();
};

TEST_F(ProgressProgram, ResultsAsJsonAreOneObjectAndProgressIsBeside) {
  const Outcome run = dovetail({"align", pair, "-o", at("out"), "--json"});
  ASSERT_EQ(run.code, 0) << run.err;
  const json result = json::parse(run.out);
  const json record = json::parse(content_of(here / "out/run.json"));
  EXPECT_EQ(result["output"], at("out"));
  EXPECT_EQ(result["links"], record["links"]);
  EXPECT_EQ(result["seeds"], record["data"]["links"]["train"]);
  EXPECT_EQ(result["test_links"], record["decisions"]["test_links"]);
  EXPECT_EQ(result["evaluation"]["open"]["hits@1"], record["evaluation"]["open"]["hits@1"]);
  for (const auto& [name, file] : result["files"].items()) {
    EXPECT_TRUE(std::filesystem::exists(file.get<std::string>())) << name;
  }
  EXPECT_EQ(result["files"]["links"], at("out/links.tsv"));
  // The total has all parts, also those after the record was written.
  const json& seconds = result["seconds"];
  EXPECT_GE(seconds["total"].get<double>(),
            record["seconds"]["total"].get<double>() + seconds["write"].get<double>());
  EXPECT_THAT(run.err, HasSubstr("turn 1: "));
  for (const char* phase : {"ranking", "confidences", "writing"}) {
    EXPECT_THAT(run.err, HasSubstr(std::string(": ") + phase)) << "a line at each phase";
  }
  const Outcome quiet = dovetail({"align", pair, "-o", at("quiet"), "--json", "-q"});
  EXPECT_EQ(quiet.err, "");
  EXPECT_EQ(json::parse(quiet.out)["links"], result["links"]);

  here.write("more.tsv", "");
  const Outcome update =
      dovetail({"update", at("out"), "--test-links", pair + "/test_links.tsv", "--json", "--no-report"});
  ASSERT_EQ(update.code, 0) << update.err;
  const json updated = json::parse(update.out);
  EXPECT_FALSE(updated["files"].contains("report"));
  EXPECT_GT(updated["links"].get<std::size_t>(), 0U);
}

TEST_F(ProgressProgram, EveryLineInAPipeTellsShareTimeAndPhase) {
  const Outcome run = dovetail({"align", pair, "-o", at("out")});
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out, Not(HasSubstr("progress:")));
  std::size_t lines = 0;
  int before = 0;
  std::istringstream text(run.err);
  for (std::string line; std::getline(text, line);) {
    if (!line.starts_with("progress: ")) continue;
    std::smatch parts;
    ASSERT_TRUE(std::regex_match(
        line, parts,
        std::regex("progress: ([0-9]+)% after [0-9]+ (s|min.*)(, [0-9]+ (s|min[^:]*) left)?: [a-z].*")))
        << line;
    EXPECT_LE(widest_line(line), 80U) << line;
    EXPECT_GE(std::stoi(parts[1]) + 15, before) << line;
    before = std::stoi(parts[1]);
    ++lines;
  }
  EXPECT_GE(lines, 4U) << run.err;
}

TEST_F(ProgressProgram, ATerminalHasOneBarWithTheTimeThatIsLeft) {
  const std::string shown = on_terminal({"align", pair, "-o", at("out")}).first;
  EXPECT_THAT(shown, HasSubstr("━"));
  EXPECT_TRUE(std::regex_search(shown, std::regex("[0-9]+%  [0-9]+ s left  training"))) << shown;
}

/// Reading stalls, and nothing in the library has anything to report.
TEST_F(ProgressProgram, IsNeverSilentForTenSeconds) {
  const std::string left = at("left.nt"), out = at("stdout"), err = at("stderr");
  ASSERT_EQ(mkfifo(left.c_str(), 0600), 0);
  const pid_t child = start({"align", left, pair + "/right.nt", "-o", at("out")}, out, err);
  std::ofstream graph(left);  // waits for the program to open it
  std::size_t lines = 0;
  for (int tenths = 0; tenths < 100 && lines == 0; ++tenths) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    lines = content_of(err).find("progress: ") != std::string::npos ? 1 : 0;
  }
  EXPECT_EQ(lines, 1U) << content_of(err);
  EXPECT_THAT(content_of(err), HasSubstr("loading"));
  kill(child, SIGTERM);
  graph.close();
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 128 + SIGTERM);
}

}  // namespace
}  // namespace dovetail::test
