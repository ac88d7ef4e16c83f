// What the program says of input that it cannot work with, or can only read once.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <sys/stat.h>
#include <thread>

#include "end_to_end/program.h"

namespace dovetail::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class DamagedInput : public testing::Test {
 protected:
  DamagedInput() {
    here_.write("left.nt", "<http://x/a> <http://x/p> <http://x/b> .\n_:n <http://x/p> <http://x/b> .\n");
    here_.write("right.nt", "<http://y/a> <http://y/p> <http://y/b> .\n_:n <http://y/p> <http://y/b> .\n");
    here_.write("seeds.tsv", "http://x/a\thttp://y/a\n");
  }
  [[nodiscard]] std::string at(const std::string& name) const { return (here_ / name).string(); }
  [[nodiscard]] Outcome align(const std::string& left, std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments = {"align", at(left), at("right.nt"), "-o", at("run")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return dovetail(arguments);
  }
  Workspace here_;
};

TEST_F(DamagedInput, AGraphWithoutEntitiesIsNamed) {
  here_.write("empty.nt", "# nothing\n");
  const Outcome outcome = align("empty.nt");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err,
              AllOf(HasSubstr("empty.nt: the left graph has no entities"), Not(HasSubstr("diverged"))));
}

TEST_F(DamagedInput, ARunThatWouldTrainOnNothingSaysSo) {
  here_.write("cyrillic.tsv", "\xD0\x96\tp\t\xD0\x94\n");
  here_.write("right.nt", "aa\tq\tbb\n");
  const Outcome outcome = align("cyrillic.tsv", {"--mode", "names", "--format", "tsv"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("nothing to train on"), Not(HasSubstr("diverged"))));
}

TEST_F(DamagedInput, TestLinksThatAreTheSeedsAreReported) {
  const Outcome outcome = align("left.nt", {"--links", at("seeds.tsv"), "--test-links", at("seeds.tsv")});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.err, HasSubstr("1 of 1 link is given as a seed"));
}

TEST_F(DamagedInput, LinksThatShareNothingWithTheGoldOnesAreNotEvaluated) {
  here_.write("other.tsv", "http://z/a\thttp://z/b\n");
  Outcome outcome = dovetail({"evaluate", at("other.tsv"), "--gold", at("seeds.tsv")});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("found no entity that is also in"));
  here_.write("swapped.tsv", "http://y/a\thttp://x/a\n");
  outcome = dovetail({"evaluate", at("swapped.tsv"), "--gold", at("seeds.tsv")});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("swap the columns"));
  here_.write("wrong.tsv", "http://x/a\thttp://y/b\n");
  EXPECT_EQ(dovetail({"evaluate", at("wrong.tsv"), "--gold", at("seeds.tsv")}).code, 0)
      << "wrong, but comparable";
}

TEST_F(DamagedInput, AFileNameThatIsNotUtf8IsReadAgain) {
  const std::string name = "x\xFF.nt";
  here_.write(name, content_of(here_ / "left.nt"));
  ASSERT_EQ(align(name, {"--links", at("seeds.tsv")}).code, 0);
  EXPECT_EQ(dovetail({"report", at("run")}).code, 0);
  const Outcome merged = dovetail({"merge", at("run"), "--to", "ntriples"});
  EXPECT_EQ(merged.code, 0);
  EXPECT_THAT(merged.out, HasSubstr("/x%FF.nt>"));
  here_.write(name, "bad\n");
  EXPECT_THAT(dovetail({"inspect", at(name), at("right.nt")}).err, HasSubstr("x\\xFF.nt:1: "));
}

TEST_F(DamagedInput, APipeIsReadOnceAndNeverWaitedFor) {
  const auto pipe = here_ / "pipe.nt";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(pipe) << content_of(here_ / "left.nt"); });
  const Outcome first = align("pipe.nt", {"--links", at("seeds.tsv")});
  writer.join();
  ASSERT_EQ(first.code, 0) << first.err;
  EXPECT_THAT(first.err, HasSubstr("can be read only once"));
  const std::vector<std::vector<std::string>> commands = {{"report", at("run")},
                                                          {"merge", at("run"), "--to", "ntriples"},
                                                          {"update", at("run"), "--links", at("seeds.tsv")}};
  for (const auto& command : commands) {
    const Outcome outcome = dovetail(command);
    EXPECT_EQ(outcome.code, 2) << command[0];
    EXPECT_THAT(outcome.err, HasSubstr("cannot be read a second time")) << command[0];
  }
}

TEST_F(DamagedInput, BlankNodesOfTheTwoFilesStayApartInExports) {
  ASSERT_EQ(align("left.nt", {"--links", at("seeds.tsv")}).code, 0);
  here_.write("run/links.tsv", "left\tright\tscore\tmargin\tconfidence\n_:n\t_:n\t1\t1\t1\n");
  for (const std::string format : {"sameas", "sssom", "alignment-api"}) {
    const Outcome outcome = dovetail({"export", at("run"), "--to", format});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("left_n"), HasSubstr("right_n"))) << format;
  }
  EXPECT_THAT(dovetail({"export", at("run"), "--to", "tsv"}).out, HasSubstr("_:n\t_:n\t1"));
}

}  // namespace
}  // namespace dovetail::test
