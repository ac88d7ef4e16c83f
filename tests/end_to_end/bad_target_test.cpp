#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <sys/mount.h>

#include "end_to_end/program.h"

namespace dovetail::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

class BadTarget : public testing::Test {
 protected:
  BadTarget() {
    here.write("left.nt", "<http://l/a> <http://l/p> <http://l/b> .\n");
    here.write("right.nt", "<http://r/a> <http://r/p> <http://r/b> .\n");
    here.write("links.tsv", "http://l/a\thttp://r/a\n");
  }
  [[nodiscard]] std::string at(const std::string& name) const { return (here / name).string(); }

  /// The message of a run that must fail and change nothing.
  std::string refusal(const std::vector<std::string>& arguments) {
    const auto before = here.files();
    const auto content = tree_of(here.path());
    const Outcome run = dovetail(arguments);
    EXPECT_EQ(run.code, 2) << run.err;
    EXPECT_THAT(run.out, IsEmpty());
    EXPECT_EQ(here.files(), before);
    EXPECT_EQ(tree_of(here.path()), content);
    return run.err;
  }
  std::string convert_graph(const std::string& target) {
    return refusal({"convert", at("left.nt"), target, "--to", "turtle"});
  }
  std::string convert_pair(const std::string& target, const std::string& format) {
    return refusal({"convert", at("left.nt"), at("right.nt"), target, "--to", format});
  }
  std::string convert_links(const std::string& target) {
    return refusal({"convert", at("links.tsv"), target, "--to", "sssom"});
  }
  std::string generate(const std::string& target, const std::string& format) {
    return refusal({"generate", target, "--entities", "200", "--to", format});
  }
  Workspace here;
};

TEST_F(BadTarget, BelowAFileCannotBeWritten) {
  const std::string target = at("left.nt/out");
  EXPECT_THAT(convert_graph(target), HasSubstr("left.nt/out: cannot write: Not a directory"));
  EXPECT_THAT(convert_links(target), HasSubstr("cannot write: Not a directory"));
  for (const std::string format : {"dbp15k", "openea", "ntriples", "turtle", "rdfxml", "csv"}) {
    EXPECT_THAT(convert_pair(target, format), HasSubstr("cannot write: Not a directory"));
    EXPECT_THAT(generate(target, format), HasSubstr("cannot write: Not a directory"));
  }
}

TEST_F(BadTarget, InNoFolderCannotBeWritten) {
  EXPECT_THAT(convert_graph(at("none/out.ttl")), HasSubstr("cannot write: No such file or directory"));
  EXPECT_THAT(convert_pair(at("none/out"), "dbp15k"), HasSubstr("cannot write: No such file or directory"));
  EXPECT_THAT(generate("/proc/out", "dbp15k"), HasSubstr("/proc/out: cannot write: "));
}

TEST_F(BadTarget, ThatExistsIsKeptWithoutForce) {
  here.write("old.ttl", "old");
  here.folder("old", {{"left.nt", "old"}});
  EXPECT_THAT(convert_graph(at("old.ttl")), HasSubstr("old.ttl: the file exists already"));
  EXPECT_THAT(convert_links(at("old.ttl")), HasSubstr("--force"));
  EXPECT_THAT(convert_pair(at("old"), "openea"), HasSubstr("something is there already"));
  EXPECT_THAT(generate(at("old"), "openea"), HasSubstr("something is there already"));
  EXPECT_THAT(convert_graph(at("old")), HasSubstr("this is a folder"));
}

TEST_F(BadTarget, IsLookedAtBeforeTheInput) {
  here.write("old.ttl", "old");
  EXPECT_THAT(refusal({"convert", at("none.nt"), at("old.ttl"), "--to", "turtle"}),
              HasSubstr("old.ttl: the file exists"));
}

TEST_F(BadTarget, ThatHoldsSomethingElseIsKeptEvenWithForce) {
  here.folder("home", {{"thesis.tex", "years of work"}});
  EXPECT_THAT(refusal({"generate", at("home"), "--force", "--entities", "200"}), HasSubstr("thesis.tex"));
}

TEST_F(BadTarget, IsReplacedWithForceAsFarAsDovetailWroteIt) {
  here.write("old.ttl", "old");
  ASSERT_EQ(dovetail({"generate", at("old"), "--entities", "200"}).code, 0);
  here.write("old/extra", "old");
  EXPECT_EQ(dovetail({"convert", at("left.nt"), at("old.ttl"), "--to", "turtle", "--force"}).code, 0);
  EXPECT_NE(content_of(here / "old.ttl"), "old");
  EXPECT_EQ(dovetail({"generate", at("old"), "--entities", "200", "--to", "dbp15k", "--force"}).code, 0);
  EXPECT_EQ(content_of(here / "old/extra"), "old");
  EXPECT_FALSE(std::filesystem::exists(here / "old/left.nt"));
  EXPECT_TRUE(std::filesystem::exists(here / "old/triples_1"));
  EXPECT_EQ(here.files(), (std::set<std::string>{"left.nt", "right.nt", "links.tsv", "old", "old.ttl"}));
}

TEST_F(BadTarget, FullDeviceIsNoticed) {
  for (const std::string format : {"ntriples", "turtle", "rdfxml", "tsv", "csv"}) {
    EXPECT_THAT(refusal({"convert", at("left.nt"), "/dev/full", "--to", format}),
                HasSubstr("/dev/full: cannot write: No space left on device"));
  }
  for (const std::string format : {"links-tsv", "links-csv", "sameas", "sssom", "alignment-api"}) {
    EXPECT_THAT(refusal({"convert", at("links.tsv"), "/dev/full", "--to", format}),
                HasSubstr("No space left on device"));
  }
}

TEST_F(BadTarget, FullStandardOutputIsNoticed) {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"inspect", at("left.nt"), at("right.nt")},
        {"inspect", at("left.nt"), at("right.nt"), "--json"},
        {"--help"}}) {
    const Outcome run = dovetail(arguments, "/dev/full");
    EXPECT_EQ(run.code, 2);
    EXPECT_THAT(run.err, HasSubstr("standard output: cannot write: No space left on device"));
  }
}

TEST_F(BadTarget, FullDiskLeavesNothing) {
  const auto disk = here / "disk";
  std::filesystem::create_directory(disk);
  if (mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=256k") != 0)
    GTEST_SKIP() << "no small file system can be mounted here";
  std::vector<Outcome> runs;
  for (const std::string format : {"dbp15k", "openea", "ntriples", "turtle", "rdfxml", "csv"}) {
    runs.push_back(dovetail({"generate", (disk / "pair").string(), "--entities", "3000", "--to", format}));
    EXPECT_TRUE(std::filesystem::is_empty(disk)) << format;
  }
  EXPECT_EQ(dovetail({"generate", at("pair"), "--entities", "3000"}).code, 0);
  for (const std::string extension : {"", ".gz", ".bz2", ".xz", ".zst"}) {
    // Compressed, a single file fits only if it is packed well; the small disk is filled up first.
    std::ofstream(disk / "filler") << std::string(240 << 10, 'x');
    runs.push_back(dovetail(
        {"convert", at("pair/left.nt"), (disk / ("a.nt" + extension)).string(), "--to", "ntriples"}));
    std::filesystem::remove(disk / "filler");
    EXPECT_TRUE(std::filesystem::is_empty(disk)) << extension;
  }
  umount(disk.c_str());
  for (const Outcome& run : runs) {
    EXPECT_EQ(run.code, 2) << run.err;
    EXPECT_THAT(run.err, HasSubstr("cannot write: No space left on device; nothing was left behind"));
    EXPECT_THAT(run.out, IsEmpty());
  }
}

}  // namespace
}  // namespace dovetail::test
