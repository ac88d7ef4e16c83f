// The command behind `make results`, on tiny pairs of its own.
#include <cstdlib>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

#include "end_to_end/program.h"

namespace dovetail::test {
namespace {

using testing::HasSubstr;

TEST(Results, PutsOurFiguresBesideThePublishedOnes) {
  if (std::system("python3 -c '' 2>/dev/null") != 0) GTEST_SKIP() << "there is no python3";
  const Workspace here;
  const std::string page = (here / "results.md").string(), log = (here / "log").string();
  const std::string command =
      "python3 '" DOVETAIL_TEST_DATA "/../../tools/results.py' '" DOVETAIL_PROGRAM "' '" +
      here.path().string() + "' '" + (here / "work").string() + "' '" + page + "' --quick";
  const std::string told = " >'" + log + "' 2>&1";
  ASSERT_EQ(std::system((command + told).c_str()), 0) << content_of(log);
  const std::string text = content_of(page);
  for (const char* section :
       {"PSR basic, semi and with names", "What the paper says", "What should hold",
        "What each component is worth", "Batch size", "Dimension", "Reviewing", "Share of links", "By degree",
        "Ways of deciding", "Growing graphs", "Beside other systems"}) {
    EXPECT_THAT(text, HasSubstr(std::string("\n## ") + section));
  }
  // Published figures, ours, and the commands that repeat them.
  EXPECT_THAT(text, HasSubstr("| MTransE | basic | 0.209 | 0.512 | 0.310 | 6467 | PSR paper, table 3 |"));
  EXPECT_THAT(text, HasSubstr("| **Dovetail, names** | literal | "));
  EXPECT_THAT(text,
              HasSubstr("    dovetail study ablation dbp15k/zh_en dbp15k/fr_en --seeds 2 --out ablation\n"));
  EXPECT_THAT(text, HasSubstr("dbp15k/zh_en, without MHR: residual | 0."));
  EXPECT_THAT(text, testing::Not(HasSubstr("None")));
  EXPECT_THAT(text, HasSubstr("\n![Growing graphs: Time](charts/scale-1.svg)\n"));
  EXPECT_THAT(content_of(here / "charts/scale-1.svg"), testing::EndsWith("</svg>\n"));
  // One part can be renewed alone; what was run is not run again, so that it is what it was.
  ASSERT_EQ(std::system((command + " --growing" + told).c_str()), 0) << content_of(log);
  EXPECT_EQ(content_of(page), text);
}

}  // namespace
}  // namespace dovetail::test
