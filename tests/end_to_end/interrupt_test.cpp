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

TEST(Interruption, EndsAWorkSoonAndLeavesNothingBehind) {
  const Workspace here;
  const auto at = [&](const std::string& name) { return (here / name).string(); };
  ASSERT_EQ(dovetail({"generate", at("pair"), "-n", "500", "--seed-ratio", "0.3", "-q"}).code, 0);
  // Epochs that would take hours.
  const pid_t child =
      start({"align", at("pair"), "--mode", "basic", "--epochs", "100000000", "--out", at("out")},
            "/dev/null", at("err"));
  std::this_thread::sleep_for(1s);
  const auto asked = std::chrono::steady_clock::now();
  kill(child, SIGINT);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_LT(std::chrono::steady_clock::now() - asked, 2s);
  ASSERT_TRUE(WIFEXITED(status)) << "it was killed instead of stopping by itself";
  EXPECT_EQ(WEXITSTATUS(status), 130);
  EXPECT_THAT(content_of(here / "err"), testing::HasSubstr("stopped; nothing half-written"));
  EXPECT_EQ(here.files(), (std::set<std::string>{"pair", "err"}));
}

}  // namespace
}  // namespace dovetail::test
