#include "formats/attribute_file.h"

#include <dovetail/errors.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "formats/support.h"

namespace dovetail::test {
namespace {

using testing::HasSubstr;

std::vector<AttributeRule> rules_of(const std::string& content) {
  const Workspace here;
  Observer quiet;
  return read_attribute_rules(here.write("attributes.tsv", content), quiet);
}

TEST(AttributeFile, HasALineForEachPair) {
  const auto rules = rules_of("# what we know\nhttp://a/price\tcost\tsame\n\ntitle\tnote\tdifferent\r\n");
  ASSERT_EQ(rules.size(), 2U);
  EXPECT_EQ(rules[0].left, "http://a/price");
  EXPECT_EQ(rules[0].right, "cost");
  EXPECT_TRUE(rules[0].same);
  EXPECT_EQ(rules[0].line, 2U);
  EXPECT_EQ(rules[1].right, "note");
  EXPECT_FALSE(rules[1].same);
  EXPECT_EQ(rules[1].line, 4U);
}

TEST(AttributeFile, OtherLinesAreRefusedWithWhatWasExpected) {
  const auto problem = [](const std::string& content) {
    try {
      (void)rules_of(content);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_THAT(problem("price\tcost\tsame\nprice cost same\n"),
              HasSubstr(":2: 1 field found; expected a left"));
  EXPECT_THAT(problem("a\tb\tsame\t1\n"), HasSubstr(":1: 4 fields found"));
  EXPECT_THAT(problem("a\tb\tyes\n"), HasSubstr("expected same or different"));
  EXPECT_THAT(problem("\tb\tsame\n"), HasSubstr("an empty name"));
}

}  // namespace
}  // namespace dovetail::test
