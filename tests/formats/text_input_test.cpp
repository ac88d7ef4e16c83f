#include "formats/text_input.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "formats/support.h"

namespace dovetail::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::MatchesRegex;

constexpr std::size_t kBlock = 1 << 20;  // no smaller than the blocks of TextInput

/// All lines of a file with the numbers that blocks give them, each with its end.
std::vector<std::pair<std::uint64_t, std::string>> lines_of(const std::filesystem::path& path) {
  Observer observer;
  TextInput input(path, observer);
  std::vector<std::pair<std::uint64_t, std::string>> lines;
  std::string_view block;
  while (input.next_block(block)) {
    std::uint64_t number = input.block_line();
    EXPECT_EQ(input.line_of(block.data()), number);
    EXPECT_EQ(input.line_of(block.data() + block.size() - 1),
              number + static_cast<std::uint64_t>(std::count(block.begin(), block.end() - 1, '\n')));
    while (!block.empty()) {
      const std::size_t end = std::min(block.find('\n'), block.size() - 1) + 1;
      lines.emplace_back(number++, block.substr(0, end));
      block.remove_prefix(end);
    }
  }
  return lines;
}

void expect_same_lines(const std::vector<std::string>& expected, const std::string& file = "a.txt") {
  const Workspace here;
  std::string text;
  for (const std::string& line : expected) text += line;
  const auto lines = lines_of(here.write(file, file == "a.txt" ? text : compressed(text, ".gz")));
  ASSERT_EQ(lines.size(), expected.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    ASSERT_EQ(lines[i].first, i + 1);
    ASSERT_EQ(lines[i].second, expected[i]) << "line " << i + 1;
  }
}

TEST(TextInput, GivesWholeLines) {
  expect_same_lines({"one\n", "\n", "three\r\n", "four"});
  expect_same_lines({"\n"});
  expect_same_lines({"x"});
}

TEST(TextInput, LinesMayEndAnywhereAroundTheEndOfABlock) {
  for (const std::size_t size : {kBlock / 8, kBlock / 4, kBlock / 2, kBlock, 2 * kBlock}) {
    for (std::size_t length = size - 2; length <= size + 2; ++length) {
      expect_same_lines({std::string(length - 1, 'a') + "\n", "b\n", std::string(size / 2, 'c') + "\n", "d"});
      expect_same_lines({"short\n", std::string(length, 'a')});
    }
  }
}

TEST(TextInput, ManyLinesOverManyBlocks) {
  std::vector<std::string> lines;
  std::size_t bytes = 0;
  for (std::size_t i = 0; bytes < 5 * kBlock; ++i) {
    lines.push_back(std::string(i * 37 % 2000, static_cast<char>('a' + i % 26)) + "é\n");
    bytes += lines.back().size();
  }
  expect_same_lines(lines);
  expect_same_lines(lines, "a.txt.gz");
}

TEST(TextInput, LinesMayBeMuchLongerThanABlock) {
  expect_same_lines({"a\n", std::string(9 * kBlock + 5, 'b') + "\n", "c\n", std::string(3 * kBlock, 'd')});
}

TEST(TextInput, RefusesLinesWithoutEnd) {
  const Workspace here;
  const auto path = here.write("a.txt", "a\n" + std::string(66 << 20, 'x'));
  EXPECT_THAT(error_of([&] { (void)lines_of(path); }), AllOf(HasSubstr("a.txt:2: "), HasSubstr("64 MiB")));
}

TEST(TextInput, KeepsTheEndOfABlockForTheNext) {
  const Workspace here;
  std::string text;
  while (text.size() < 4 * kBlock) text += "0123456789\n";
  const auto path = here.write("a.txt", text);
  Observer observer;
  TextInput input(path, observer);
  std::string_view block;
  ASSERT_TRUE(input.next_block(block));
  std::string all(block);
  std::string kept(block.substr(block.size() - 33));
  const std::uint64_t lines = block.size() / 11;
  ASSERT_TRUE(input.next_block(block, 33));
  EXPECT_EQ(block.substr(0, 33), kept);
  EXPECT_EQ(input.block_line(), lines + 1 - 3);
  all += block.substr(33);
  while (input.next_block(block)) all += block;
  EXPECT_EQ(all, text);
}

TEST(TextInput, LooksAheadWithoutConsuming) {
  const Workspace here;
  Observer observer;
  TextInput input(here.write("a.txt",
                             "\xEF\xBB\xBF"
                             "first\nsecond\n"),
                  observer);
  EXPECT_EQ(input.peek(5), "first");
  EXPECT_EQ(input.peek(1000), "first\nsecond\n");
  std::string_view block;
  ASSERT_TRUE(input.next_block(block));
  EXPECT_EQ(block, "first\nsecond\n");
  EXPECT_FALSE(input.next_block(block));
}

TEST(TextInput, FindsBytesThatAreNotUtf8) {
  const Workspace here;
  const auto message = [&](const std::string& text) {
    const auto path = here.write("a.txt", text);
    return error_of([&] { (void)lines_of(path); });
  };
  EXPECT_THAT(message("one\ntwo\nthr\xE9"
                      "e\n"),
              HasSubstr("a.txt:3: byte 0xE9 in column 4 is not UTF-8"));
  EXPECT_THAT(message("\xFF"), HasSubstr("a.txt:1: byte 0xFF in column 1"));
  EXPECT_THAT(message("ok\nends in half a character \xE2\x82"), HasSubstr("a.txt:2: byte 0xE2 in column 26"));
  EXPECT_THAT(message("a surrogate \xED\xA0\x80\n"), HasSubstr("a.txt:1: byte 0xED in column 13"));
  EXPECT_THAT(message("overlong \xC0\xAF\n"), HasSubstr("a.txt:1: byte 0xC0 in column 10"));
  EXPECT_THAT(message("\xEF\xBB\xBFmark\nthen \xE9\n"), HasSubstr("a.txt:2: byte 0xE9 in column 6"));
  EXPECT_THAT(message("\xEF\xBB\xBF\xE9\n"), HasSubstr("a.txt:1: byte 0xE9 in column 1"));
  EXPECT_THAT(message("\xFE\xFFU\0T\0F\0"),
              HasSubstr("a.txt:1: found UTF-16; expected UTF-8; convert the file: iconv"));
  EXPECT_EQ(message("äöü € 😀 \xC2\x80\n"), "");
}

TEST(TextInput, FindsThemInLaterBlocksToo) {
  const Workspace here;
  std::string text;
  for (int i = 0; i < 300'000; ++i) text += "0123456789\n";
  const auto path = here.write("a.txt", text + "01\xFC\n" + text);
  EXPECT_THAT(error_of([&] { (void)lines_of(path); }), HasSubstr("a.txt:300001: byte 0xFC in column 3"));
}

TEST(TextInput, RefusesEmptyFiles) {
  const Workspace here;
  for (const std::string& nothing : {std::string(), std::string("\xEF\xBB\xBF")}) {
    const auto path = here.write("a.txt", nothing);
    EXPECT_THAT(error_of([&] { (void)lines_of(path); }),
                MatchesRegex(".*/a.txt: the file is empty; expected .*"));
  }
  const auto path = here.write("a.txt.gz", compressed("", ".gz"));
  EXPECT_THAT(error_of([&] { (void)lines_of(path); }),
              MatchesRegex(".*/a.txt.gz: the file is empty; expected .*"));
}

}  // namespace
}  // namespace dovetail::test
