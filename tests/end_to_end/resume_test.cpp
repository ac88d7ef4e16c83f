// Runs that are killed or stopped go on from their checkpoints, to the very same files.
#include <chrono>
#include <csignal>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>
#include <xxhash.h>

#include "common/random.h"
#include "common/stopwatch.h"
#include "end_to_end/program.h"

namespace dovetail::test {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;

using Options = std::vector<std::string>;

/// A second or so: enough to be killed in, also by a test that has to wait for its turn.
const std::string kManyEpochs = "1000";

/// Every file of a run but the manifest, which has run.json's checksum, and run.json without what it says of
/// time and memory.
std::map<std::string, std::string> result_of(const std::filesystem::path& folder) {
  std::map<std::string, std::string> files = tree_of(folder);
  EXPECT_EQ(files.erase("dovetail-manifest.json"), 1U);
  auto record = nlohmann::json::parse(files.at("run.json"));
  record.erase("seconds");
  record.erase("peak_memory_bytes");
  record["training"].erase("working_bytes");
  for (auto& turn : record["training"]["turns"]) {
    turn.erase("train_seconds");
    turn.erase("search_seconds");
  }
  files["run.json"] = record.dump();
  return files;
}

class Resume : public testing::Test {
 protected:
  Resume() {
    EXPECT_EQ(dovetail({"generate", at("pair"), "-n", "300", "--seed-ratio", "0.3", "-q"}).code, 0);
  }

  [[nodiscard]] std::string at(const std::string& name) const { return (here / name).string(); }

  [[nodiscard]] Options align(const std::string& out, const Options& more) const {
    Options all = {"align", at("pair"),    "-o", at(out),     "--dimension",
                   "16",    "--no-report", "-q", "--threads", "1"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  [[nodiscard]] Options resume(const std::string& out) const {
    return {"align", "--resume", at(out), "-q", "--threads", "1"};
  }

  /// A long training that is killed when it is well under way, with two checkpoints of it; by SIGKILL maybe
  /// with a third, if that came just before the oldest one went.
  void kill_a_long_run(const Options& more = {}, int signal = SIGKILL) const {
    Options options = {"--mode", "basic", "--epochs", kManyEpochs, "--checkpoint-every", "0.01"};
    options.insert(options.end(), more.begin(), more.end());
    const pid_t child = start(align("out", options), "/dev/null", at("err"));
    for (int i = 0; i < 1000 && last_checkpoint() < 6; ++i) std::this_thread::sleep_for(10ms);
    kill(child, signal);
    waitpid(child, nullptr, 0);
    ASSERT_GE(last_checkpoint(), 6) << content_of(here / "err");
  }
  [[nodiscard]] int last_checkpoint() const {
    int last = 0;
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(here / "out.checkpoint", none)) {
      const std::string ending = entry.path().extension().string();
      if (ending != ".partial") last = std::max(last, std::stoi(ending.substr(1)));
    }
    return last;
  }
  [[nodiscard]] std::filesystem::path checkpoint(int number) const {
    return here / ("out.checkpoint/checkpoint." + std::to_string(number));
  }
  static std::string refusal(const Options& arguments) {
    const Outcome run = dovetail(arguments);
    EXPECT_EQ(run.code, 2) << run.err;
    return run.err;
  }

  Workspace here;
};

struct Kind {
  const char* name;
  Options options;
};

const std::vector<Kind> kKinds = {
    {"basic", {"--mode", "basic", "--epochs", "60", "--batch-size", "16"}},
    {"best", {"--mode", "semi", "--restart-steps", "60"}},
    {"names", {"--mode", "names", "--restart-steps", "40"}},
    {"restart",
     {"--mode", "semi", "--strategy", "restart", "--restart-steps", "40", "--restart-batch", "64"}},
    {"paper", {"--preset", "paper", "--mode", "semi", "--turns", "4", "--batch-size", "32"}},
    {"samples",
     {"--mode", "semi", "--strategy", "normal", "--turns", "3", "--sampling", "attention", "--optimiser",
      "adam", "--batch-size", "32"}},
    {"triplets", {"--mode", "basic", "--loss", "triplet", "--epochs", "40", "--batch-size", "32"}},
};

/// Seven kinds of runs, each killed at seven random moments or more, resumed runs too.
TEST_F(Resume, GivesTheSameFilesWheneverARunIsKilled) {
  constexpr int kKills = 8;
  Random random(1);
  int kills = 0;
  for (const Kind& kind : kKinds) {
    SCOPED_TRACE(kind.name);
    const std::string whole = kind.name + std::string("-whole"), out = kind.name;
    const Stopwatch watch;
    const Outcome reference = dovetail(align(whole, kind.options));
    ASSERT_EQ(reference.code, 0) << reference.err;
    const auto microseconds = static_cast<std::uint64_t>(1e6 * watch.seconds());
    Options often = kind.options;
    often.insert(often.end(), {"--checkpoint-every", "0.01"});
    Options next = align(out, often);
    for (int kill_number = 0; kill_number < kKills;) {
      const pid_t child = start(next, "/dev/null", at("err"));
      std::this_thread::sleep_for(std::chrono::microseconds(random.below(microseconds)));
      kill(child, SIGKILL);
      int status = 0;
      waitpid(child, &status, 0);
      if (WIFSIGNALED(status)) {
        ++kill_number;
        ++kills;
        next = resume(out);
        next.insert(next.end(), {"--checkpoint-every", "0.01"});
        continue;
      }
      // It was done, or had been killed before it could leave anything.
      const std::string message = content_of(here / "err");
      if (WEXITSTATUS(status) != 0) {
        EXPECT_THAT(message, HasSubstr("no checkpoint of a run to continue"));
      } else {
        EXPECT_EQ(result_of(here / out), result_of(here / whole));
        std::filesystem::remove_all(here / out);
      }
      next = align(out, often);
    }
    const Outcome last = dovetail(resume(out));
    if (last.code != 0) {
      EXPECT_THAT(last.err, HasSubstr("no checkpoint of a run to continue"));
      EXPECT_EQ(dovetail(align(out, often)).code, 0);
    }
    EXPECT_EQ(result_of(here / out), result_of(here / whole));
    EXPECT_FALSE(std::filesystem::exists(here / (out + ".checkpoint")));
    EXPECT_FALSE(std::filesystem::exists(here / (out + ".partial")));
  }
  EXPECT_GE(kills, 50);
}

TEST_F(Resume, UsesTheCheckpointBeforeADamagedOne) {
  kill_a_long_run({}, SIGTERM);
  const int last = last_checkpoint();
  const std::string good = content_of(checkpoint(last));
  ASSERT_TRUE(std::filesystem::exists(checkpoint(last - 1)));
  ASSERT_FALSE(std::filesystem::exists(checkpoint(last - 2))) << "two are kept";
  std::string changed = good;
  changed[changed.size() / 2] ^= 1;
  for (const std::string& damaged : {good.substr(0, good.size() / 2), changed, std::string()}) {
    here.write("out.checkpoint/checkpoint." + std::to_string(last), damaged);
    here.write("err", "");
    const pid_t child = start(resume("out"), "/dev/null", at("err"));
    for (int i = 0; i < 1000 && content_of(here / "err").empty(); ++i) std::this_thread::sleep_for(10ms);
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    EXPECT_THAT(content_of(here / "err"),
                AllOf(HasSubstr("not a usable checkpoint"), HasSubstr("the one before")));
  }
  const Outcome run = dovetail(resume("out"));
  ASSERT_EQ(run.code, 0) << run.err;
  ASSERT_EQ(dovetail(align("whole", {"--mode", "basic", "--epochs", kManyEpochs})).code, 0);
  EXPECT_EQ(result_of(here / "out"), result_of(here / "whole"));
}

TEST_F(Resume, RefusesWhatItCannotGoOnFrom) {
  EXPECT_THAT(refusal(resume("out")), HasSubstr("no checkpoint of a run to continue; start a run with"));
  kill_a_long_run();
  const int last = last_checkpoint();
  const std::string good = content_of(checkpoint(last));

  // Of another version: the checksum is right.
  std::string other = good.substr(0, good.size() - sizeof(std::uint64_t));
  other[std::string("DOVETAIL CHECKPOINT\n").size()] = 99;
  const std::uint64_t checksum = XXH3_64bits(other.data(), other.size());
  other.append(reinterpret_cast<const char*>(&checksum), sizeof checksum);
  here.write("out.checkpoint/checkpoint." + std::to_string(last), other);
  EXPECT_THAT(refusal(resume("out")), HasSubstr("found a checkpoint of format 99"));

  // Of another graph.
  here.write("out.checkpoint/checkpoint." + std::to_string(last), good);
  const std::string graph = content_of(here / "pair/left.nt");
  std::ofstream(here / "pair/left.nt", std::ios::app) << "<http://new/a> <http://new/p> <http://new/b> .\n";
  EXPECT_THAT(refusal(resume("out")),
              HasSubstr("pair: found other graphs or links than those that the run to"));
  here.write("pair/left.nt", graph);

  // All of them damaged, also a third one that the kill may have left.
  for (int number = 1; number <= last; ++number) {
    if (std::filesystem::exists(checkpoint(number)))
      here.write("out.checkpoint/checkpoint." + std::to_string(number), "DOVE");
  }
  EXPECT_THAT(refusal(resume("out")), HasSubstr("out.checkpoint: no checkpoint is usable"));
  EXPECT_EQ(last_checkpoint(), last) << "nothing was removed";
}

TEST_F(Resume, KnowsThePairsThatWereGivenBesideTheGraphs) {
  const std::string test = content_of(here / "pair/test_links.tsv");
  const std::size_t second = test.find('\n') + 1, third = test.find('\n', second) + 1;
  here.write("not.tsv", test.substr(second, third - second));
  here.write("test.tsv", test.substr(third, test.find('\n', third) + 1 - third));
  const Options more = {"--not-links", at("not.tsv"), "--test-links", at("test.tsv")};
  kill_a_long_run(more);
  const Outcome run = dovetail(resume("out"));
  ASSERT_EQ(run.code, 0) << run.err;
  Options whole = {"--mode", "basic", "--epochs", kManyEpochs};
  whole.insert(whole.end(), more.begin(), more.end());
  ASSERT_EQ(dovetail(align("whole", whole)).code, 0);
  EXPECT_EQ(result_of(here / "out"), result_of(here / "whole"));
}

TEST_F(Resume, TakesNoOtherOptions) {
  Options more = resume("out");
  more.insert(more.end(), {"--dimension", "16"});
  EXPECT_THAT(refusal(more), HasSubstr("found --dimension beside --resume"));
  EXPECT_THAT(refusal({"align", at("pair"), "--resume", at("out")}),
              HasSubstr("found INPUT beside --resume"));
  EXPECT_THAT(refusal({"align"}), HasSubstr("INPUT"));
  EXPECT_THAT(refusal(align("out", {"--checkpoint-every", "-1"})), HasSubstr("--checkpoint-every"));
}

TEST_F(Resume, ANewRunReplacesCheckpointsOnlyIfForced) {
  kill_a_long_run();
  const auto before = tree_of(here / "out.checkpoint");
  const Options again = {"--mode", "basic", "--epochs", "2"};
  EXPECT_THAT(refusal(align("out", again)), AllOf(HasSubstr("--resume"), HasSubstr("--force")));
  EXPECT_EQ(tree_of(here / "out.checkpoint"), before);
  Options forced = again;
  forced.emplace_back("--force");
  EXPECT_EQ(dovetail(align("out", forced)).code, 0);
  EXPECT_EQ(here.files(), (std::set<std::string>{"pair", "err", "out"}));
}

/// Killed between the last rename and the removal of the checkpoints.
TEST_F(Resume, KnowsThatARunIsComplete) {
  kill_a_long_run();
  std::filesystem::copy(here / "out.checkpoint", here / "kept");
  ASSERT_EQ(dovetail(resume("out")).code, 0);
  const auto before = tree_of(here / "out");
  std::filesystem::rename(here / "kept", here / "out.checkpoint");
  const Outcome run = dovetail({"align", "--resume", at("out")});
  EXPECT_EQ(run.code, 0);
  EXPECT_THAT(run.err, HasSubstr("the run is complete already"));
  EXPECT_EQ(tree_of(here / "out"), before);
  EXPECT_EQ(here.files(), (std::set<std::string>{"pair", "err", "out"}));
}

TEST_F(Resume, ErrorsThatWouldComeAgainLeaveNoCheckpoint) {
  EXPECT_THAT(refusal(align("out", {"--mode", "basic", "--learning-rate", "1e300"})),
              HasSubstr("training diverged"));
  EXPECT_THAT(refusal({"align", at("nowhere"), "-o", at("out")}), HasSubstr("no such folder"));
  EXPECT_EQ(here.files(), std::set<std::string>{"pair"});
}

}  // namespace
}  // namespace dovetail::test
