#include "values/text_terms.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <string>
#include <vector>

namespace dovetail::test {
namespace {

TEST(TextTerms, WordsInLowerCaseWithoutAccents) {
  EXPECT_EQ(normalised_words("  Caf\xC3\xA9 O'Brien--BLUE\xE2\x84\xA2 "), "cafe obrien bluetm");
  EXPECT_EQ(normalised_words("\xE6\x9D\xB1\xE4\xBA\xAC 2020"), "\xE6\x9D\xB1\xE4\xBA\xAC 2020");
  EXPECT_EQ(normalised_words("?!"), "");
  EXPECT_EQ(normalised_words("a\xFF\xFEz"), "a z");
}

TEST(TextTerms, GramsHaveABlankAroundEachWord) {
  std::vector<std::uint64_t> one, two;
  for_each_gram("ab", [&](std::uint64_t gram) { one.push_back(gram); });
  EXPECT_EQ(one.size(), 2U);  // " ab", "ab "
  for_each_gram("x ab", [&](std::uint64_t gram) { two.push_back(gram); });
  EXPECT_EQ(two.size(), 3U);  // " x ", " ab", "ab "
  EXPECT_TRUE(std::ranges::equal(one, std::vector(two.end() - 2, two.end())));
}

TEST(TextTerms, CodesWithoutTheirPunctuation) {
  EXPECT_EQ(code_terms("415/399-0499"), code_terms("415-399-0499"));
  EXPECT_EQ(code_terms("978-3-16-148410-0"), code_terms("9783161484100"));
  EXPECT_TRUE(code_terms("no digits here").empty());
  const auto in_title = code_terms("Linksys Switch - EZXS-88W");
  ASSERT_EQ(in_title.size(), 1U);
  EXPECT_EQ(in_title, code_terms("ezxs88w"));
}

TEST(TextTerms, LongTextsAreCut) {
  EXPECT_LE(normalised_words(std::string(50'000'000, 'a')).size(), kComparedBytes);
}

RC_GTEST_PROP(TextTerms, NormalisingTwiceChangesNothing, (const std::string& text)) {
  const std::string once = normalised_words(text);
  RC_ASSERT(normalised_words(once).substr(0, once.size()) == once);
  RC_ASSERT(!once.starts_with(' ') && !once.ends_with(' ') && once.find("  ") == once.npos);
}

}  // namespace
}  // namespace dovetail::test
