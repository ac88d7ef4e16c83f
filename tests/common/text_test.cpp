#include "common/text.h"

#include <dovetail/errors.h>

#include <gtest/gtest.h>
#include <string>

namespace dovetail {
namespace {

TEST(Shown, QuotesAndHidesControlCharacters) {
  EXPECT_EQ(shown("plain é"), "\"plain é\"");
  EXPECT_EQ(shown("a\tb\nc\rd"), "\"a\\tb\\nc\\rd\"");
  EXPECT_EQ(shown(std::string("\x1b[2J\x07\x7F\0", 7)), "\"\\x1B[2J\\x07\\x7F\\x00\"");
}

TEST(Shown, HidesTheControlCharactersAboveAsciiToo) {
  EXPECT_EQ(shown("\xC2\x9B"
                  "31m"),
            "\"\\u009B31m\"");
  EXPECT_EQ(shown("\xC2\x80\xC2\x9F\xC2\xA0é"), "\"\\u0080\\u009F\xC2\xA0é\"");
  EXPECT_EQ(shown("\xE2\x80\xAEright to left"), "\"\\u202Eright to left\"");
}

TEST(Shown, CutsAtTheEndOfACharacter) {
  EXPECT_EQ(shown("abcdef", 4), "\"abcd…\"");
  EXPECT_EQ(shown("abcd", 4), "\"abcd\"");
  EXPECT_EQ(shown("ab€€", 4), "\"ab…\"");
  EXPECT_EQ(shown("ab€€", 5), "\"ab€…\"");
  EXPECT_EQ(shown("", 4), "\"\"");
}

TEST(Printable, ChangesNothingButControlCharacters) {
  EXPECT_EQ(printable("a \"b\" é"), "a \"b\" é");
  EXPECT_EQ(printable("a\x1b[0m"), "a\\x1B[0m");
}

TEST(Printable, LinesKeepTheirEnds) {
  EXPECT_EQ(printable_lines("a\tb\n\x1b[0m\r\n"), "a\tb\n\\x1B[0m\\r\n");
  EXPECT_EQ(printable_lines(""), "");
}

TEST(Xml, PagesShowWhatTheyMustNotObey) {
  EXPECT_EQ(xml_escaped("<b>\x1b[2J&\xE2\x80\xAE\"\n"), "&lt;b&gt;\\x1B[2J&amp;\\u202E&quot;\n");
  EXPECT_EQ(xml_exact("<\xE2\x80\xAE"), "&lt;\xE2\x80\xAE");
}

TEST(Errors, AreOneLineThatATerminalMayGet) {
  EXPECT_STREQ(InputError("a\x1b", 3, "b\nc\xC2\x9B").what(), "a\\x1B:3: b\\nc\\u009B");
}

TEST(Numbers, AreWrittenForPeople) {
  EXPECT_EQ(with_commas(0), "0");
  EXPECT_EQ(with_commas(999), "999");
  EXPECT_EQ(with_commas(1000), "1,000");
  EXPECT_EQ(with_commas(1234567), "1,234,567");
  EXPECT_EQ(with_commas(UINT64_MAX), "18,446,744,073,709,551,615");
  EXPECT_EQ(human_bytes(1023), "1023 bytes");
  EXPECT_EQ(human_bytes(1536), "1.5 KiB");
  EXPECT_EQ(human_bytes(std::uint64_t{5} << 30), "5.0 GiB");
  EXPECT_EQ(human_bytes(UINT64_MAX), "16777216.0 TiB");
}

TEST(ParseNumber, TakesTheWholeTextOrNothing) {
  EXPECT_EQ(parse_number("0.25"), 0.25);
  EXPECT_EQ(parse_number("-1e-3"), -0.001);
  for (const char* none : {"", " 1", "1 ", "1,5", "nan", "inf", "1e999", "0x10", "one"})
    EXPECT_FALSE(parse_number(none)) << none;
}

TEST(ParseBytes, TakesUnitsAndNothingElse) {
  EXPECT_EQ(parse_bytes("0"), 0U);
  EXPECT_EQ(parse_bytes("1000"), 1000U);
  EXPECT_EQ(parse_bytes("512M"), std::uint64_t{512} << 20);
  EXPECT_EQ(parse_bytes("1.5G"), std::uint64_t{3} << 29);
  EXPECT_EQ(parse_bytes("2T"), std::uint64_t{2} << 40);
  EXPECT_EQ(parse_bytes("8GiB"), std::uint64_t{8} << 30);
  EXPECT_EQ(parse_bytes("8GB"), 8'000'000'000U);
  EXPECT_EQ(parse_bytes("1.5KB"), 1500U);
  for (const char* text : {"", "G", "GB", "iB", "8B", "8iB", "-1", "8Gi", "8 G", "1e30", "nan", "inf", "x"}) {
    EXPECT_FALSE(parse_bytes(text)) << text;
  }
}

TEST(PeakMemory, IsSomething) {
  EXPECT_GT(peak_memory_bytes(), 1U << 20);
}

}  // namespace
}  // namespace dovetail
