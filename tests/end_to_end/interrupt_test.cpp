#include <chrono>
#include <csignal>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <thread>

#include "end_to_end/program.h"

namespace dovetail::test {
namespace {

using namespace std::chrono_literals;

class Interruption : public testing::Test {
 protected:
  Interruption() {
    EXPECT_EQ(dovetail({"generate", at("pair"), "-n", "500", "--seed-ratio", "0.3", "-q"}).code, 0);
  }

  [[nodiscard]] std::string at(const std::string& name) const { return (here / name).string(); }

  /// Starts a work that would take hours, stops it by a signal, and gives its exit code.
  [[nodiscard]] int stopped_by(int signal, const std::string& checkpoint_every) const {
    const pid_t child = start({"align", at("pair"), "--mode", "basic", "--epochs", "100000000", "--out",
                               at("out"), "--checkpoint-every", checkpoint_every},
                              "/dev/null", at("err"));
    while (!std::filesystem::exists(here / "out.partial")) std::this_thread::sleep_for(10ms);
    std::this_thread::sleep_for(1s);
    const auto asked = std::chrono::steady_clock::now();
    kill(child, signal);
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_LT(std::chrono::steady_clock::now() - asked, 2s);
    EXPECT_TRUE(WIFEXITED(status)) << "it was killed instead of stopping by itself";
    return WEXITSTATUS(status);
  }

  Workspace here;
};

TEST_F(Interruption, EndsAWorkSoonAndSaysHowToGoOn) {
  EXPECT_EQ(stopped_by(SIGINT, "60"), 130);
  EXPECT_THAT(content_of(here / "err"),
              testing::HasSubstr("stopped; continue with dovetail align --resume " + at("out")));
  EXPECT_EQ(here.files(), (std::set<std::string>{"pair", "err", "out.checkpoint"}));
}

TEST_F(Interruption, LeavesNothingBehindWithoutCheckpoints) {
  EXPECT_EQ(stopped_by(SIGTERM, "0"), 143);
  EXPECT_THAT(content_of(here / "err"), testing::HasSubstr("stopped; nothing half-written"));
  EXPECT_EQ(here.files(), (std::set<std::string>{"pair", "err"}));
}

}  // namespace
}  // namespace dovetail::test
