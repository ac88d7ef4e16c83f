// Rules beside embeddings, through the program and through the library.
#include <dovetail/run.h>

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

#include "common/random.h"
#include "end_to_end/program.h"

namespace dovetail::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class RulesProgram : public testing::Test {
 protected:
  RulesProgram() {
    EXPECT_EQ(dovetail({"generate", at("pair"), "--entities", "1000", "--seed-ratio", "0.2", "--quiet"}).code,
              0);
  }

  [[nodiscard]] std::string at(const std::string& name) const { return (here / name).string(); }

  json align(const std::string& out, const std::vector<std::string>& more) const {
    std::vector<std::string> arguments = {"align",  at("pair"), "--out",        at(out),
                                          "--mode", "semi",     "--no-compare", "--no-calibrate"};
    const bool trains = std::ranges::find(more, "rules") == more.end();
    if (trains) arguments.insert(arguments.end(), {"--dimension", "32"});
    arguments.insert(arguments.end(), more.begin(), more.end());
    const auto run = dovetail(arguments);
    EXPECT_EQ(run.code, 0) << run.err;
    return json::parse(content_of(here / (out + "/run.json")));
  }

  Workspace here;
};

TEST_F(RulesProgram, TogetherTheyFindMoreThanEachAlone) {
  const auto hits = [&](const std::string& strategy) -> double {
    return align(strategy, {"--strategy", strategy})["evaluation"]["closed"]["hits@1"];
  };
  const double both = hits("best"), rules = hits("rules"), embeddings = hits("restart");
  EXPECT_GT(both, rules);
  EXPECT_GT(both, embeddings);
  EXPECT_GT(rules, 0.3);
  EXPECT_TRUE(exists(here / "best/model.dovetail"));
  EXPECT_FALSE(exists(here / "rules/model.dovetail"));  // nothing was trained
}

TEST_F(RulesProgram, AloneTheyDecideByEvidenceWhateverTheDecoder) {
  ASSERT_EQ(dovetail({"generate", at("pair"), "--entities", "1000", "--seed-ratio", "0.3", "--no-labels",
                      "--quiet", "--force"})
                .code,
            0);
  for (const char* decoder : {"greedy", "csls", "sinkhorn", "assignment", "stable"}) {
    const json record = align(decoder, {"--strategy", "rules", "--decoder", decoder});
    EXPECT_GT(record["decisions"]["test_links"]["precision"], 0.9) << decoder;
    EXPECT_GT(record["decisions"]["test_links"]["recall"], 0.85) << decoder;
  }
}

TEST_F(RulesProgram, EvidenceIsWrittenForEveryEntityInQuestion) {
  const json record = align("out", {});
  std::istringstream lines(content_of(here / "out/evidence.jsonl"));
  std::size_t count = 0, linked = 0, with_reasons = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    const json entity = json::parse(line);
    EXPECT_FALSE(entity["candidates"].empty());
    if (entity["link"].is_null()) continue;
    ++linked;
    EXPECT_LE(entity["link"]["for"].size(), 5U);
    double sum = 0;
    for (const json& reason : entity["link"]["for"]) sum += reason["weight"].get<double>();
    EXPECT_LE(sum, entity["link"]["evidence"].get<double>() + 0.01);
    with_reasons += entity["link"]["for"].empty() ? 0 : 1;
  }
  EXPECT_EQ(count, record["evaluation"]["closed"]["count"]);
  EXPECT_EQ(linked, record["links"]);
  EXPECT_GT(with_reasons, linked / 2);
  EXPECT_THAT(content_of(here / "out/relations.tsv"), HasSubstr("\nhttp://left.example/relation/r"));
  align("none", {"--reasons", "0"});
  EXPECT_FALSE(exists(here / "none/evidence.jsonl"));
}

TEST_F(RulesProgram, ExplainSaysWhy) {
  align("out", {});
  std::istringstream lines(content_of(here / "out/evidence.jsonl"));
  std::string line;
  json entity;
  while (std::getline(lines, line)) {
    entity = json::parse(line);
    if (entity["link"].is_object() && !entity["link"]["for"].empty()) break;
  }
  const std::string left = entity["left"], right = entity["link"]["right"];
  const auto by_left = dovetail({"explain", at("out"), left});
  EXPECT_EQ(by_left.code, 0);
  for (const std::string& part : {left, right, std::string("for the link"), std::string("confidence ")}) {
    EXPECT_THAT(by_left.out, HasSubstr(part));
  }
  EXPECT_EQ(dovetail({"explain", at("out"), right}).out, by_left.out);
  EXPECT_EQ(json::parse(dovetail({"explain", at("out"), left, "--json"}).out), entity);

  const auto unknown = dovetail({"explain", at("out"), "http://nowhere.example"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("http://nowhere.example"));
  const auto nothing = dovetail({"explain", at("pair"), left});
  EXPECT_EQ(nothing.code, 2);
  EXPECT_THAT(nothing.err, HasSubstr("evidence.jsonl: cannot read"));
}

TEST_F(RulesProgram, ExplainRefusesDamagedEvidence) {
  here.write("damaged/evidence.jsonl", "{\"left\":\"a\",\"link\":\n");
  const auto run = dovetail({"explain", at("damaged"), "a"});
  EXPECT_EQ(run.code, 2);
  EXPECT_THAT(run.err, HasSubstr("evidence.jsonl:1: found a damaged line"));
}

/// Hits@1 of structure with rules, closed world.
double hits_of(const LoadedPair& pair) {
  AlignOptions options;
  options.mode = Mode::semi;
  options.encoder.dimension = 32;
  options.deciding.calibrate = false;
  options.deciding.compare = false;
  Observer observer;
  return run_alignment(pair, options, observer).closed.evaluation.right_to_left.hits_at_1;
}

// Figures must come from structure, not from how entities are numbered or from how ties are broken.
TEST_F(RulesProgram, NumbersOfEntitiesDoNotMatter) {
  Observer observer;
  LoadOptions load;
  const double first = hits_of(load_folder(at("pair"), load, observer));
  load.shuffle_seed = 99;
  const double second = hits_of(load_folder(at("pair"), load, observer));
  EXPECT_GT(first, 0.5);
  EXPECT_NEAR(first, second, 0.05);  // 720 test links: two standard deviations are .03
}

TEST_F(RulesProgram, RandomSeedsGiveChance) {
  Observer observer;
  LoadedPair pair = load_folder(at("pair"), {}, observer);
  Random random(3);
  std::vector<Link>& seeds = pair.links.train;
  for (std::size_t n = seeds.size(); n > 1; --n) std::swap(seeds[n - 1].right, seeds[random.below(n)].right);
  EXPECT_LT(hits_of(pair), 0.03);  // chance is .0014
}

}  // namespace
}  // namespace dovetail::test
