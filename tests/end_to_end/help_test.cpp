#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "end_to_end/program.h"

namespace dovetail::test {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string printed(const std::vector<std::string>& arguments) {
  const Outcome run = dovetail(arguments);
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.err, IsEmpty());
  return run.out;
}

std::vector<std::string> verbs() {
  std::vector<std::string> names;
  bool within = false;
  for (const std::string& line : lines_of(printed({"--help"}))) {
    if (line.empty()) within = false;
    if (within && !line.starts_with("   ")) names.push_back(line.substr(2, line.find(' ', 2) - 2));
    if (line == "Verbs:") within = true;
  }
  return names;
}

/// The options and arguments of a help text, each with its description.
std::vector<std::pair<std::string, std::string>> entries(const std::string& help) {
  std::vector<std::pair<std::string, std::string>> found;
  bool within = false;
  for (const std::string& line : lines_of(help)) {
    if (line.empty() || !line.starts_with(' ')) within = false;
    if (std::regex_match(line, std::regex("(Arguments|.*[Oo]ptions.*|The graphs|How .*|Links .*):")))
      within = true;
    if (!within || !line.starts_with(' ')) continue;
    if (line.starts_with("   ")) {
      if (!found.empty()) found.back().second += line.substr(line.find_first_not_of(' ')) + " ";
      continue;
    }
    constexpr std::size_t kColumn = 24;
    const bool beside = line.size() > kColumn && line[kColumn - 1] == ' ' && line[kColumn] != ' ';
    found.emplace_back(line.substr(2, beside ? line.find("  ", 2) - 2 : line.size()),
                       beside ? line.substr(kColumn) + " " : "");
  }
  return found;
}

TEST(Help, EveryVerbFitsATerminalAndBeginsWithUsageAndAnExample) {
  ASSERT_GE(verbs().size(), 14U);
  for (const std::string& verb : verbs()) {
    for (const char* flag : {"--help", "--help-all"}) {
      const std::string help = printed({verb, flag});
      EXPECT_THAT(help, StartsWith("Usage: dovetail " + verb)) << verb;
      EXPECT_LE(widest_line(help), 80U) << help;
      const std::size_t example = help.find("Example");
      ASSERT_NE(example, std::string::npos) << verb;
      EXPECT_LT(example, std::min(help.find("\nArguments:"), help.find("\nOptions:"))) << verb;
      EXPECT_THAT(help.substr(example), ContainsRegex("Examples?:\n  dovetail " + verb));
      for (const std::string& line : lines_of(help))
        EXPECT_FALSE(line.ends_with(' ')) << verb << ": " << line;
    }
    EXPECT_EQ(printed({"help", verb}), printed({verb, "--help"}));
  }
  EXPECT_EQ(printed({"help"}), printed({"--help"}));
  EXPECT_EQ(printed({"version"}), printed({"--version"}));
  EXPECT_LE(widest_line(printed({"--help"})), 80U);
}

TEST(Help, EveryOptionHasAPlainSentence) {
  for (const std::string& verb : verbs()) {
    const auto all = entries(printed({verb, "--help-all"}));
    EXPECT_GE(all.size(), 2U) << verb;
    for (const auto& [name, text] : all) {
      const std::string where = verb + " " + name + ": " + text;
      ASSERT_GE(std::ranges::count(text, ' '), 2) << where << ": a sentence has several words";
      EXPECT_TRUE(std::isupper(static_cast<unsigned char>(text[0])) != 0) << where;
      EXPECT_FALSE(std::regex_search(text, std::regex("^(Of|Whose|Such|Likelier|What|Which)\\b"))) << where;
      EXPECT_FALSE(std::regex_search(text, std::regex("; [a-z0-9]+: "))) << where << ": write 0 = none";
    }
  }
}

TEST(Help, OfAlignIsShortAndTheRestIsGrouped) {
  const std::string help = printed({"align", "--help"});
  EXPECT_LE(lines_of(help).size(), 40U) << help;
  for (const char* option : {"--links", "--output", "--force", "--preset", "--mode", "--pool",
                             "--min-confidence", "--threads", "--quiet", "--json", "--help-all"}) {
    EXPECT_THAT(help, HasSubstr(option));
  }
  const std::string all = printed({"align", "--help-all"});
  for (const char* part : {"More options: encoder:\n", "More options: reading files:\n", "--[no-]calibrate",
                           "--candidates N", "--sinkhorn-iterations"}) {
    EXPECT_THAT(all, HasSubstr(part));
    EXPECT_THAT(help, Not(HasSubstr(part)));
  }
  // Whatever the short help has is in the long one.
  std::set<std::string> names;
  for (const auto& [name, text] : entries(all)) names.insert(name);
  for (const auto& [name, text] : entries(help)) EXPECT_TRUE(names.contains(name)) << name;
}

TEST(Help, OneThingHasOneSpelling) {
  for (const std::string& verb : verbs()) {
    const std::string help = printed({verb, "--help-all"});
    for (const char* old : {"--out ", "--top-k", "YES/NO"}) EXPECT_THAT(help, Not(HasSubstr(old))) << verb;
    if (verb == "help" || verb == "version") continue;
    EXPECT_THAT(help, HasSubstr("-q, --quiet")) << verb;
    if (verb == "review") continue;  // it prints an address, and serves a page there
    EXPECT_THAT(help, HasSubstr("--json")) << verb;
  }
  for (const char* verb : {"align", "update", "study", "export", "merge", "convert", "generate"}) {
    const std::string help = printed({verb, "--help"});
    EXPECT_THAT(help, HasSubstr("-o, --output ")) << verb;
    EXPECT_EQ(help.find("--force") != std::string::npos, std::string(verb) != "study") << verb;
  }
  for (const char* verb : {"align", "update", "study", "inspect", "merge", "convert", "report"}) {
    EXPECT_THAT(printed({verb, "--help"}), HasSubstr("--threads N")) << verb;
  }
  for (const char* verb : {"config", "study"}) {
    for (const char* preset : {"basic", "semi", "names", "paper", "gcn-align", "fast"}) {
      EXPECT_THAT(printed({verb, "--help"}), HasSubstr(std::string("\n  ") + preset + " "));
    }
  }
}

/// The configuration that `align --dry-run` would use.
class OldNames : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(dovetail({"generate", pair, "-n", "60", "--seed-ratio", "0.3", "-q"}).code, 0);
  }
  [[nodiscard]] Outcome plan(std::vector<std::string> options) const {
    std::vector<std::string> arguments = {"align", pair, "--dry-run", "--json", "--mode", "basic"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return dovetail(arguments);
  }

  Workspace here;
  const std::string pair = (here / "pair").string();
};

TEST_F(OldNames, AreUnderstoodWithANote) {
  struct Case {
    std::vector<std::string> before, now;
    std::string note;
  };
  for (const Case& one :
       {Case{{"--top-k", "7"}, {"--candidates", "7"}, "--top-k 7 is now --candidates 7"},
        Case{{"--top-k=7"}, {"--candidates=7"}, "--top-k=7 is now --candidates 7"},
        Case{{"--candidates", "open"}, {"--pool", "open"}, "--candidates open is now --pool open"},
        Case{{"--compare", "no"}, {"--no-compare"}, "--compare no is now --no-compare"},
        Case{{"--compare=false"}, {"--no-compare"}, "--compare=false is now --no-compare"},
        Case{{"--calibrate", "yes"}, {"--calibrate"}, "--calibrate yes is now --calibrate"},
        Case{{"--paper"}, {"--preset", "paper"}, "--paper is now --preset paper"},
        Case{{"--gcn-align"}, {"--preset", "gcn-align"}, "--gcn-align is now"}}) {
    const Outcome before = plan(one.before), now = plan(one.now);
    ASSERT_EQ(now.code, 0) << now.err;
    EXPECT_EQ(before.code, 0) << before.err;
    EXPECT_EQ(before.out, now.out);
    EXPECT_THAT(before.err, HasSubstr("note: " + one.note));
    EXPECT_THAT(now.err, Not(HasSubstr("is now")));
    std::vector<std::string> quiet = one.before;
    quiet.emplace_back("--quiet");
    EXPECT_THAT(plan(quiet).err, IsEmpty());
  }
}

TEST_F(OldNames, FilesOfTheFirstVersionKeepTheirMeaning) {
  here.write("old.toml", "[what]\ncandidates = \"open\"\n[matching]\ntop-k = 7\n");
  here.write("new.toml", "[what]\npool = \"open\"\n[matching]\ncandidates = 7\n");
  const std::string old_text = dovetail({"config", "--from", (here / "old.toml").string(), "--json"}).out;
  EXPECT_EQ(old_text, dovetail({"config", "--from", (here / "new.toml").string(), "--json"}).out);
  EXPECT_THAT(old_text, HasSubstr("\"pool\": \"open\""));
  EXPECT_THAT(old_text, HasSubstr("\"candidates\": \"7\""));
  here.write("run.json", R"({"configuration": {"what": {"candidates": "test"}, "matching": {"top-k": 9}}})");
  const std::string run = dovetail({"config", "--from", (here / "run.json").string(), "--json"}).out;
  EXPECT_THAT(run, HasSubstr("\"pool\": \"test\""));
  EXPECT_THAT(run, HasSubstr("\"candidates\": \"9\""));
  here.write("both.toml", "candidates = 7\ntop-k = 8\n");
  EXPECT_THAT(dovetail({"config", "--from", (here / "both.toml").string()}).err,
              HasSubstr("candidates is set in line 1 already"));
}

}  // namespace
}  // namespace dovetail::test
