#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <sys/stat.h>
#include <thread>

#include "common/random.h"
#include "formats/byte_source.h"
#include "formats/output_file.h"
#include "formats/output_folder.h"
#include "formats/support.h"

namespace dovetail::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::size_t open_files() {
  const std::filesystem::directory_iterator all("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

std::string read_all(const std::filesystem::path& path) {
  ByteSource source(path);
  std::string text;
  std::vector<char> buffer(10'000);
  while (const std::size_t got = source.read(buffer)) text.append(buffer.data(), got);
  EXPECT_TRUE(source.size() == 0 || source.position() <= source.size());
  return text;
}

/// Text that does not compress to nothing.
std::string some_triples(std::size_t count) {
  Random random(3);
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    text += "<http://x/" + std::to_string(random.next()) + "> <http://x/p> <http://x/" +
            std::to_string(random.next()) + "> .\n";
  }
  return text;
}

class Compressed : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(All, Compressed, testing::ValuesIn(kCompressions),
                         [](const auto& which) { return which.param.substr(1); });

TEST_P(Compressed, GraphsOfEveryFormatAreRead) {
  const std::string x = "http://x/";
  const std::map<std::string, std::string> files = {
      {"a.nt", "<http://x/a> <http://x/p> <http://x/b> .\n"},
      {"a.nq", "<http://x/a> <http://x/p> <http://x/b> <http://x/g> .\n"},
      {"a.ttl", "@prefix : <http://x/> . :a :p :b .\n"},
      {"a.trig", "@prefix : <http://x/> . :g { :a :p :b }\n"},
      {"a.rdf",
       "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns:x=\"http://x/\">"
       "<rdf:Description rdf:about=\"http://x/a\"><x:p "
       "rdf:resource=\"http://x/b\"/></rdf:Description></rdf:RDF>"},
      {"a.tsv", "http://x/a\thttp://x/p\thttp://x/b\n"},
      {"a.csv", "http://x/a,http://x/p,http://x/b\n"}};
  for (const auto& [name, text] : files) {
    EXPECT_THAT(triples_of(graph_from(name + GetParam(), compressed(text, GetParam()))),
                testing::ElementsAre(Row{x + "a", x + "p", x + "b"}))
        << name;
  }
}

TEST_P(Compressed, IsRecognisedByContentWhateverTheName) {
  EXPECT_EQ(graph_from("a.nt", compressed(some_triples(5), GetParam())).triple_count(), 5U);
  EXPECT_EQ(graph_from("a.nt.gz", some_triples(5)).triple_count(), 5U);
}

TEST_P(Compressed, PartsOneBehindTheOtherAreOneText) {
  const Workspace here;
  const auto path = here.write("a", compressed("first ", GetParam()) + compressed("second", GetParam()));
  EXPECT_EQ(read_all(path), "first second");
}

TEST_P(Compressed, LargeTextsAreReadToTheEnd) {
  const Workspace here;
  const std::string text = some_triples(20'000);
  EXPECT_EQ(read_all(here.write("a", compressed(text, GetParam()))), text);
}

TEST_P(Compressed, CutOffAnywhereIsRefused) {
  const Workspace here;
  const std::string whole = compressed(some_triples(3000), GetParam());
  std::vector<std::size_t> lengths = {8, 9, 12, 15, 20, whole.size() / 2};
  for (const std::size_t missing : {1, 2, 3, 4, 5, 7, 8, 9, 12}) lengths.push_back(whole.size() - missing);
  for (const std::size_t length : lengths) {
    const auto path = here.write("a.nt" + GetParam(), whole.substr(0, length));
    EXPECT_THAT(error_of([&] { (void)graph_in(path); }),
                AllOf(HasSubstr("a.nt" + GetParam() + ": "), HasSubstr("compressed data")))
        << length << " of " << whole.size() << " bytes";
  }
}

TEST_P(Compressed, DamagedInTheMiddleIsRefused) {
  const Workspace here;
  std::string bytes = compressed(some_triples(3000), GetParam());
  for (std::size_t i = bytes.size() / 2; i < bytes.size() / 2 + 40; ++i)
    bytes[i] = static_cast<char>(~bytes[i]);
  const auto path = here.write("a.nt" + GetParam(), bytes);
  EXPECT_NE(error_of([&] { (void)graph_in(path); }), "");
}

TEST_P(Compressed, IsWrittenByName) {
  const Workspace here;
  const std::string text = some_triples(10'000);
  const auto path = here / ("a.nt" + GetParam());
  OutputFile file(path);
  file << text;
  file.commit();
  EXPECT_EQ(content_of(path).substr(0, 3), compressed("x", GetParam()).substr(0, 3));
  EXPECT_LT(std::filesystem::file_size(path), text.size());
  EXPECT_EQ(read_all(path), text);
  EXPECT_EQ(here.files().size(), 1U);
}

TEST(OutputFile, ZstdHasAChecksum) {
  const Workspace here;
  for (const std::size_t count : {0, 1, 10'000}) {
    const auto path = here / fmt::format("{}.nt.zst", count);
    const std::string text = some_triples(count);
    OutputFile file(path);
    for (std::size_t n = 0; n < text.size(); n += 1000) file << text.substr(n, 1000);
    file.commit();
    std::string bytes = content_of(path);
    ASSERT_GT(bytes.size(), 8U);
    EXPECT_NE(bytes[4] & 4, 0) << "the flag of the frame's header";
    EXPECT_EQ(read_all(path), text);
    bytes.back() = static_cast<char>(bytes.back() ^ 1);  // of the checksum
    EXPECT_THAT(error_of([&] { (void)read_all(here.write("damaged.zst", bytes)); }), HasSubstr("damaged"));
  }
}

TEST(ByteSource, TextThatBeginsLikeAnArchiveIsText) {
  const Workspace here;
  for (const std::string text : {"BZhang\tp\tb\n", "BZh9", "BZh91ABCDEF\n", "a"}) {
    EXPECT_EQ(read_all(here.write("a", text)), text);
  }
}

TEST(ByteSource, LeavesNoFileOpen) {
  const Workspace here;
  const auto good = here.write("good.gz", compressed("text", ".gz"));
  const auto bad = here.write("bad.gz", compressed(some_triples(100), ".gz").substr(0, 200));
  const auto none = here / "none";
  const std::size_t before = open_files();
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(read_all(good), "text");
    EXPECT_NE(error_of([&] { (void)read_all(bad); }), "");
    EXPECT_NE(error_of([&] { (void)read_all(none); }), "");
    EXPECT_NE(error_of([&] { (void)read_all(here.path()); }), "");
    EXPECT_NE(error_from("a.rdf", "<?xml version=\"1.0\"?>\n<open>"), "");
    EXPECT_NE(error_from("a.ttl", "broken"), "");
  }
  EXPECT_EQ(open_files(), before);
}

TEST(ByteSource, NoticesThatAFileChangesWhileItIsRead) {
  const Workspace here;
  for (const std::string extension : {"", ".gz"}) {
    const std::string text = some_triples(30'000);
    const auto path = here.write("a.nt" + extension, extension.empty() ? text : compressed(text, extension));
    const std::string message = error_of([&] {
      ByteSource source(path);
      std::vector<char> buffer(10'000);
      (void)source.read(buffer);
      std::ofstream(path, std::ios::app) << "more";
      while (source.read(buffer) > 0) {
      }
    });
    EXPECT_THAT(message, HasSubstr("the file was changed while it was read")) << extension;
  }
}

TEST(ByteSource, ReadsPipes) {
  const Workspace here;
  const std::string text = some_triples(20'000);
  const auto pipe = here / "pipe.nt";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const std::string& bytes : {text, compressed(text, ".gz")}) {
    std::thread writer([&] { std::ofstream(pipe, std::ios::binary) << bytes; });
    const auto graph = graph_in(pipe);
    writer.join();
    EXPECT_EQ(graph.triple_count(), 20'000U) << "nothing may be lost by looking at the format";
  }
}

TEST(OutputFile, AppearsOnlyWhenComplete) {
  const Workspace here;
  here.write("a", "old");
  {
    OutputFile file(here / "a");
    file << "new";
    EXPECT_EQ(content_of(here / "a"), "old");
  }
  EXPECT_EQ(content_of(here / "a"), "old");
  EXPECT_EQ(here.files().size(), 1U);
  OutputFile file(here / "a");
  file << "new" << std::string(1 << 20, 'x');
  file.commit();
  EXPECT_EQ(content_of(here / "a"), "new" + std::string(1 << 20, 'x'));
  EXPECT_EQ(here.files().size(), 1U);
}

TEST(OutputFolder, AppearsOnlyWhenComplete) {
  const Workspace here;
  Observer quiet;
  const FolderTarget kept = {.kind = FolderKind::pair},
                     replaced = {.kind = FolderKind::pair, .replace = true};
  {
    OutputFolder folder(here / "pair", kept, quiet);
    for (const char* name : {"left.nt", "right.nt"}) std::ofstream(folder.working_path() / name) << "old";
    EXPECT_FALSE(std::filesystem::exists(here / "pair"));
    folder.commit();
  }
  EXPECT_THAT(error_of([&] { OutputFolder(here / "pair", kept, quiet); }), HasSubstr("--force"));
  { const OutputFolder abandoned(here / "pair", replaced, quiet); }
  EXPECT_EQ(content_of(here / "pair/left.nt"), "old");
  OutputFolder folder(here / "pair", replaced, quiet);
  std::ofstream(folder.working_path() / "left.nt") << "new";
  EXPECT_EQ(content_of(here / "pair/left.nt"), "old");
  folder.commit();
  EXPECT_EQ(content_of(here / "pair/left.nt"), "new");
  EXPECT_FALSE(std::filesystem::exists(here / "pair/right.nt"));
  EXPECT_EQ(here.files().size(), 1U);
}

TEST(OutputFolder, ReplacesNoFolderThatHoldsNoGraphs) {
  const Workspace here;
  Observer quiet;
  here.folder("home", {{"thesis.tex", "years of work"}});
  EXPECT_THAT(error_of([&] { OutputFolder(here / "home", {.replace = true}, quiet); }),
              HasSubstr("thesis.tex"));
  EXPECT_EQ(content_of(here / "home/thesis.tex"), "years of work");
  EXPECT_EQ(here.files().size(), 1U);
}

}  // namespace
}  // namespace dovetail::test
