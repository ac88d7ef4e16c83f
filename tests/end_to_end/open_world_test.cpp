#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <sstream>
#include <string>

#include "end_to_end/program.h"

// Pairs of any two sizes, with little or nothing in common, with and without names: what is there is found,
// and nothing is claimed that cannot be known.

namespace dovetail::test {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kLabel = "<http://www.w3.org/2000/01/rdf-schema#label>";

class OpenWorld : public testing::Test {
 protected:
  [[nodiscard]] std::string at(const std::string& name) const { return (here / name).string(); }

  /// Names that differ from one another.
  static std::string name(std::size_t n) {
    static const std::vector<std::string> words = {"amber", "basil", "cedar", "dune",  "ember",
                                                   "fjord", "grove", "heath", "islet", "jasper",
                                                   "knoll", "larch", "mesa",  "north"};
    return words[n % 14] + " " + words[n / 14 % 14] + " " + words[(n * 5 + n / 196) % 14] + "field";
  }
  /// Entities numbered from `first`, with names; both sides may have them under identifiers of their own.
  [[nodiscard]] std::string labels(const std::string& side, std::size_t first, std::size_t count) const {
    std::string text;
    for (std::size_t n = first; n < first + count; ++n) {
      text += fmt::format("<http://{}/{:08x}> {} \"{}\" .\n", side, identifier(side, n), kLabel, name(n));
    }
    return text;
  }
  static std::uint32_t identifier(const std::string& side, std::size_t n) {
    return static_cast<std::uint32_t>((n + 1) * (side == "left" ? 2654435761U : 2246822519U));
  }
  Outcome align(const std::string& left, const std::string& right, std::vector<std::string> words = {}) {
    here.write("left.nt", left);
    here.write("right.nt", right);
    words.insert(words.begin(),
                 {"align", at("left.nt"), at("right.nt"), "-o", at("out"), "--force", "--no-report"});
    return dovetail(words);
  }
  struct FoundLink {
    std::string left, right;
    double confidence;
  };
  [[nodiscard]] std::vector<FoundLink> links() const {
    std::vector<FoundLink> found;
    std::istringstream lines(content_of(here / "out/links.tsv"));
    std::string line;
    std::getline(lines, line);
    while (std::getline(lines, line)) {
      std::istringstream fields(line);
      FoundLink link{};
      double score = 0, margin = 0;
      fields >> link.left >> link.right >> score >> margin >> link.confidence;
      found.push_back(link);
    }
    return found;
  }
  /// How many links join entities of one number.
  [[nodiscard]] std::size_t right_links(std::size_t most) const {
    std::set<std::pair<std::string, std::string>> gold;
    for (std::size_t n = 0; n < most; ++n) {
      gold.emplace(fmt::format("http://left/{:08x}", identifier("left", n)),
                   fmt::format("http://right/{:08x}", identifier("right", n)));
    }
    std::size_t right = 0;
    for (const FoundLink& link : links()) right += gold.contains({link.left, link.right}) ? 1 : 0;
    return right;
  }
  [[nodiscard]] json record() const { return json::parse(content_of(here / "out/run.json")); }
  Workspace here;
};

TEST_F(OpenWorld, FewAgainstManyAreFoundFromEitherSide) {
  for (const std::size_t few : {2U, 6U}) {
    for (const std::size_t many : {40U, 400U}) {
      SCOPED_TRACE(fmt::format("{} against {}", few, many));
      Outcome run = align(labels("left", 7, few), labels("right", 0, many));
      ASSERT_EQ(run.code, 0) << run.err;
      EXPECT_EQ(right_links(many), few);
      EXPECT_EQ(links().size(), few);
      run = align(labels("left", 0, many), labels("right", 7, few));
      ASSERT_EQ(run.code, 0) << run.err;
      EXPECT_EQ(right_links(many), few);
      EXPECT_EQ(links().size(), few);
    }
  }
}

/// A few rows of a table against all of them, or many others: exact copies are found, and nothing else is
/// claimed.
TEST_F(OpenWorld, FewRowsOfATableAreFoundAmongMany) {
  const auto table = [](std::size_t first, std::size_t count) {
    std::string text = "id,name,place,price\n";
    for (std::size_t n = first; n < first + count; ++n) {
      text += fmt::format("{},{},{} street {},{}.5\n", n, name(n), name(n * 3 + 1), n % 90, 10 + n * 7 % 500);
    }
    return text;
  };
  for (const std::size_t few : {2U, 6U}) {
    for (const std::size_t many : {40U, 2000U}) {
      SCOPED_TRACE(fmt::format("{} against {}", few, many));
      here.write("few.csv", table(11, few));
      here.write("many.csv", table(0, many));
      for (const bool swapped : {false, true}) {
        const Outcome run =
            dovetail({"align", at(swapped ? "many.csv" : "few.csv"), at(swapped ? "few.csv" : "many.csv"),
                      "-o", at("out"), "--force", "--no-report"});
        ASSERT_EQ(run.code, 0) << run.err;
        EXPECT_EQ(links().size(), few);
        for (const FoundLink& link : links()) {
          EXPECT_EQ(link.left, link.right);
          EXPECT_GT(link.confidence, 0.3);
        }
      }
      // Rows that are not there.
      here.write("few.csv", table(5000, few));
      ASSERT_EQ(
          dovetail({"align", at("few.csv"), at("many.csv"), "-o", at("out"), "--force", "--no-report"}).code,
          0);
      double claimed = 0;
      for (const FoundLink& link : links()) claimed += link.confidence;
      EXPECT_LT(claimed, 0.5 * static_cast<double>(few));
    }
  }
}

TEST_F(OpenWorld, IdentifiersThatAreCodesAreNoNames) {
  const auto ring = [](const std::string& side, const std::string& format, std::size_t shift) {
    std::string text;
    for (std::size_t n = 0; n < 60; ++n) {
      for (const std::size_t step : {1U, 7U}) {
        text += fmt::format("<http://{}/{}> <http://{}/r{}> <http://{}/{}> .\n", side,
                            fmt::format(fmt::runtime(format), (n + shift) % 60), side, step, side,
                            fmt::format(fmt::runtime(format), (n * step + step + shift) % 60));
      }
    }
    return text;
  };
  for (const std::string format : {"x{}", "Q{}", "n{:04}", "person_{}", "{:032x}"}) {
    const Outcome run = align(ring("left", format, 0), ring("right", format, 11));
    EXPECT_EQ(run.code, 2) << format;
    EXPECT_THAT(run.err,
                AllOf(HasSubstr("neither names nor values tell entities apart"), HasSubstr("--links")));
    EXPECT_FALSE(std::filesystem::exists(here / "out")) << format;
  }
}

TEST_F(OpenWorld, NamesThatAllEntitiesHaveAreNone) {
  const auto alike = [](const std::string& side) {
    std::string text;
    for (std::size_t n = 0; n < 50; ++n) {
      text += fmt::format("<http://{}/{:08x}> {} \"the same\" .\n", side, identifier(side, n), kLabel);
    }
    return text;
  };
  Outcome run = align(alike("left"), alike("right"));
  EXPECT_EQ(run.code, 2);
  EXPECT_THAT(run.err, HasSubstr("neither names nor values tell entities apart"));
  run = align(alike("left"), alike("right"), {"--mode", "names"});
  EXPECT_EQ(run.code, 2);
  EXPECT_THAT(run.err, HasSubstr("hardly a name belongs to one entity alone"));
}

TEST_F(OpenWorld, TheSameIriOnBothSidesIsASeed) {
  std::string left, right;
  for (std::size_t n = 0; n < 120; ++n) {
    const std::size_t to = (n * n + 3) % 120, other = (n * 7 + 1) % 120;
    const auto entity = [&](const std::string& side, std::size_t e) {
      return e < 40 ? fmt::format("<http://shared/{}>", e)
                    : fmt::format("<http://{}/{:08x}>", side, identifier(side, e));
    };
    for (const auto& [tail, relation] : {std::pair(to, "p"), {other, "q"}}) {
      left += fmt::format("{} <http://left/{}> {} .\n", entity("left", n), relation, entity("left", tail));
      right +=
          fmt::format("{} <http://right/{}> {} .\n", entity("right", n), relation, entity("right", tail));
    }
    left += fmt::format("_:b{} <http://left/p> {} .\n", n, entity("left", n));
    right += fmt::format("_:b{} <http://right/p> {} .\n", n, entity("right", (n + 1) % 120));
  }
  Outcome run = align(left, right);
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.err, HasSubstr("40 entities have the same IRI in both graphs and are taken for seeds"));
  EXPECT_EQ(record()["data"]["links"]["train"], 40) << "blank nodes are never the same";
  EXPECT_GT(right_links(120), 60U);
  // A run that goes on from it loads the same seeds.
  run = dovetail({"update", at("out"), "--links",
                  here.write("more.tsv", "http://shared/3\thttp://shared/4\n").string()});
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(record()["data"]["links"]["train"], 39) << "what files say counts more";
  run = align(left, right, {"--shared-identifiers", "ignore"});
  EXPECT_EQ(run.code, 2);
  EXPECT_THAT(run.err, HasSubstr("there are no seed links"));
}

TEST_F(OpenWorld, RowsOfTablesAreNotTheSameByTheirIds) {
  std::string left = "id,name,year\n", right = "id,name,year\n";
  for (std::size_t n = 0; n < 60; ++n) {
    left += fmt::format("http://x/{},{},{}\n", n, name(n), 1900 + n);
    right += fmt::format("http://x/{},{},{}\n", n, name((n + 13) % 60), 1900 + (n + 13) % 60);
  }
  here.write("left.csv", left);
  here.write("right.csv", right);
  const std::vector<std::string> words = {"align", at("left.csv"), at("right.csv"),
                                          "-o",    at("out"),      "--no-report"};
  Outcome run = dovetail(words);
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(record()["data"]["links"]["train"], 0);
  std::vector<std::string> asked = words;
  asked.insert(asked.end(), {"--force", "--shared-identifiers", "seeds"});
  run = dovetail(asked);
  EXPECT_EQ(run.code, 2);
  EXPECT_THAT(run.err, HasSubstr("rows of tables"));
}

TEST_F(OpenWorld, UnmatchedEntitiesAreExplained) {
  const Outcome run = align(labels("left", 0, 60), labels("right", 20, 80));
  ASSERT_EQ(run.code, 0) << run.err;
  std::istringstream lines(content_of(here / "out/unmatched.tsv"));
  std::set<std::string> sides;
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "side\tentity\tcandidate\tscore\tprobability\treason");
  while (std::getline(lines, line)) {
    std::istringstream fields(line);
    std::string side, entity;
    fields >> side >> entity;
    if (!sides.insert(side).second) continue;
    const Outcome text = dovetail({"explain", at("out"), entity});
    ASSERT_EQ(text.code, 0) << text.err;
    EXPECT_THAT(text.out, AllOf(HasSubstr(side), HasSubstr(entity), HasSubstr("has no link: ")));
    const Outcome parsed = dovetail({"explain", at("out"), entity, "--json"});
    const json found = json::parse(parsed.out);
    EXPECT_EQ(found[side], entity);
    EXPECT_TRUE(found["link"].is_null());
    EXPECT_THAT(line, HasSubstr(found["unmatched"]["reason"].get<std::string>()));
    EXPECT_THAT(line, HasSubstr(found["unmatched"]["candidate"].get<std::string>()));
  }
  EXPECT_EQ(sides, (std::set<std::string>{"left", "right"}));
}

TEST_F(OpenWorld, PrecisionKeepsTheLargestSetThatHasIt) {
  ASSERT_EQ(
      dovetail({"generate", at("pair"), "--entities", "400", "--dangling", "0.3", "--seed-ratio", "0.3"})
          .code,
      0);
  const auto run = [&](std::vector<std::string> words) {
    words.insert(words.begin(),
                 {"align", at("pair/left.nt"), at("pair/right.nt"), "--links", at("pair/train_links.tsv"),
                  "--mode", "semi", "-o", at("out"), "--force", "--no-report"});
    const Outcome done = dovetail(words);
    EXPECT_EQ(done.code, 0) << done.err;
    return done.out;
  };
  run({});
  std::vector<double> all;
  for (const FoundLink& link : links()) all.push_back(link.confidence);
  std::ranges::sort(all, std::greater());
  std::size_t most = 0;
  double sum = 0;
  for (std::size_t n = 0; n < all.size(); ++n) {
    sum += all[n];
    if (sum >= 0.99 * static_cast<double>(n + 1)) most = n + 1;
  }
  ASSERT_GT(most, 0U);
  ASSERT_LT(most, all.size());
  run({"--precision", "0.99"});
  EXPECT_NEAR(static_cast<double>(links().size()), static_cast<double>(most), 2);  // written with four digits
  EXPECT_THAT(run({"--precision", "1"}), HasSubstr("no set of links has an expected precision of 1"));
  EXPECT_TRUE(links().empty());
}

TEST_F(OpenWorld, DuplicatesAreFoundWhereOneEntityMayBeSeveral) {
  ASSERT_EQ(
      dovetail({"generate", at("pair"), "--entities", "500", "--duplicates", "0.2", "--seed-ratio", "0.2"})
          .code,
      0);
  const std::vector<std::string> words = {
      "align", at("pair/left.nt"), at("pair/right.nt"), "--links", at("pair/train_links.tsv"), "--no-report",
      "-o",    at("out")};
  const Outcome refused = dovetail(words);
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, AllOf(HasSubstr("found a second link"), HasSubstr("--cardinality 1:n")));
  std::vector<std::string> several = words;
  several.insert(several.end(), {"--cardinality", "1:n"});
  const Outcome run = dovetail(several);
  ASSERT_EQ(run.code, 0) << run.err;
  std::set<std::string> rights;
  std::multiset<std::string> lefts;
  for (const FoundLink& link : links()) {
    EXPECT_TRUE(rights.insert(link.right).second) << "a right entity is in one link at most";
    lefts.insert(link.left);
  }
  EXPECT_GT(lefts.size(), std::set<std::string>(lefts.begin(), lefts.end()).size());
  const Outcome judged = dovetail(
      {"evaluate", at("out/links.tsv"), "--gold", at("pair/test_links.tsv"), "--complete", "--json"});
  const json figures = json::parse(judged.out)["strict"];
  EXPECT_GT(figures["f1"], 0.85);
  EXPECT_GT(figures["precision"], 0.85);
}

TEST_F(OpenWorld, NothingInCommonIsNoLink) {
  // Both sides have names, but no two are alike.
  std::string left, right;
  for (std::size_t n = 0; n < 80; ++n) {
    left += fmt::format("<http://left/{:08x}> {} \"{}\" .\n", identifier("left", n), kLabel, name(n));
    std::string other;
    for (std::size_t i = 0; i < 8; ++i)
      other += static_cast<char>("qvxyzwkj"[(n * (i + 3) + n / 8 + i * i) % 8]);
    right += fmt::format("<http://right/{:08x}> {} \"{}\" .\n", identifier("right", n), kLabel, other);
  }
  const Outcome run = align(left, right);
  ASSERT_EQ(run.code, 0) << run.err;
  double expected = 0;
  for (const FoundLink& link : links()) expected += link.confidence;
  EXPECT_LT(expected, 5) << "of 80 entities";
}

}  // namespace
}  // namespace dovetail::test
