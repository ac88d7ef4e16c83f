// What the caller leaves the program: streams, signals, threads and open files.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <gmock/gmock.h>
#include <grp.h>
#include <gtest/gtest.h>
#include <string>
#include <sys/resource.h>
#include <thread>

#include "common/sanitized.h"
#include "end_to_end/pair_program.h"

namespace dovetail::test {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::IsEmpty;

/// Puts a target in place of a stream; without one, the stream is closed.
std::function<void()> with_stream(int stream, const char* target) {
  return [stream, target] {
    close(stream);
    if (target != nullptr) dup2(open(target, O_WRONLY), stream);
  };
}

class Surroundings : public PairProgram {
 protected:
  [[nodiscard]] std::vector<std::string> basic(const std::string& out,
                                               const std::string& epochs = "2") const {
    return {"align", at("pair"), "--mode", "basic", "--dimension", "16", "--epochs", epochs, "-o", at(out)};
  }
  /// The result of a run whose surroundings are as they should be.
  [[nodiscard]] std::string usual_links() const {
    EXPECT_EQ(dovetail(basic("usual")).code, 0);
    return content_of(here / "usual/links.tsv");
  }
};

TEST_F(Surroundings, StreamsThatCannotBeWrittenEndNoRun) {
  const std::string expected = usual_links();
  for (const int stream : {STDERR_FILENO, STDOUT_FILENO}) {
    for (const char* const target : {static_cast<const char*>(nullptr), "/dev/full"}) {
      // Long enough for lines of progress.
      const Outcome run = dovetail(basic("out"), {}, with_stream(stream, target));
      EXPECT_EQ(run.code, 0) << stream << (target == nullptr ? " closed " : " full ") << run.err;
      EXPECT_EQ(content_of(here / "out/links.tsv"), expected);
      std::filesystem::remove_all(here / "out");
    }
  }
}

TEST_F(Surroundings, ProgressThatCannotBeShownEndsNoRun) {
  // Long enough that there is progress to show: a line every five seconds, and notes.
  for (const char* const target : {static_cast<const char*>(nullptr), "/dev/full"}) {
    std::vector<std::string> arguments = basic("long", "100000000");
    arguments.insert(arguments.end(), {"--checkpoint-every", "1s"});
    const pid_t child = start(arguments, "/dev/null", at("err"), with_stream(STDERR_FILENO, target));
    std::this_thread::sleep_for(7s);
    kill(child, SIGTERM);
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 143);
    EXPECT_TRUE(std::filesystem::exists(here / "long.checkpoint"));
    EXPECT_FALSE(std::filesystem::exists(here / "long.partial"));
    std::filesystem::remove_all(here / "long.checkpoint");
  }
}

TEST_F(Surroundings, NoFileGetsTheNumberOfAClosedStream) {
  const std::string expected = usual_links();
  const auto close_all = [] {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) close(stream);
  };
  ASSERT_EQ(dovetail(basic("out"), {}, close_all).code, 0);
  EXPECT_EQ(content_of(here / "out/links.tsv"), expected);
  EXPECT_EQ(tree_of(here / "out").size(), tree_of(here / "usual").size());
  // What is printed while a file is open would be in that file.
  ASSERT_EQ(dovetail({"convert", at("pair/left.nt"), at("copy.tsv"), "--to", "tsv"}).code, 0);
  ASSERT_EQ(dovetail({"convert", at("pair/left.nt"), at("same.tsv"), "--to", "tsv"}, {}, close_all).code, 0);
  EXPECT_EQ(content_of(here / "same.tsv"), content_of(here / "copy.tsv"));
}

TEST_F(Surroundings, WhatIsPrintedForOthersMustArrive) {
  ASSERT_EQ(dovetail(basic("out")).code, 0);
  const std::vector<std::vector<std::string>> commands = {
      {"export", at("out"), "--to", "tsv"},
      {"merge", at("out"), "--to", "ntriples"},
      {"evaluate", at("out/links.tsv"), "--gold", at("out/links.tsv")},
      {"inspect", at("pair")},
      {"inspect", at("pair"), "--json"},
      {"config"},
      {"align", "--help"},
      {"--version"}};
  for (const auto& command : commands) {
    for (const char* const target : {static_cast<const char*>(nullptr), "/dev/full"}) {
      const Outcome run = dovetail(command, {}, with_stream(STDOUT_FILENO, target));
      EXPECT_EQ(run.code, 2) << command[0];
      EXPECT_THAT(run.err, HasSubstr("standard output: cannot write: ")) << command[0];
    }
  }
  // A file beside it is the product then, and what is printed only says so.
  EXPECT_EQ(dovetail({"export", at("out"), "--to", "tsv", "-o", at("links.tsv")}, {},
                     with_stream(STDOUT_FILENO, "/dev/full"))
                .code,
            0);
  EXPECT_GT(content_of(here / "links.tsv").size(), 100U);
}

TEST_F(Surroundings, APipeThatNobodyReadsIsAnErrorOfWriting) {
  ASSERT_EQ(dovetail(basic("out")).code, 0);
  const auto broken_pipe = [] {
    std::signal(SIGPIPE, SIG_DFL);
    int ends[2];
    if (pipe(ends) != 0) _exit(126);
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
  };
  const Outcome exported = dovetail({"export", at("out"), "--to", "tsv"}, {}, broken_pipe);
  EXPECT_EQ(exported.code, 2);
  EXPECT_THAT(exported.err, HasSubstr("standard output: cannot write: Broken pipe"));
  EXPECT_EQ(dovetail(basic("piped"), {}, broken_pipe).code, 0);
  EXPECT_TRUE(std::filesystem::exists(here / "piped/run.json"));
}

class SurroundingsOfSignals : public Surroundings {
 protected:
  /// Sends a signal to a run that would take hours, and gives its exit code, or less the signal that killed
  /// it.
  [[nodiscard]] int stopped_by(int signal, const std::function<void()>& prepare = {}) const {
    const pid_t child = start(basic("out", "100000000"), "/dev/null", at("err"), prepare);
    while (!std::filesystem::exists(here / "out.partial")) std::this_thread::sleep_for(10ms);
    std::this_thread::sleep_for(1s);
    if (signal != 0) kill(child, signal);
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }
};

TEST_F(SurroundingsOfSignals, OthersThatEndProgramsLeaveACheckpoint) {
  for (const int signal : {SIGHUP, SIGUSR1, SIGXCPU, SIGTERM}) {
    EXPECT_EQ(stopped_by(signal), 128 + signal);
    EXPECT_THAT(content_of(here / "err"),
                HasSubstr("stopped; continue with dovetail align --resume " + at("out")));
    EXPECT_EQ(here.files(), (std::set<std::string>{"pair", "err", "out.checkpoint"}));
    std::filesystem::remove_all(here / "out.checkpoint");
  }
}

TEST_F(SurroundingsOfSignals, ALimitOfProcessorTimeLeavesACheckpoint) {
  const auto one_second = [] {
    const rlimit limit = {.rlim_cur = 2, .rlim_max = 60};
    setrlimit(RLIMIT_CPU, &limit);
  };
  EXPECT_EQ(stopped_by(0, one_second), 128 + SIGXCPU);
  EXPECT_EQ(here.files(), (std::set<std::string>{"pair", "err", "out.checkpoint"}));
}

TEST_F(SurroundingsOfSignals, NohupIsObeyed) {
  std::vector<std::string> arguments = basic("out", "100000000");
  const pid_t child = start(arguments, "/dev/null", at("err"), [] { std::signal(SIGHUP, SIG_IGN); });
  while (!std::filesystem::exists(here / "out.partial")) std::this_thread::sleep_for(10ms);
  kill(child, SIGHUP);
  std::this_thread::sleep_for(1s);
  EXPECT_EQ(waitpid(child, nullptr, WNOHANG), 0) << "it goes on";
  kill(child, SIGTERM);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 143);
}

TEST_F(Surroundings, TooFewOpenFilesAreRefusedBeforeTheWork) {
  for (const rlim_t most : {4, 6, 10, 20}) {
    const Outcome run = dovetail(basic("out"), {}, [most] {
      for (int file = 3; file < 64; ++file) close(file);
      const rlimit limit = {.rlim_cur = most, .rlim_max = most};
      setrlimit(RLIMIT_NOFILE, &limit);
    });
    EXPECT_EQ(run.code, 2) << most;
    EXPECT_THAT(run.err, HasSubstr("more files can be opened; expected 32: raise the limit (ulimit -n)"));
    EXPECT_EQ(here.files(), std::set<std::string>{"pair"}) << most;
  }
  // A limit that the program may raise by itself is none.
  EXPECT_EQ(dovetail(basic("out"), {},
                     [] {
                       for (int file = 3; file < 64; ++file) close(file);
                       rlimit limit{};
                       getrlimit(RLIMIT_NOFILE, &limit);
                       limit.rlim_cur = 4;
                       setrlimit(RLIMIT_NOFILE, &limit);
                     })
                .code,
            0);
}

TEST_F(Surroundings, ThreadsThatCannotBeStartedAreDoneWithout) {
  if (kSanitized) GTEST_SKIP() << "the sanitizer has a thread of its own";
  const std::string expected = usual_links();
  std::filesystem::permissions(here.path(), std::filesystem::perms::all);
  // Root is not limited: another user's number, whose processes are counted, has to run it.
  constexpr uid_t kOther = 64'123;
  const bool root = geteuid() == 0;
  const auto limited = [root](rlim_t most) {
    return [root, most] {
      const rlimit limit = {.rlim_cur = most, .rlim_max = most};
      setrlimit(RLIMIT_NPROC, &limit);
      if (root && (setgroups(0, nullptr) != 0 || setresgid(kOther, kOther, kOther) != 0 ||
                   setresuid(kOther, kOther, kOther) != 0))
        _exit(126);
    };
  };
  if (root && dovetail({"--version"}, {}, limited(100)).code != 0)
    GTEST_SKIP() << "others may not start the program here";
  for (const rlim_t most : {1, 3}) {
    std::vector<std::string> arguments = basic("out");
    arguments.insert(arguments.end(), {"--threads", "8"});
    const Outcome run = dovetail(arguments, {}, limited(most));
    ASSERT_EQ(run.code, 0) << run.err;
    EXPECT_THAT(run.err, HasSubstr("of 8 threads could be started"));
    EXPECT_EQ(content_of(here / "out/links.tsv"), expected);
    std::filesystem::remove_all(here / "out");
  }
}

TEST_F(Surroundings, AHugeNumberOfThreadsIsNoAbort) {
  std::vector<std::string> arguments = basic("out");
  arguments.insert(arguments.end(), {"--threads", "40000"});
  const Outcome run = dovetail(arguments);
  EXPECT_EQ(run.code, 2);
  EXPECT_THAT(run.err, HasSubstr("--threads is \"40000\"; expected a whole number from 0 to 4096"));
  if (kSanitized) GTEST_SKIP() << "the sanitizer itself takes terabytes of addresses";
  // Their stacks alone would take 32 GiB of addresses.
  arguments.back() = "4096";
  const Outcome cramped = dovetail(arguments, {}, [] {
    const rlimit limit = {.rlim_cur = rlim_t{3} << 30, .rlim_max = rlim_t{3} << 30};
    setrlimit(RLIMIT_AS, &limit);
  });
  EXPECT_TRUE(cramped.code == 0 || cramped.code == 2) << cramped.code << cramped.err;
  EXPECT_EQ(std::filesystem::exists(here / "out"), cramped.code == 0);
  EXPECT_FALSE(std::filesystem::exists(here / "out.partial"));
}

}  // namespace
}  // namespace dovetail::test
