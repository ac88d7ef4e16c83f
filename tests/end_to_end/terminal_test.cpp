#include "end_to_end/terminal.h"

#include <algorithm>
#include <cstdlib>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <regex>
#include <string>
#include <vector>

#include "end_to_end/program.h"

namespace dovetail::test {
namespace {

using testing::HasSubstr;
using testing::Not;

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
  const std::string shown = on_terminal({"align", pair, "--mode", "semi", "--out", out}).first;
  EXPECT_THAT(shown, HasSubstr("Hits@1"));
  EXPECT_THAT(shown, HasSubstr("turn 2: trained on"));
  EXPECT_LE(widest_line(as_lines(shown)), 80U) << shown;
}

TEST(Terminal, IsColouredUnlessThatIsNotWanted) {
  EXPECT_THAT(on_terminal({"align", "/nowhere"}).first, HasSubstr("\x1b[31mdovetail:\x1b[0m "));
  EXPECT_THAT(on_terminal({"align", "/nowhere"}, "").first, HasSubstr("\x1b[31m")) << "set, but to nothing";
  const std::string plain = on_terminal({"align", "/nowhere"}, "1").first;
  EXPECT_THAT(plain, HasSubstr("dovetail: "));
  EXPECT_THAT(plain, Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace dovetail::test
