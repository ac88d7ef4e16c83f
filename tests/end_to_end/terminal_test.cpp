#include <algorithm>
#include <cstdlib>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <regex>
#include <string>
#include <vector>

#include "end_to_end/program.h"

namespace dovetail::test {
namespace {

using testing::HasSubstr;
using testing::Not;

/// What the program shows on a terminal of 80 columns.
std::string shown_on_terminal(const std::vector<std::string>& arguments, const char* no_colour = nullptr) {
  winsize size{.ws_row = 24, .ws_col = 80, .ws_xpixel = 0, .ws_ypixel = 0};
  int terminal = -1;
  const pid_t child = forkpty(&terminal, nullptr, nullptr, &size);
  if (child == 0) {
    unsetenv("NO_COLOR");
    if (no_colour != nullptr) setenv("NO_COLOR", no_colour, 1);
    std::vector<char*> argv = {const_cast<char*>(DOVETAIL_PROGRAM)};
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    execv(argv[0], argv.data());
    _exit(127);
  }
  std::string text;
  std::array<char, 4096> buffer{};
  for (ssize_t got = 0; (got = read(terminal, buffer.data(), buffer.size())) > 0;) {
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
  close(terminal);
  waitpid(child, nullptr, 0);
  return text;
}

/// Each state of each line on its own, without what colours or clears it.
std::string as_lines(const std::string& shown) {
  std::string text = std::regex_replace(shown, std::regex("\x1b\\[[0-9;]*[A-Za-z]"), "");
  std::ranges::replace(text, '\r', '\n');
  return text;
}

TEST(Terminal, AlignFitsEightyColumns) {
  const Workspace here;
  const std::string pair = (here / "pair").string();
  ASSERT_EQ(dovetail({"generate", pair, "--entities", "1500", "--seed-ratio", "0.3", "--quiet"}).code, 0);
  const std::string out = (here / "a-folder-with-a-name-that-is-rather-long").string();
  const std::string shown = shown_on_terminal({"align", pair, "--mode", "semi", "--out", out});
  EXPECT_THAT(shown, HasSubstr("Hits@1"));
  EXPECT_THAT(shown, HasSubstr("turn 2: trained on"));
  EXPECT_LE(widest_line(as_lines(shown)), 80U) << shown;
}

TEST(Terminal, IsColouredUnlessThatIsNotWanted) {
  EXPECT_THAT(shown_on_terminal({"align", "/nowhere"}), HasSubstr("\x1b[31mdovetail:\x1b[0m "));
  EXPECT_THAT(shown_on_terminal({"align", "/nowhere"}, ""), HasSubstr("\x1b[31m")) << "set, but to nothing";
  const std::string plain = shown_on_terminal({"align", "/nowhere"}, "1");
  EXPECT_THAT(plain, HasSubstr("dovetail: "));
  EXPECT_THAT(plain, Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace dovetail::test
