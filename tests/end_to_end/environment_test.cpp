// What goes wrong around the program: disks, permissions, limits, clocks, and other runs of it.
#include <chrono>
#include <csignal>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sched.h>
#include <string>
#include <sys/mount.h>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

#include "common/sanitized.h"
#include "end_to_end/program.h"
#include "formats/output_folder.h"

namespace dovetail::test {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

/// A soft limit for as long as this lives; the program that is started meanwhile inherits it.
class Limit {
 public:
  Limit(decltype(RLIMIT_AS) resource, rlim_t value) : resource_(resource) {
    getrlimit(resource, &before_);
    const rlimit now = {.rlim_cur = value, .rlim_max = before_.rlim_max};
    setrlimit(resource, &now);
  }
  Limit(const Limit&) = delete;
  Limit& operator=(const Limit&) = delete;
  ~Limit() { setrlimit(resource_, &before_); }

 private:
  decltype(RLIMIT_AS) resource_;
  rlimit before_{};
};

class Environment : public testing::Test {
 protected:
  Environment() {
    EXPECT_EQ(dovetail({"generate", at("pair"), "-n", "300", "--seed-ratio", "0.3", "-q"}).code, 0);
  }

  [[nodiscard]] std::string at(const std::string& name) const { return (here / name).string(); }
  [[nodiscard]] std::vector<std::string> align(const std::string& out,
                                               const std::vector<std::string>& more = {},
                                               const std::string& epochs = "2") const {
    std::vector<std::string> arguments = {"align", at("pair"), "--mode", "basic", "--epochs",
                                          epochs,  "-o",       out,      "-q"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }
  /// The message of a run that must fail.
  static std::string refusal(const std::vector<std::string>& arguments) {
    const Outcome run = dovetail(arguments);
    EXPECT_EQ(run.code, 2) << run.err;
    EXPECT_THAT(run.out, IsEmpty());
    return run.err;
  }
  /// Whether `start` has got as far as having its folder.
  void wait_for(const std::string& name) const {
    for (int i = 0; i < 1000 && !std::filesystem::exists(here / name); ++i) std::this_thread::sleep_for(10ms);
    ASSERT_TRUE(std::filesystem::exists(here / name));
  }

  Workspace here;
};

TEST_F(Environment, FileBeyondUlimitIsAnErrorThatLeavesNothing) {
  const Limit limit(RLIMIT_FSIZE, 20'000);
  EXPECT_THAT(refusal(align(at("out"))), HasSubstr("cannot write: File too large; nothing was left behind"));
  EXPECT_EQ(here.files(), std::set<std::string>{"pair"});
}

TEST_F(Environment, FullDiskIsAnErrorThatLeavesNothing) {
  const auto disk = here / "disk";
  std::filesystem::create_directory(disk);
  if (mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=64k") != 0)
    GTEST_SKIP() << "nothing can be mounted here";
  const std::string message = refusal(align((disk / "out").string()));
  EXPECT_TRUE(std::filesystem::is_empty(disk));
  umount(disk.c_str());
  EXPECT_THAT(message, HasSubstr("cannot write: No space left on device; nothing was left behind"));
}

TEST_F(Environment, ReadOnlyTargetIsRefusedBeforeTheWork) {
  const auto disk = here / "disk";
  std::filesystem::create_directory(disk);
  if (mount("tmpfs", disk.c_str(), "tmpfs", MS_RDONLY, "size=64k") != 0)
    GTEST_SKIP() << "nothing can be mounted here";
  const auto begin = std::chrono::steady_clock::now();
  const std::string message = refusal(align((disk / "out").string(), {}, "1000000"));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 20s);
  umount(disk.c_str());
  EXPECT_THAT(message, HasSubstr("out: cannot write: Read-only file system"));
}

TEST_F(Environment, UnreadableInputIsRefused) {
  // Opens, but gives nothing: as a disk with a defect.
  EXPECT_THAT(refusal({"inspect", "/proc/self/mem", at("pair/right.nt"), "--format", "ntriples"}),
              HasSubstr("/proc/self/mem: cannot read the file: Input/output error"));
  std::filesystem::permissions(here.path(), std::filesystem::perms::all);
  std::filesystem::permissions(here / "pair/left.nt", std::filesystem::perms::none);
  const bool root = geteuid() == 0;
  if (root && kSanitized) GTEST_SKIP() << "the sanitizer cannot trace a program of another user";
  if (root && seteuid(65534) != 0) GTEST_SKIP() << "root reads everything";
  const bool startable = access(DOVETAIL_PROGRAM, X_OK) == 0;
  const Outcome run = dovetail({"inspect", at("pair")});
  if (root && seteuid(0) != 0) FAIL() << "cannot be root again";
  if (!startable) GTEST_SKIP() << "others may not start the program here";
  EXPECT_EQ(run.code, 2);
  EXPECT_THAT(run.err, HasSubstr("left.nt: cannot open the file: Permission denied"));
}

TEST_F(Environment, UsedFolderIsKeptWithoutForce) {
  ASSERT_EQ(dovetail(align(at("out"))).code, 0);
  const auto before = tree_of(here / "out");
  EXPECT_THAT(refusal(align(at("out"))), HasSubstr("out: something is there already"));
  EXPECT_EQ(tree_of(here / "out"), before);
  EXPECT_EQ(dovetail(align(at("out"), {"--force"})).code, 0);
}

TEST_F(Environment, TwoRunsDoNotWriteOneFolder) {
  const pid_t first = start(align(at("out"), {}, "100000000"), "/dev/null", at("err"));
  wait_for("out.partial");
  EXPECT_THAT(refusal(align(at("out"))),
              HasSubstr("out: another run is writing it; wait for its end or choose another name"));
  EXPECT_TRUE(std::filesystem::exists(here / "out.partial")) << "it is the other one's";
  kill(first, SIGTERM);
  int status = 0;
  waitpid(first, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 143);
  EXPECT_EQ(here.files(), (std::set<std::string>{"pair", "err", "out.checkpoint"}));
}

TEST_F(Environment, WhatAppearedInTheMeantimeIsKept) {
  Observer quiet;
  OutputFolder target(here / "out", {}, quiet);
  here.write("out/thesis.tex", "years of work");
  EXPECT_THAT(error_of([&] { target.commit(); }), HasSubstr("out: something is there already"));
  EXPECT_EQ(content_of(here / "out/thesis.tex"), "years of work");
}

TEST_F(Environment, WhatAKilledRunLeftIsNoObstacle) {
  const pid_t killed =
      start(align(at("out"), {"--checkpoint-every", "0"}, "100000000"), "/dev/null", at("err"));
  wait_for("out.partial/files");
  kill(killed, SIGKILL);
  waitpid(killed, nullptr, 0);
  here.write("out.partial/files/links.tsv", "half a li");
  ASSERT_EQ(dovetail(align(at("out"))).code, 0);
  EXPECT_EQ(here.files(), (std::set<std::string>{"pair", "err", "out"}));
  // Nor what one of 0.1.0 left that ended while its result took the place of an older one; that may be all
  // there is of it.
  here.write("out.replaced/links.tsv", "of long ago");
  ASSERT_EQ(dovetail(align(at("out"), {"--force"})).code, 0);
  EXPECT_EQ(here.files(), (std::set<std::string>{"pair", "err", "out", "out.replaced"}));
}

TEST_F(Environment, InputChangedAfterTheRunIsNoticed) {
  ASSERT_EQ(dovetail(align(at("out"))).code, 0);
  std::ofstream(here / "pair/left.nt", std::ios::app) << "<http://new/a> <http://new/p> <http://new/b> .\n";
  EXPECT_THAT(refusal({"merge", at("out"), "--to", "ntriples", "-o", at("merged.nt")}),
              HasSubstr("pair: found other graphs or links than those that"));
}

TEST_F(Environment, OneCoreGivesTheSameResult) {
  ASSERT_EQ(dovetail(align(at("all"))).code, 0);
  cpu_set_t before, one;
  sched_getaffinity(0, sizeof before, &before);
  CPU_ZERO(&one);
  for (std::size_t core = 0; core < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++core) {
    if (CPU_ISSET(core, &before)) CPU_SET(core, &one);
  }
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  const Outcome run = dovetail(align(at("one")));
  sched_setaffinity(0, sizeof before, &before);
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(content_of(here / "one/links.tsv"), content_of(here / "all/links.tsv"));
}

TEST_F(Environment, ClockThatGoesBackChangesNothing) {
  if (kSanitized) GTEST_SKIP() << "the sanitizer wants to be loaded first";
  ASSERT_EQ(dovetail(align(at("out"))).code, 0);
  // Also files from the future.
  for (const auto& entry : std::filesystem::directory_iterator(here / "pair")) {
    std::filesystem::last_write_time(entry.path(), std::filesystem::file_time_type::clock::now() + 24h);
  }
  setenv("LD_PRELOAD", DOVETAIL_BACKWARD_CLOCK, 1);
  const Outcome run = dovetail(align(at("back")));
  unsetenv("LD_PRELOAD");
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.err, IsEmpty());
  EXPECT_EQ(content_of(here / "back/links.tsv"), content_of(here / "out/links.tsv"));
  const auto record = nlohmann::json::parse(content_of(here / "back/run.json"));
  for (const auto& [part, seconds] : record.at("seconds").items())
    EXPECT_GE(seconds.get<double>(), 0) << part;
}

TEST_F(Environment, TooLittleMemoryIsRefusedBeforeTheWork) {
  if (kSanitized) GTEST_SKIP() << "the sanitizer itself takes terabytes of addresses";
  ASSERT_EQ(dovetail({"generate", at("pair"), "-n", "4500", "--seed-ratio", "0.3", "-q", "--force"}).code, 0);
  const Limit limit(RLIMIT_AS, 1 << 30);
  EXPECT_THAT(
      refusal(align(at("out"), {"--dimension", "4096"})),
      AllOf(HasSubstr("this alignment needs "), HasSubstr(" of memory; found 1.0 GiB, the limit of ulimit"),
            HasSubstr("--dimension auto")));
  EXPECT_EQ(here.files(), std::set<std::string>{"pair"});
  EXPECT_EQ(dovetail(align(at("out"), {"--dimension", "16"})).code, 0)
      << "a limit that suffices is no obstacle";
}

TEST_F(Environment, AMemoryThatIsSetIsKeptTo) {
  ASSERT_EQ(dovetail({"generate", at("pair"), "-n", "4500", "--seed-ratio", "0.3", "-q", "--force"}).code, 0);
  EXPECT_THAT(refusal(align(at("out"), {"--memory", "70M"})),
              AllOf(HasSubstr(" of memory; found 70.0 MiB, --memory"), HasSubstr("--dimension auto")));
  EXPECT_EQ(here.files(), std::set<std::string>{"pair"});
  const Outcome run = dovetail(align(at("out"), {"--memory", "150M", "--dimension", "auto"}));
  ASSERT_EQ(run.code, 0) << run.err;
  const auto record = nlohmann::json::parse(content_of(here / "out/run.json"));
  const auto dimension = record.at("configuration").at("encoder").at("dimension").get<std::size_t>();
  EXPECT_GE(dimension, 16U);
  EXPECT_LT(dimension, 300U);
  EXPECT_LE(record.at("planned_memory_bytes").get<std::uint64_t>(), 150U << 20);
  if (kSanitized) return;
  EXPECT_LE(record.at("peak_memory_bytes").get<std::uint64_t>(), 150U << 20);
}

TEST_F(Environment, MemoryThatRunsOutIsAnErrorThatLeavesNothing) {
  if (kSanitized) GTEST_SKIP() << "the sanitizer itself takes terabytes of addresses";
  std::string text;
  for (int i = 0; i < 400'000; ++i)
    text += "entity" + std::to_string(i) + "\tp\tentity" + std::to_string(i / 2) + "\n";
  here.write("big.tsv", text);
  const Limit limit(RLIMIT_AS, 120 << 20);
  EXPECT_THAT(refusal({"convert", at("big.tsv"), at("big.tsv"), at("out"), "--to", "openea", "-q"}),
              HasSubstr("out of memory"));
  EXPECT_EQ(here.files(), (std::set<std::string>{"pair", "big.tsv"}));
}

}  // namespace
}  // namespace dovetail::test
