// Every option of every verb that takes a number, with numbers and with what is none.
#include <dovetail/parameters.h>

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "common/sanitized.h"
#include "end_to_end/program.h"

namespace dovetail::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// An option as its manual page describes it.
struct NumberOption {
  std::string verb;  ///< empty: of every verb
  std::string name;
  std::string type;
  std::string range;  ///< as written there
  std::string least, most;
  bool open = false;  ///< `most` is excluded
};

std::string without_commas(std::string text) {
  std::erase(text, ',');
  return text;
}

/// Without roff's commands.
std::string plain(const std::string& text) {
  return std::regex_replace(std::regex_replace(text, std::regex(R"(\\f[BIR])"), ""), std::regex(R"(\\-)"),
                            "-");
}

std::vector<NumberOption> options_of(const std::string& verb, const std::string& page) {
  static const std::set<std::string> kNumberTypes = {"N",    "NUMBER", "SHARE",  "TIME",
                                                     "SIZE", "1..5",   "N,N,..."};
  static const std::regex kEntry(R"(^(?:-[a-z], )?(--[a-z-]+) (\S+)$)"), kRange(R"(^Range: (.*)\.$)");
  static const std::regex kEnds(R"(^(\S+) to (below )?(\S+?)(?:, or .*)?$)");
  std::vector<NumberOption> options;
  std::istringstream lines(page);
  std::optional<NumberOption> option;
  for (std::string line; std::getline(lines, line);) {
    std::smatch found;
    line = plain(line);
    if (std::regex_match(line, found, kEntry)) {
      option = {.verb = verb, .name = found[1], .type = found[2], .range = "", .least = "", .most = ""};
      if (kNumberTypes.contains(option->type)) options.push_back(*option);
    } else if (option && std::regex_match(line, found, kRange)) {
      EXPECT_FALSE(options.empty());
      NumberOption& described = options.back();
      EXPECT_EQ(described.name, option->name) << "has a range, so it takes a number";
      const std::string range = described.range = found[1];
      if (!std::regex_match(range, found, kEnds)) ADD_FAILURE() << range;
      described.least = without_commas(found[1]);
      described.open = found[2].matched;
      described.most = without_commas(found[3]);
    }
  }
  return options;
}

class NumberOptions : public testing::Test {
 protected:
  NumberOptions() {
    EXPECT_EQ(dovetail({"manual", at("manual")}).code, 0);
    here.write("file", "no folder");
    for (const auto& entry : std::filesystem::directory_iterator(here / "manual/man/man1")) {
      const std::string name = entry.path().stem().string();
      const std::string verb = name == "dovetail" ? "" : name.substr(name.find('-') + 1);
      const auto found = options_of(verb, content_of(entry.path()));
      options.insert(options.end(), found.begin(), found.end());
    }
    // The program's own are on the pages of all verbs, and tried once.
    std::erase_if(options, [all = options](const NumberOption& option) {
      return !option.verb.empty() && std::ranges::any_of(all, [&](const NumberOption& other) {
        return other.verb.empty() && other.name == option.name;
      });
    });
  }

  [[nodiscard]] std::string at(const std::string& name) const { return (here / name).string(); }

  /// A command of the verb that fails at once where its options are right, for its input or its target is not
  /// there.
  [[nodiscard]] std::vector<std::string> command(const std::string& verb) const {
    const std::string missing = at("nowhere"), out = at("out");
    const std::map<std::string, std::vector<std::string>> commands = {
        {"", {"inspect", missing}},
        {"inspect", {"inspect", missing}},
        {"align", {"align", missing, "-o", out}},
        {"convert", {"convert", missing, out, "--to", "openea"}},
        {"export", {"export", missing, "--to", "tsv"}},
        {"merge", {"merge", missing, "--to", "ntriples"}},
        {"review", {"review", missing}},
        {"study", {"study", "vary", missing, "-o", out}},
        {"generate", {"generate", at("file/below"), "-q"}},
    };
    const auto found = commands.find(verb);
    if (found == commands.end()) ADD_FAILURE() << verb << " has a number now: tell this test how to call it";
    return found == commands.end() ? std::vector<std::string>{} : found->second;
  }

  /// Whether the program takes the value, with its message in any case.
  [[nodiscard]] std::pair<bool, std::string> take(const NumberOption& option,
                                                  const std::string& value) const {
    std::vector<std::string> arguments = command(option.verb);
    arguments.insert(arguments.end(), {option.name, value});
    const Outcome run = dovetail(arguments);
    EXPECT_EQ(run.code, 2) << option.verb << " " << option.name << " " << value << run.err;
    EXPECT_EQ(std::ranges::count(run.err, '\n'), 1) << run.err;
    EXPECT_THAT(run.err, Not(HasSubstr("internal error")));
    EXPECT_LT(run.err.size(), 200U) << "a message for people: " << run.err;
    const bool refused = run.err.find(option.name + " is \"" + value + "\"; expected ") != std::string::npos;
    if (refused) {
      EXPECT_THAT(run.err, HasSubstr(option.range)) << option.verb;
    }
    return {!refused, run.err};
  }

  Workspace here;
  std::vector<NumberOption> options;
};

TEST_F(NumberOptions, AllHaveARange) {
  EXPECT_GT(options.size(), 60U);
  for (const NumberOption& option : options)
    EXPECT_THAT(option.range, Not(IsEmpty())) << option.verb << " " << option.name;
  const auto verbs = [&](const std::string& name) {
    std::set<std::string> found;
    for (const NumberOption& option : options) {
      if (option.name == name) found.insert(option.verb);
    }
    return found;
  };
  EXPECT_EQ(verbs("--threads"), std::set<std::string>{""});
  EXPECT_EQ(verbs("--fold"), (std::set<std::string>{"align", "convert", "inspect", "study"}));
  EXPECT_EQ(verbs("--checkpoint-every"), std::set<std::string>{"align"});
}

TEST_F(NumberOptions, TakeWhatIsInTheirRangeAndNothingElse) {
  constexpr const char* kTwoToThe64 = "18446744073709551616";
  constexpr const char* kTwoToThe63 = "9223372036854775807";  // less one
  for (const NumberOption& option : options) {
    const double most = std::stod(option.most);
    for (const std::string value :
         {"", "nan", "inf", "-inf", "1e999", "0x10", "1s", "-1", kTwoToThe64, kTwoToThe63}) {
      const bool expected = (value == "1s" && option.type == "TIME") ||
                            (value == kTwoToThe63 && most >= 0x1p63) ||
                            (value == kTwoToThe64 && most > 0x1p64);
      const auto [taken, message] = take(option, value);
      EXPECT_EQ(taken, expected) << option.verb << " " << option.name << " \"" << value << "\": " << message;
    }
    const auto [least_taken, least_message] = take(option, option.least);
    EXPECT_TRUE(least_taken) << least_message;
    const auto [most_taken, most_message] = take(option, option.most);
    EXPECT_EQ(most_taken, !option.open) << most_message;
  }
  EXPECT_EQ(here.files(), (std::set<std::string>{"file", "manual"}));
}

TEST_F(NumberOptions, AreTheSameInTheManualAndOnThePageOfParameters) {
  const std::string page = content_of(DOVETAIL_SOURCE "/docs/parameters.md");
  AlignOptions defaults;
  visit_parameters(defaults,
                   [&](const char*, const char* name, const auto& value, const char*, const Range&) {
                     using Value = std::decay_t<decltype(value)>;
                     if constexpr (kIsNumber<Value> || std::is_same_v<Value, Bytes>) {
                       const auto option = std::ranges::find_if(options, [&](const NumberOption& one) {
                         return one.verb == "align" && one.name == std::string("--") + name;
                       });
                       ASSERT_NE(option, options.end()) << name;
                       EXPECT_THAT(page, HasSubstr(" | " + option->range + " | ")) << name;
                     }
                   });
}

TEST_F(NumberOptions, DurationsAndSizesHaveUnits) {
  const auto taken = [&](const char* name, const std::string& value) {
    const auto option = std::ranges::find(options, name, &NumberOption::name);
    return option != options.end() && take(*option, value).first;
  };
  for (const char* value : {"0", "90", "90s", "0.5s", "5m", "2h"})
    EXPECT_TRUE(taken("--checkpoint-every", value)) << value;
  for (const char* value : {"5 m", "m", "5d", "8761h"})
    EXPECT_FALSE(taken("--checkpoint-every", value)) << value;
  for (const char* value : {"0", "8G", "8GB", "8GiB", "1.5T"}) EXPECT_TRUE(taken("--memory", value)) << value;
  for (const char* value : {"8", "G", "8g"})
    EXPECT_EQ(taken("--memory", value), value == std::string("8")) << value;
}

TEST_F(NumberOptions, ColumnsAreDifferentOnes) {
  const std::string graph = here.write("g.tsv", "h\tr\tt\na\tp\tb\n").string();
  for (const char* columns : {"1,1,1", "1,2", "1,2,3,4", "1,,3"}) {
    const Outcome run = dovetail({"inspect", graph, graph, "--columns", columns});
    EXPECT_EQ(run.code, 2) << columns;
    EXPECT_THAT(run.err, HasSubstr(std::string("--columns is \"") + columns +
                                   "\"; expected the names or numbers of 3"));
  }
  EXPECT_THAT(dovetail({"inspect", graph, graph, "--columns", "h,1,t", "--header", "yes"}).err,
              HasSubstr("g.tsv:1: column 1 was chosen twice; expected 3 different ones"));
  EXPECT_THAT(dovetail({"inspect", "nowhere", "--links-columns", "1,1"}).err,
              HasSubstr("--links-columns is \"1,1\""));
  EXPECT_EQ(dovetail({"inspect", graph, graph, "--columns", "3,r,1"}).code, 0);
}

/// What takes as long as it says.
const std::set<std::string> kLong = {"epochs", "restart-steps", "turns", "turn-epochs",
                                     "sinkhorn-iterations"};

TEST_F(NumberOptions, RunsAtTheEndsOfTheirRangesCanBeOpenedAgain) {
  if (kSanitized) GTEST_SKIP() << "hundreds of runs";
  ASSERT_EQ(dovetail({"generate", at("pair"), "-n", "40", "--seed-ratio", "0.3", "-q"}).code, 0);
  const auto try_at = [&](const std::string& name, const std::string& value) {
    const std::string out = at("run");
    std::vector<std::string> arguments = {"align",  at("pair"), "-o",      out,  "-q", "--no-report",
                                          "--mode", "semi",     "--force", name, value};
    if (name != "--epochs") arguments.insert(arguments.end(), {"--epochs", "2"});
    const Outcome run = dovetail(arguments);
    EXPECT_TRUE(run.code == 0 || run.code == 2) << name << " " << value << run.err;
    EXPECT_THAT(run.err, Not(HasSubstr("internal error"))) << name << " " << value;
    if (run.code != 0) return;
    EXPECT_EQ(dovetail({"export", out, "--to", "tsv"}).code, 0) << name << " " << value;
    EXPECT_EQ(dovetail({"config", "--from", out + "/run.json"}).code, 0) << name << " " << value;
  };
  for (const NumberOption& option : options) {
    if (option.verb != "align") continue;
    try_at(option.name, option.least);
    if (!option.open && !kLong.contains(option.name.substr(2))) try_at(option.name, option.most);
  }
}

}  // namespace
}  // namespace dovetail::test
