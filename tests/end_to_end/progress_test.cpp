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

/// A run of three phases on a machine that takes `slowness` times as long as expected.
struct Simulated {
  static constexpr double kLoad = 2, kPhases[] = {10, 20, 10};
  double slowness = 1;
  RemainingTime time;

  /// Brings it to `now`, seconds after the start; the true end is at kLoad + 40 * slowness.
  void to(double now) {
    double begin = kLoad, after = 40;
    time.begin({.name = "loading"}, 0);
    for (const double cost : kPhases) {
      after -= cost;
      if (begin > now) return;
      time.begin({.name = "phase", .cost = cost, .after = after}, begin);
      begin += cost * slowness;
    }
  }
  [[nodiscard]] double true_rest(double now) const { return kLoad + 40 * slowness - now; }
};

TEST(RemainingTime, IsTrueOnMachinesOfAnySpeed) {
  for (const double slowness : {0.1, 1.0, 3.0}) {
    double share = 0;
    for (double done = 0.35; done < 0.99; done += 0.05) {
      Simulated run{.slowness = slowness, .time = {}};
      const double now = Simulated::kLoad + 40 * slowness * done;
      run.to(now);
      ASSERT_TRUE(run.time.seconds_left(now));
      const double rest = run.true_rest(now);
      EXPECT_NEAR(*run.time.seconds_left(now), rest, 0.2 * rest + 0.06 * slowness * 40)
          << slowness << " " << done;
      EXPECT_GE(run.time.share_done(now), share) << "the bar does not go back";
      share = run.time.share_done(now);
      EXPECT_LT(share, 1);
    }
  }
}

TEST(RemainingTime, IsNotToldBeforeItIsKnown) {
  RemainingTime time;
  EXPECT_FALSE(time.seconds_left(0));
  time.begin({.name = "loading", .unit = "bytes"}, 0);
  time.measure(0.5, 10);
  EXPECT_FALSE(time.seconds_left(10));
  EXPECT_GT(time.share_done(10), 0);
  EXPECT_LE(time.share_done(10), 0.05);
}

TEST(RemainingTime, FollowsMeasurementsAndNeverEndsEarly) {
  RemainingTime time;
  time.begin({.name = "training", .cost = 1, .after = 0, .unit = "batches"}, 0);
  time.measure(0.25, 50);  // far slower than expected
  EXPECT_NEAR(*time.seconds_left(50), 150, 5);
  EXPECT_NEAR(*time.seconds_left(100), 100, 5) << "between measurements the clock counts";
  EXPECT_GT(*time.seconds_left(1000), 0) << "a phase that is late is not finished";
  // The last phase has what is left of the costs.
  RemainingTime last;
  last.begin({.name = "training", .cost = 10, .after = 5}, 0);
  last.begin({.name = "writing", .after = 0}, 20);
  EXPECT_NEAR(*last.seconds_left(20), 10, 1);
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
  for (const char* phase : {"training", "ranking", "confidences", "writing"}) {
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
