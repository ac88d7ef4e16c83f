#include <algorithm>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "end_to_end/pair_program.h"

namespace dovetail::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

class AlignProgram : public PairProgram {
 protected:
  [[nodiscard]] json record(const std::string& out) const {
    return json::parse(content_of(here / (out + "/run.json")));
  }
};

TEST_F(AlignProgram, WritesLinksARecordAndAModel) {
  const auto run = align("out");
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("Hits@1"));
  const std::string links = content_of(here / "out/links.tsv");
  EXPECT_THAT(links, StartsWith("left\tright\tscore\tmargin\tconfidence\nhttp://left.example/"));
  const json found = record("out");
  // 400 entities a side, 360 links of which 108 are seeds: every entity of a test link gets a link.
  EXPECT_EQ(found["links"], 252);
  EXPECT_EQ(std::count(links.begin(), links.end(), '\n'), 1 + 252);
  EXPECT_EQ(found["pool"], "test");
  EXPECT_EQ(found["mode"], "names");  // generated names resemble each other
  for (const char* world : {"closed", "open"}) {
    for (const char* figure : {"hits@1", "hits@5", "hits@10", "mrr", "mean_rank"}) {
      EXPECT_TRUE(found["evaluation"][world][figure].is_number()) << world << " " << figure;
      EXPECT_TRUE(found["evaluation"][world]["left_to_right"][figure].is_number()) << world << " " << figure;
    }
  }
  EXPECT_EQ(found["evaluation"]["closed"]["count"], 252);
  EXPECT_GT(found["evaluation"]["closed"]["hits@1"], 0.3);  // chance would be 0.004
  for (const char* part : {"load", "train", "match", "total"}) EXPECT_GT(found["seconds"][part], 0.0) << part;
  EXPECT_GT(found["peak_memory_bytes"], 1 << 20);
  EXPECT_EQ(found["configuration"]["what"]["seed"], 1);
  EXPECT_EQ(found["configuration"]["encoder"]["dimension"], 32);
  EXPECT_EQ(found["data"]["left"]["entities"], 400);
  EXPECT_TRUE(std::filesystem::exists(here / "out/model.dovetail"));
}

TEST_F(AlignProgram, GivesTheSameBytesForAnyNumberOfThreadsAndOthersForAnotherSeed) {
  ASSERT_EQ(align("one", {"--threads", "1"}).code, 0);
  ASSERT_EQ(align("eight", {"--threads", "8"}).code, 0);
  ASSERT_EQ(align("other", {"--seed", "2"}).code, 0);
  EXPECT_EQ(content_of(here / "one/links.tsv"), content_of(here / "eight/links.tsv"));
  EXPECT_EQ(content_of(here / "one/model.dovetail"), content_of(here / "eight/model.dovetail"));
  EXPECT_NE(content_of(here / "one/links.tsv"), content_of(here / "other/links.tsv"));
}

TEST_F(AlignProgram, LinksCanBeEvaluatedAndAgreeWithTheRecord) {
  ASSERT_EQ(align("out").code, 0);
  const auto run = dovetail({"evaluate", at("out/links.tsv"), "--gold", at("pair/test_links.tsv"), "--json"});
  ASSERT_EQ(run.code, 0) << run.err;
  const json metrics = json::parse(run.out);
  EXPECT_EQ(metrics["gold"], 252);
  EXPECT_EQ(metrics["unjudged"], 0);
  const json links = record("out")["decisions"]["test_links"];
  EXPECT_NEAR(metrics["recall"], links["recall"], 1e-9);
  EXPECT_NEAR(metrics["precision"], links["precision"], 1e-9);
}

TEST_F(AlignProgram, ConfidencesAreWhatOtherFormatsGet) {
  ASSERT_EQ(align("out").code, 0);
  ASSERT_EQ(dovetail({"convert", at("out/links.tsv"), at("links.sssom.tsv"), "--to", "sssom"}).code, 0);
  const std::string links = content_of(here / "out/links.tsv");
  const std::string second =
      links.substr(links.find('\n') + 1, links.find('\n', links.find('\n') + 1) - links.find('\n') - 1);
  const std::string confidence = second.substr(second.rfind('\t') + 1);
  EXPECT_THAT(content_of(here / "links.sssom.tsv"),
              HasSubstr("\t" + confidence.substr(0, confidence.find_last_not_of('0') + 1) + "\n"));
}

TEST_F(AlignProgram, SeedsMayLeaveNothingToFind) {
  std::string left, right, links;
  for (int i = 0; i < 120; ++i) {
    left += fmt::format("l{}\tr\tl{}\n", i, (i + 1) % 120);
    right += fmt::format("r{}\ts\tr{}\n", i, (i + 1) % 120);
    links += fmt::format("l{}\tr{}\n", i, i);
  }
  here.write("l.tsv", left);
  here.write("r.tsv", right);
  here.write("more.tsv", right + "r0\ts\tnew\n");
  here.write("known.tsv", links);
  for (const char* const other : {"r.tsv", "more.tsv"}) {
    const auto run = dovetail({"align", at("l.tsv"), at(other), "--links", at("known.tsv"), "--out",
                               at(std::string("of-") + other), "--dimension", "8", "--quiet"});
    EXPECT_EQ(run.code, 0) << run.err;
  }
}

TEST_F(AlignProgram, TwoFilesAndSomeLinksAreEnough) {
  const auto run = dovetail({"align", at("pair/left.nt"), at("pair/right.nt"), "--links",
                             at("pair/train_links.tsv"), "--out", at("out"), "--dimension", "32", "--quiet"});
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out, IsEmpty());
  EXPECT_THAT(run.err, IsEmpty());
  EXPECT_FALSE(record("out").contains("evaluation"));  // nothing to judge by
  EXPECT_EQ(record("out")["pool"], "open");
  // Every other left entity has a link or is said to have no counterpart.
  const json decisions = record("out")["decisions"];
  EXPECT_GT(decisions["links"], 200);
  EXPECT_GT(decisions["no_counterpart"], 5);
  EXPECT_LE(decisions["links"].get<int>() + decisions["no_counterpart"].get<int>(), 400 - 108);
  // All entities of both sides that are in no link are listed.
  const std::string unmatched = content_of(here / "out/unmatched.tsv");
  EXPECT_THAT(unmatched, HasSubstr("\nleft\t"));
  EXPECT_THAT(unmatched, HasSubstr("\nright\t"));
  EXPECT_EQ(std::count(unmatched.begin(), unmatched.end(), '\n'),
            1 + 2 * (400 - 108 - decisions["links"].get<int>()));
  EXPECT_THAT(decisions["confidence"], HasSubstr("held-out seeds"));
  EXPECT_GT(decisions["expected"]["precision"], 0.5);
}

TEST_F(AlignProgram, NamesAreEnoughWhereThereAreNoSeeds) {
  const auto run =
      dovetail({"align", at("pair/left.nt"), at("pair/right.nt"), "--out", at("out"), "--dimension", "32"});
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.err, HasSubstr("no seed links"));
  const auto judged =
      dovetail({"evaluate", at("out/links.tsv"), "--gold", at("pair/test_links.tsv"), "--json"});
  EXPECT_GT(json::parse(judged.out)["precision"], 0.9);
}

TEST_F(AlignProgram, NamesThatTellNothingAreNotUsed) {
  ASSERT_EQ(dovetail({"generate", at("nameless"), "--entities", "400", "--seed-ratio", "0.3", "--no-labels",
                      "--quiet"})
                .code,
            0);
  const auto run = dovetail({"align", at("nameless"), "--out", at("out"), "--dimension", "32"});
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.err, HasSubstr("structure only"));
  EXPECT_EQ(record("out")["mode"], "semi");
}

TEST_F(AlignProgram, EveryDecoderLinksInItsOwnWay) {
  for (const char* decoder : {"greedy", "csls", "sinkhorn", "assignment", "stable"}) {
    ASSERT_EQ(align(decoder, {"--mode", "basic", "--decoder", decoder, "--no-calibrate"}).code, 0) << decoder;
    const json found = record(decoder);
    EXPECT_EQ(found["evaluation"]["closed"]["decoder"], decoder);
    EXPECT_GT(found["evaluation"]["closed"]["hits@1"], 0.3) << decoder;
    EXPECT_GT(found["decisions"]["test_links"]["precision"], 0.3) << decoder;
  }
  // The same model ranked in other ways.
  EXPECT_EQ(content_of(here / "csls/model.dovetail"), content_of(here / "assignment/model.dovetail"));
  EXPECT_NE(content_of(here / "csls/links.tsv"), content_of(here / "assignment/links.tsv"));
  EXPECT_GE(record("assignment")["evaluation"]["closed"]["hits@1"],
            record("greedy")["evaluation"]["closed"]["hits@1"]);
}

TEST_F(AlignProgram, StrategiesTrainOnWhatTheySay) {
  const auto turns = [&](const std::string& strategy) {
    EXPECT_EQ(align(strategy, {"--mode", "semi", "--strategy", strategy, "--no-calibrate"}).code, 0);
    const json found = record(strategy)["training"]["turns"];
    EXPECT_GE(found.size(), 2U) << strategy;
    EXPECT_EQ(found[0]["trained_on"], 108) << strategy;
    EXPECT_GT(found[0]["found"], 50) << strategy;
    EXPECT_GT(found[0]["precision"], 0.5) << strategy;
    return found;
  };
  const json paper = turns("paper"), normal = turns("normal"), no_review = turns("no-review"),
             best = turns("best");
  for (std::size_t n = 1; n < paper.size(); ++n) {
    EXPECT_EQ(paper[n]["trained_on"].get<int>(),
              paper[n - 1]["found"].get<int>() + paper[n - 1]["reviewed"].get<int>());
  }
  for (std::size_t n = 1; n < normal.size(); ++n) {
    EXPECT_EQ(normal[n]["trained_on"].get<int>(),
              normal[n - 1]["found"].get<int>() + normal[n - 1]["trained_on"].get<int>());
  }
  for (std::size_t n = 1; n < no_review.size(); ++n) {
    EXPECT_EQ(no_review[n]["trained_on"], no_review[n - 1]["found"]);
  }
  for (std::size_t n = 1; n < best.size(); ++n) {
    EXPECT_EQ(best[n]["trained_on"].get<int>(), 108 + best[n - 1]["found"].get<int>());
  }
  // What was found and is right stays among the hits, although it has left the pool.
  double right = 0;
  for (std::size_t n = 0; n + 1 < paper.size(); ++n) {
    right += paper[n].value("judged", 0) * paper[n].value("precision", 0.0);
    EXPECT_GE(252 * paper[n]["hits@1"].get<double>() + 0.01, right) << n;
    EXPECT_LE(paper[n]["hits@1"], 1.0) << n;
  }
  // A pair's entities leave the pool: all that was ever found fits into it.
  int found = 0;
  for (const json& turn : paper) found += turn["found"].get<int>();
  EXPECT_LE(found, 252);
}

TEST_F(AlignProgram, PresetsSetEverythingAndOptionsOverThem) {
  ASSERT_EQ(align("gcn", {"--preset", "gcn-align", "--epochs", "30", "--seed", "5"}).code, 0);
  const json found = record("gcn")["configuration"];
  EXPECT_EQ(found["encoder"]["attention"], "symmetric");
  EXPECT_EQ(found["loss"]["loss"], "triplet");
  EXPECT_EQ(found["encoder"]["dimension"], 32);
  EXPECT_EQ(found["training"]["epochs"], 30);
  EXPECT_EQ(found["what"]["seed"], 5);
  EXPECT_GT(record("gcn")["evaluation"]["closed"]["hits@1"], 0.1);  // chance would be 0.004
}

TEST_F(AlignProgram, ConfidenceLeavesOutAndCardinalityLimits) {
  ASSERT_EQ(align("all", {"--mode", "semi"}).code, 0);
  ASSERT_EQ(align("sure", {"--mode", "semi", "--min-confidence", "0.8"}).code, 0);
  const json all = record("all")["decisions"], sure = record("sure")["decisions"];
  EXPECT_LT(sure["links"], all["links"]);
  EXPECT_GT(sure["links"], 10);
  EXPECT_GT(sure["test_links"]["precision"], all["test_links"]["precision"]);
  for (const auto& bin : sure["reliability"]["bins"]) {
    if (bin["count"] > 0) {
      EXPECT_GE(bin["confidence"], 0.8);
    }
  }
  ASSERT_EQ(align("many", {"--mode", "semi", "--cardinality", "n:m"}).code, 0);
  EXPECT_GT(record("many")["decisions"]["links"], all["links"]);
}

TEST_F(AlignProgram, RefusesWhatItCannotDoBeforeItBegins) {
  const auto no_seeds =
      dovetail({"align", at("pair/left.nt"), at("pair/right.nt"), "--mode", "semi", "--out", at("out")});
  EXPECT_EQ(no_seeds.code, 2);
  EXPECT_THAT(no_seeds.err, HasSubstr("no seed links"));
  const std::vector<std::vector<std::string>> senseless = {{"--dimension", "-1"},
                                                           {"--depth", "0"},
                                                           {"--dropout", "1"},
                                                           {"--learning-rate", "-1"},
                                                           {"--decay", "1"},
                                                           {"--cosine-power", "0"},
                                                           {"--candidates", "0"},
                                                           {"--tau", "0"},
                                                           {"--epochs", "0"},
                                                           {"--attention", "some"},
                                                           {"--learning-rate", "nan"},
                                                           {"--mode", "best"},
                                                           {"--sure", "2"},
                                                           {"--min-confidence", "-1"},
                                                           {"--temperature", "0"}};
  for (const auto& arguments : senseless) {
    const auto run = align("out", arguments);
    EXPECT_EQ(run.code, 2) << arguments[0] << " " << arguments[1];
    EXPECT_THAT(run.err, StartsWith("dovetail: ")) << arguments[0];
    EXPECT_FALSE(std::filesystem::exists(here / "out")) << arguments[0];
  }
}

TEST_F(AlignProgram, AnEarlierRunStaysUnlessForcedAndOtherFoldersAlways) {
  ASSERT_EQ(align("out").code, 0);
  const std::string before = content_of(here / "out/links.tsv");
  const auto again = align("out", {"--seed", "2"});
  EXPECT_EQ(again.code, 2);
  EXPECT_THAT(again.err, HasSubstr("--force"));
  EXPECT_EQ(content_of(here / "out/links.tsv"), before);
  EXPECT_EQ(align("out", {"--seed", "2", "--force"}).code, 0);
  EXPECT_NE(content_of(here / "out/links.tsv"), before);
  here.write("mine/precious", "text");
  EXPECT_EQ(align("mine", {"--force"}).code, 2);
  EXPECT_EQ(content_of(here / "mine/precious"), "text");
}

}  // namespace
}  // namespace dovetail::test
