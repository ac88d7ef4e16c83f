#include <dovetail/config.h>
#include <dovetail/parameters.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>

#include "alignment/change_parameter.h"
#include "end_to_end/program.h"

namespace dovetail::test {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

/// Without the comments at the top, which say where it comes from.
std::string settings(const std::string& config) {
  return config.substr(config.find("\n["));
}

class ConfigProgram : public testing::Test {
 protected:
  [[nodiscard]] std::string at(const std::string& name) const { return (here / name).string(); }
  [[nodiscard]] std::string error(const std::string& config) const {
    here.write("bad.toml", config);
    const Outcome run = dovetail({"config", "--from", at("bad.toml")});
    EXPECT_EQ(run.code, 2);
    return run.err.substr(std::min(run.err.size(), std::string("dovetail: ").size() + at("").size()));
  }

  Workspace here;
};

TEST_F(ConfigProgram, APrintedPresetIsReadBackAsItIs) {
  std::set<std::string> all;
  for (const Preset& preset : presets()) {
    const Outcome printed = dovetail({"config", "--preset", preset.name});
    ASSERT_EQ(printed.code, 0) << printed.err;
    EXPECT_LE(widest_line(printed.out), 100U);
    here.write("preset.toml", printed.out);
    EXPECT_EQ(settings(dovetail({"config", "--from", at("preset.toml")}).out), settings(printed.out))
        << preset.name;
    all.insert(settings(printed.out));
  }
  EXPECT_EQ(all.size(), presets().size()) << "no two presets are the same";
}

TEST_F(ConfigProgram, EveryKeyIsReadBack) {
  AlignOptions options;
  visit_parameters(options, [](const char*, const char*, auto& value, const char*, const Range& range) {
    change(value, range);
  });
  here.write("changed.toml", config_text(options, "all changed"));
  const Outcome read = dovetail({"config", "--from", at("changed.toml")});
  ASSERT_EQ(read.code, 0) << read.err;
  EXPECT_EQ(settings(read.out), settings(config_text(options, "")));
  const std::string usual = settings(config_text({}, ""));
  visit_parameters(options, [&](const char*, const char* name, const auto&, const char*) {
    const auto line = [&](const std::string& text) {
      const std::size_t begin = text.find("\n" + std::string(name) + " = ");
      EXPECT_NE(begin, std::string::npos) << name;
      return text.substr(begin, text.find('#', begin) - begin);
    };
    EXPECT_NE(line(read.out), line(usual)) << "the test has to change it";
  });
}

TEST_F(ConfigProgram, ARunCanBeRepeatedFromItsRecord) {
  ASSERT_EQ(dovetail({"generate", at("pair"), "-n", "120", "--seed-ratio", "0.3", "-q"}).code, 0);
  here.write("mine.toml", "seed = 7\n[encoder]\ndimension = 24 # small\n[what]\nmode = 'basic'\n");
  const std::vector<std::string> align = {"align", at("pair"), "-q", "--out"};
  const auto run = [&](const std::string& out, const std::vector<std::string>& more) {
    std::vector<std::string> arguments = align;
    arguments.push_back(at(out));
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = dovetail(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return json::parse(content_of(here / (out + "/run.json")))["configuration"];
  };
  const json first = run("first", {"--config", at("mine.toml"), "--epochs", "3"});
  EXPECT_EQ(first["what"]["seed"], 7);
  EXPECT_EQ(first["what"]["mode"], "basic");
  EXPECT_EQ(first["encoder"]["dimension"], 24);
  EXPECT_EQ(first["training"]["epochs"], 3);
  const json second = run("second", {"--config", at("first/run.json")});
  EXPECT_EQ(second, first);
  EXPECT_EQ(content_of(here / "first/links.tsv"), content_of(here / "second/links.tsv"));
  // The command line counts more, wherever it stands; a file counts more than --paper.
  EXPECT_EQ(run("third", {"--dimension", "16", "--config", at("mine.toml")})["encoder"]["dimension"], 16);
  const json paper = run("fourth", {"--config", at("mine.toml"), "--paper", "--epochs", "2"});
  EXPECT_EQ(paper["encoder"]["dimension"], 24);
  EXPECT_EQ(paper["training"]["tie-seeds"], false);
}

TEST_F(ConfigProgram, WhatIsWrongIsNamedWithItsLine) {
  EXPECT_THAT(error("[encoder]\ndimenson = 5\n"),
              StartsWith("bad.toml:2: \"dimenson\" is no parameter; did you mean dimension?"));
  EXPECT_THAT(error("[encoder]\ndepth = 2\nvelocity = 5\n"),
              StartsWith("bad.toml:3: \"velocity\" is no parameter; expected one of mode, strategy"));
  EXPECT_THAT(error("# x\n\n[what]\nmode = \"fast\"\n"),
              StartsWith("bad.toml:4: mode is \"fast\"; expected auto, basic, semi, names"));
  EXPECT_THAT(error("epochs = -1"),
              StartsWith("bad.toml:1: epochs is \"-1\"; expected a whole number from 1 to"));
  // Each at its own line, though the name of one begins like the other's.
  EXPECT_THAT(error("epochs-per-sample = 2\nbatch-size = 3\nepochs = 0\n"),
              StartsWith("bad.toml:3: epochs is"));
  EXPECT_THAT(error("dropout = 0.1\n\n'epsilon' = inf\n"),
              StartsWith("bad.toml:3: epsilon is \"inf\"; expected a number from 0 to 2"));
  EXPECT_THAT(error("{\"data\": 1}"), HasSubstr("found another record"));
  EXPECT_EQ(dovetail({"config", "--preset", "slow"}).code, 2);
}

TEST_F(ConfigProgram, ValuesOfAnotherTypeAreNamedWithTheirLine) {
  EXPECT_THAT(error("tau = [1, 2]"), StartsWith("bad.toml:1: tau is an array; expected a number from 0.001"));
  EXPECT_THAT(error("\nepochs = \"6\""),
              StartsWith("bad.toml:2: epochs is the text \"6\"; expected a whole number"));
  EXPECT_THAT(error("epochs = 6.0"), StartsWith("bad.toml:1: epochs is \"6.0\"; expected a whole number"));
  EXPECT_THAT(error("dropout = true"), StartsWith("bad.toml:1: dropout is true; expected a number"));
  EXPECT_THAT(error("mode = 3"), StartsWith("bad.toml:1: mode is 3; expected a text in quotes"));
  EXPECT_THAT(error("calibrate = \"yes\""),
              StartsWith("bad.toml:1: calibrate is the text \"yes\"; expected true or false"));
  EXPECT_THAT(error("seed = 1979-05-27"),
              StartsWith("bad.toml:1: seed is a date or time; expected a whole number"));
  EXPECT_THAT(error("[encoder]\ndepth = {a = 1}"), StartsWith("bad.toml:2: depth is a table"));
  EXPECT_THAT(error("memory = \"8 apples\""),
              StartsWith("bad.toml:1: memory is \"8 apples\"; expected a size from 0 to 1024T"));
}

TEST_F(ConfigProgram, WhatIsNoTomlOrIsThereTwiceIsNamedWithItsLine) {
  EXPECT_THAT(error("words\n"), AllOf(StartsWith("bad.toml:1: "), HasSubstr("expected TOML")));
  EXPECT_THAT(error("[loss]\ncalibrate = perhaps"),
              AllOf(StartsWith("bad.toml:2: "), HasSubstr("expected TOML")));
  EXPECT_THAT(error("[encoder]\ndepth = 2\ndepth = 3\n"),
              AllOf(StartsWith("bad.toml:3: "), HasSubstr("depth")));
  EXPECT_THAT(error("depth = 2\n[encoder]\ndepth = 3\n"),
              StartsWith("bad.toml:3: depth is set in line 1 already"));
  EXPECT_THAT(error("seed = 1\n[encodr]\ndepth = 2\n"),
              StartsWith("bad.toml:2: \"encodr\" is no section; did you mean encoder?"));
  EXPECT_THAT(error("[colours]\nred = 2\n"),
              StartsWith("bad.toml:1: \"colours\" is no section; expected one of what, encoder"));
  EXPECT_THAT(error("dept = 3\n[colours]\nred = 2\n"), StartsWith("bad.toml:1: \"dept\""))
      << "the first mistake comes first";
  for (const std::string& text : {std::string("dropout = 0.1\nepochs = 7 8\n"), std::string("[encoder\n")}) {
    EXPECT_EQ(std::ranges::count(error(text), '\n'), 1) << text;
  }
}

TEST_F(ConfigProgram, SizesAndSeedsOfEveryKindAreRead) {
  here.write("good.toml",
             "memory = \"8GB\"\ndimension = \"auto\"\nseed = \"18446744073709551615\"\ntau = 2\n");
  const Outcome read = dovetail({"config", "--from", at("good.toml")});
  ASSERT_EQ(read.code, 0) << read.err;
  EXPECT_THAT(read.out, AllOf(HasSubstr("memory = 8000000000 "), HasSubstr("dimension = 0 "),
                              HasSubstr("seed = \"18446744073709551615\"")));
}

TEST_F(ConfigProgram, ThePageOfParametersIsCurrent) {
  EXPECT_EQ(dovetail({"config", "--markdown"}).out, content_of(DOVETAIL_SOURCE "/docs/parameters.md"))
      << "make it again: build/dovetail config --markdown > docs/parameters.md";
}

}  // namespace
}  // namespace dovetail::test
