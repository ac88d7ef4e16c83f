#include "formats/word_vectors.h"

#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <rapidcheck/gtest.h>
#include <string>
#include <vector>

#include "support.h"

namespace dovetail::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

using Vectors = std::map<std::string, std::vector<float>>;

StringTable table(const std::vector<std::string>& words) {
  StringTable out;
  for (const std::string& word : words) out.append(word);
  return out;
}

std::string lower(std::string_view word) {
  std::string out(word);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

WordVectors read(const std::filesystem::path& path, const std::vector<std::string>& wanted) {
  Listener listener;
  const StringTable words = table(wanted);
  return read_word_vectors(path, words, lower, listener);
}

/// The vectors of the words that the file had.
Vectors found(const std::filesystem::path& path, const std::vector<std::string>& wanted) {
  const WordVectors vectors = read(path, wanted);
  Vectors out;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const float* const row = vectors.vectors.row(i);
    if (vectors.known[i] != 0) out[wanted[i]].assign(row, row + vectors.dimension);
  }
  return out;
}

std::string bytes_of(const std::vector<float>& numbers) {
  std::string out(numbers.size() * sizeof(float), '\0');
  std::memcpy(out.data(), numbers.data(), out.size());
  return out;
}

/// As word2vec writes it, with or without an end of line behind each vector.
std::string binary(const std::vector<std::pair<std::string, std::vector<float>>>& words,
                   const std::string& end = "\n") {
  std::string out = std::to_string(words.size()) + " " + std::to_string(words.front().second.size()) + "\n";
  for (const auto& [word, numbers] : words) out += word + " " + bytes_of(numbers) + end;
  return out;
}

std::string error_of_file(const std::string& content, const std::vector<std::string>& wanted = {"a", "b"}) {
  const Workspace here;
  const auto path = here.write("v.vec", content);
  std::string message = error_of([&] { (void)read(path, wanted); });
  if (message.starts_with(here.path().string())) message.erase(0, here.path().string().size() + 1);
  return message;
}

const Vectors kAandB = {{"a", {1, -2.5F}}, {"b", {0.25F, 3e-2F}}};

TEST(WordVectors, ReadsEveryFormat) {
  const Workspace here;
  const std::string lines = "c 9 9\na 1 -2.5\nb 0.25 3e-2\n";
  const std::vector<std::pair<std::string, std::vector<float>>> words = {
      {"c", {9, 9}}, {"a", {1, -2.5F}}, {"b", {0.25F, 3e-2F}}};
  const std::vector<std::string> wanted = {"b", "a", "none"};
  EXPECT_EQ(found(here.write("glove.txt", lines), wanted), kAandB);
  EXPECT_EQ(found(here.write("word2vec.txt", "3 2\n" + lines), wanted), kAandB);
  EXPECT_EQ(found(here.write("fasttext.vec", "3 2\nc 9 9 \na 1 -2.5 \nb 0.25 3e-2 \n"), wanted), kAandB);
  EXPECT_EQ(found(here.write("windows.txt",
                             "\xEF\xBB\xBF"
                             "c 9 9\r\na 1 -2.5\r\nb 0.25 3e-2"),
                  wanted),
            kAandB);
  EXPECT_EQ(found(here.write("tabs.txt", "c\t9\t9\na\t1\t-2.5\nb\t0.25\t3e-2\n"), wanted), kAandB);
  EXPECT_EQ(found(here.write("word2vec.bin", binary(words)), wanted), kAandB);
  EXPECT_EQ(found(here.write("without_ends.bin", binary(words, "")), wanted), kAandB);
  for (const std::string& compression : kCompressions) {
    EXPECT_EQ(found(here.write("t" + compression, compressed(lines, compression)), wanted), kAandB);
    EXPECT_EQ(found(here.write("b" + compression, compressed(binary(words), compression)), wanted), kAandB);
  }
}

TEST(WordVectors, SaysWhatTheFileHas) {
  const Workspace here;
  const WordVectors vectors = read(here.write("v.txt", "c 9 9\na 1 2\n"), {"a", "b"});
  EXPECT_EQ(vectors.in_file, 2U);
  EXPECT_EQ(vectors.dimension, 2U);
  EXPECT_EQ(vectors.known, (std::vector<std::uint8_t>{1, 0}));
  EXPECT_EQ(vectors.known_count(), 1U);
  EXPECT_EQ(vectors.vectors.row(1)[0], 0.0F);
}

TEST(WordVectors, AWordInItsOwnFormBeatsASimplifiedOne) {
  const Workspace here;
  const auto path = here.write("v.txt", "A 1\nB 2\nb 3\nb 4\nC 5\nc 6\nC 7\n");
  EXPECT_EQ(found(path, {"a", "b", "c"}), (Vectors{{"a", {1}}, {"b", {3}}, {"c", {6}}}));
}

TEST(WordVectors, WordsMayHaveSpacesInThem) {
  const Workspace here;
  const auto path = here.write("v.txt", "a 1 2 3\n. . . 4 5 6\nb 7 8 9\n");
  EXPECT_EQ(found(path, {". . .", "b", "."}), (Vectors{{". . .", {4, 5, 6}}, {"b", {7, 8, 9}}}));
}

TEST(WordVectors, WordsThatAreNotUtf8AreJustOtherWords) {
  const Workspace here;
  EXPECT_EQ(found(here.write("v.txt", "\xE9t\xE9 1 2\na 3 4\n"), {"a"}), (Vectors{{"a", {3, 4}}}));
}

TEST(WordVectors, LongFilesComeInPieces) {
  // Over two pieces of 16 MiB, so that words lie across the ends of pieces.
  const std::size_t count = 350'000;
  std::string text = std::to_string(count) + " 10\n";
  std::vector<std::pair<std::string, std::vector<float>>> words;
  std::vector<std::string> wanted;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string word = "w" + std::to_string(i);
    text += word;
    std::vector<float> numbers(10, static_cast<float>(i) / 8);
    for (int n = 0; n < 10; ++n) text += " " + std::to_string(numbers.front());
    text += "\n";
    words.emplace_back(word + std::string(60, 'x'), std::move(numbers));
    wanted.push_back(i % 2 == 0 ? word : words.back().first);
  }
  ASSERT_GT(text.size(), std::size_t{33} << 20);
  const Workspace here;
  const auto check = [&](const std::filesystem::path& path, std::size_t parity) {
    const WordVectors vectors = read(path, wanted);
    EXPECT_EQ(vectors.in_file, count);
    for (std::size_t i = 0; i < count; ++i) {
      ASSERT_EQ(vectors.known[i], i % 2 == parity ? 1 : 0) << path << " " << i;
      ASSERT_EQ(vectors.vectors.row(i)[9], i % 2 == parity ? static_cast<float>(i) / 8 : 0)
          << path << " " << i;
    }
  };
  const std::string records = binary(words);
  check(here.write("v.txt", text), 0);
  check(here.write("v.txt.zst", compressed(text, ".zst")), 0);
  check(here.write("v.bin", records), 1);
  check(here.write("v.bin.zst", compressed(records, ".zst")), 1);
}

RC_GTEST_PROP(WordVectorsProperty, TextAndBinaryGiveTheSame, ()) {
  // The four bytes of a single number may well read as text.
  const auto columns = *rc::gen::inRange<std::size_t>(8, 40);
  const auto count = *rc::gen::inRange<std::size_t>(1, 20);
  std::vector<std::pair<std::string, std::vector<float>>> words;
  std::vector<std::string> wanted;
  std::string text = std::to_string(count) + " " + std::to_string(columns) + "\n";
  for (std::size_t i = 0; i < count; ++i) {
    wanted.push_back("w" + std::to_string(i));
    std::vector<float> numbers;
    text += wanted.back();
    for (std::size_t c = 0; c < columns; ++c) {
      numbers.push_back(static_cast<float>(*rc::gen::inRange(-100000, 100000)) / 4096);
      text += fmt::format(" {}", numbers.back());
    }
    text += "\n";
    words.emplace_back(wanted.back(), numbers);
  }
  const Workspace here;
  const Vectors from_text = found(here.write("v.txt", text), wanted);
  RC_ASSERT(from_text.size() == count);
  RC_ASSERT(from_text == Vectors(words.begin(), words.end()));
  RC_ASSERT(found(here.write("v.bin", binary(words)), wanted) == from_text);
}

TEST(WordVectors, SaysWhatIsWrongWithText) {
  EXPECT_THAT(error_of_file(""), AllOf(HasSubstr("v.vec:1: found an empty line"), HasSubstr("GloVe")));
  EXPECT_THAT(error_of_file("{\"words\":[\"a\"]}\n"), HasSubstr("v.vec:1: found vectors of 0 numbers"));
  EXPECT_THAT(error_of_file("a 1 2\nb 1\n"), AllOf(HasSubstr("v.vec:2: found 1 column behind \"b\""),
                                                   HasSubstr("expected 2 numbers as in the")));
  EXPECT_THAT(error_of_file("2 2\na 1 2\nb 1\n"),
              AllOf(HasSubstr("v.vec:3: found 1 column behind"), HasSubstr("as the header says")));
  EXPECT_THAT(error_of_file("a 1 2\nb 1 2 3\n"), HasSubstr("v.vec:2: found 3 columns behind \"b\""));
  EXPECT_THAT(error_of_file("a 1 2\nz 1 2 3\n"), HasSubstr("v.vec:2: found 3 columns"));  // wanted or not
  EXPECT_THAT(error_of_file("a 1 2\nb 1 x\n"), HasSubstr("v.vec:2: found \"x\" as number 2 of \"b\""));
  EXPECT_THAT(error_of_file("a 1 2\nb 1 nan\n"), HasSubstr("v.vec:2: found \"nan\""));
  EXPECT_THAT(error_of_file("a 1 2\nb 1 1e300\n"), HasSubstr("v.vec:2: found \"1e300\""));
  EXPECT_THAT(error_of_file("2 2\na 1 x\nb 1 2\n"), HasSubstr("v.vec:2: found \"x\""));
  EXPECT_THAT(error_of_file(std::string("a 1 2\nb 1 \0\n", 12)), HasSubstr("v.vec:2: found a NUL byte"));
  EXPECT_THAT(error_of_file("3 2\na 1 2\nb 1 2\n"),
              AllOf(HasSubstr("v.vec: the file ends after 2 of 3 words"), HasSubstr("download it again")));
  EXPECT_THAT(error_of_file("2 0\na\nb\n"), HasSubstr("v.vec:1: found vectors of 0 numbers"));
  EXPECT_THAT(error_of_file("2 99999999999\na 1\n"), HasSubstr("found vectors of 99999999999 numbers"));
}

TEST(WordVectors, SaysWhatIsWrongWithBinary) {
  const std::string whole = binary({{"a", {1, 2, 3}}, {"b", {4, 5, 6}}});
  const std::size_t header = whole.find('\n') + 1;
  ASSERT_EQ(error_of_file(whole), "");
  // From the first byte of a number, before which it might be text, to the last one; then comes a line's end,
  // which nothing depends on.
  for (std::size_t size = header + 3; size + 1 < whole.size(); ++size) {
    EXPECT_THAT(error_of_file(whole.substr(0, size)), HasSubstr("v.vec: the file ends after")) << size;
  }
  EXPECT_THAT(error_of_file(whole + "more"), HasSubstr("found more bytes behind the last of 2 words"));
  EXPECT_THAT(error_of_file(binary({{"z", {1, 2}}, {"b", {4, NAN}}})),
              HasSubstr("found a vector that is not all numbers at word 2 of 2, \"b\""));
  EXPECT_THAT(error_of_file("2 3\na " + std::string(200'000, '\1')),
              HasSubstr("found no space behind word 2"));
  EXPECT_THAT(error_of_file("9999999999999 3\n" + whole.substr(header)), HasSubstr("ends after 2 of"));
}

TEST(WordVectors, SaysThatThereIsNoFile) {
  const Workspace here;
  EXPECT_THAT(error_of([&] { (void)read(here / "none.vec", {"a"}); }), HasSubstr("none.vec: cannot open"));
  EXPECT_THAT(error_of([&] { (void)read(here.path(), {"a"}); }), HasSubstr("this is a folder"));
  std::string cut = compressed("a 1 2\nb 1 2\n", ".gz");
  cut.resize(cut.size() - 9);
  const auto path = here.write("cut.gz", cut);
  EXPECT_THAT(error_of([&] { (void)read(path, {"a"}); }), HasSubstr("damaged or incomplete compressed data"));
}

}  // namespace
}  // namespace dovetail::test
