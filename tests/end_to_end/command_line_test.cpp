#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

#include "end_to_end/program.h"

namespace dovetail::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::MatchesRegex;
using testing::Not;

TEST(CommandLine, TellsItsVersion) {
  const Outcome run = dovetail({"--version"});
  EXPECT_EQ(run.code, 0);
  EXPECT_THAT(run.out, MatchesRegex("dovetail [0-9]+\\.[0-9]+\\.[0-9]+.*\n"));
  EXPECT_THAT(run.err, IsEmpty());
}

TEST(CommandLine, RefusesWhatItDoesNotKnow) {
  const auto error = [](const std::vector<std::string>& arguments) {
    const Outcome run = dovetail(arguments);
    EXPECT_EQ(run.code, 2);
    EXPECT_THAT(run.out, IsEmpty());
    EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
    return run.err;
  };
  EXPECT_THAT(error({}), HasSubstr("see dovetail --help"));
  EXPECT_THAT(error({"allign"}), HasSubstr("\"allign\" is not a verb; did you mean align?"));
  EXPECT_THAT(error({"quantise"}), HasSubstr("\"quantise\" is not a verb; see dovetail --help"));
  EXPECT_THAT(error({"inspect"}), HasSubstr("see dovetail inspect --help"));
  EXPECT_THAT(error({"inspect", "a", "b", "c"}), HasSubstr("see dovetail inspect --help"));
  EXPECT_THAT(error({"inspect", "a", "--jsn"}),
              HasSubstr("\"--jsn\" is not an option of dovetail inspect; did you mean --json?; see"));
  EXPECT_THAT(error({"inspect", "a", "--jsn=1"}), HasSubstr("did you mean --json?"));
  EXPECT_THAT(error({"align", "a", "--dimenson", "3"}), HasSubstr("did you mean --dimension?"));
  EXPECT_THAT(error({"--treads", "2", "align", "a"}), HasSubstr("did you mean --threads?"));
  EXPECT_THAT(error({"help", "alig"}), HasSubstr("did you mean align?"));
  EXPECT_THAT(error({"align", "a", "--preset", "papr"}), HasSubstr("did you mean paper?"));
  EXPECT_THAT(error({"convert", "a", "b"}), HasSubstr("--to"));
  EXPECT_THAT(error({"convert", "a", "b", "--to", "jsonld"}),
              AllOf(HasSubstr("jsonld"), HasSubstr("turtle")));
  EXPECT_THAT(error({"generate", "a", "--to", "sssom"}), HasSubstr("sssom"));
  EXPECT_THAT(error({"inspect", "a", "--format", "dbp15k"}), HasSubstr("dbp15k"));
  EXPECT_THAT(error({"align", "a", "--decoder", "best"}), AllOf(HasSubstr("best"), HasSubstr("sinkhorn")));
  EXPECT_THAT(error({"study", "best", "a", "--out", "b"}), AllOf(HasSubstr("best"), HasSubstr("ablation")));
  EXPECT_THAT(error({"inspect", "a", "--seed-ratio", "1.5"}), HasSubstr("--seed-ratio"));
  EXPECT_THAT(error({"inspect", "a", "--fold", "one"}), HasSubstr("--fold"));
  EXPECT_THAT(error({"generate", "a", "--entities", "-5"}), HasSubstr("--entities"));
  EXPECT_THAT(error({"generate", "a", "--overlap", "2"}), HasSubstr("overlap"));
  EXPECT_THAT(error({"generate", "a", "--entities", "3"}), HasSubstr("entities"));
}

TEST(CommandLine, ExplainsCombinationsThatMakeNoSense) {
  const Workspace here;
  const std::string graph = here.write("g.tsv", "a\tp\tb\n").string();
  const std::string folder =
      here.folder("f", {{"left.tsv", "a\tp\tb\n"}, {"right.tsv", "a\tp\tb\n"}}).string();
  const auto error = [](const std::vector<std::string>& arguments) {
    const Outcome run = dovetail(arguments);
    EXPECT_EQ(run.code, 2);
    return run.err;
  };
  EXPECT_THAT(error({"inspect", graph}), HasSubstr("expected a folder, or two files"));
  EXPECT_THAT(error({"inspect", folder, "--links", graph}), HasSubstr("a folder has its own links"));
  EXPECT_THAT(error({"convert", graph, (here / "o").string(), "--to", "dbp15k"}),
              HasSubstr("expected LEFT RIGHT OUT"));
  EXPECT_THAT(error({"convert", folder, (here / "o").string(), "--to", "sssom"}),
              HasSubstr("expected one file of links"));
  EXPECT_EQ(here.files(), (std::set<std::string>{"g.tsv", "f"}));
}

TEST(CommandLine, IsPlainInAPipe) {
  const Workspace here;
  const std::string pair = (here / "pair").string();
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"generate", pair, "-n", "500"},
                                                    {"inspect", pair},
                                                    {"convert", pair, pair + "2", "--to", "openea"}}) {
    const Outcome run = dovetail(arguments);
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_THAT(run.err, IsEmpty()) << "so short a work reports no progress";
    EXPECT_EQ(run.out.find('\x1b'), std::string::npos);
    EXPECT_EQ(run.out.find('\r'), std::string::npos);
    EXPECT_THAT(run.out, Not(IsEmpty()));
  }
}

TEST(CommandLine, SaysNothingIfQuiet) {
  const Workspace here;
  const std::string pair = (here / "pair").string();
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"generate", pair, "-n", "500", "--quiet"},
        {"convert", pair, pair + "2", "--to", "openea", "-q"}}) {
    const Outcome run = dovetail(arguments);
    EXPECT_EQ(run.code, 0);
    EXPECT_EQ(run.out + run.err, "");
  }
  EXPECT_THAT(dovetail({"--quiet", "inspect", pair}).out, HasSubstr("entities"))
      << "what was asked for is no chatter";
}

}  // namespace
}  // namespace dovetail::test
