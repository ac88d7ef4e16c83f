#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "end_to_end/program.h"

namespace dovetail::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

class AlignProgram : public testing::Test {
 protected:
  AlignProgram() {
    EXPECT_EQ(dovetail({"generate", at("pair"), "--entities", "400", "--seed-ratio", "0.3", "--quiet"}).code,
              0);
  }

  [[nodiscard]] std::string at(const std::string& name) const { return (here / name).string(); }

  /// Aligns the pair into a folder of this name; small embeddings keep it short.
  [[nodiscard]] auto align(const std::string& out, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments = {"align", at("pair"), "--out", at(out), "--dimension", "32"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return dovetail(arguments);
  }

  [[nodiscard]] json record(const std::string& out) const {
    return json::parse(content_of(here / (out + "/run.json")));
  }

  Workspace here;
};

TEST_F(AlignProgram, WritesLinksARecordAndAModel) {
  const auto run = align("out");
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("Hits@1"));
  const std::string links = content_of(here / "out/links.tsv");
  EXPECT_THAT(links, StartsWith("left\tright\tscore\tmargin\nhttp://left.example/"));
  const json found = record("out");
  // 400 entities a side, 360 links of which 108 are seeds: every other left entity gets a link.
  EXPECT_EQ(found["links"], 400 - 108);
  EXPECT_EQ(std::count(links.begin(), links.end(), '\n'), 1 + 400 - 108);
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
  EXPECT_EQ(found["configuration"]["seed"], 1);
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
  EXPECT_EQ(metrics["unjudged"], 400 - 108 - 252);
  // links.tsv holds the best candidate in the open world, left to right; a tie in the ranks counts against
  // us.
  EXPECT_NEAR(metrics["recall"], record("out")["evaluation"]["open"]["left_to_right"]["hits@1"], 0.01);
}

TEST_F(AlignProgram, TwoFilesAndSomeLinksAreEnough) {
  const auto run = dovetail({"align", at("pair/left.nt"), at("pair/right.nt"), "--links",
                             at("pair/train_links.tsv"), "--out", at("out"), "--dimension", "32", "--quiet"});
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out, IsEmpty());
  EXPECT_THAT(run.err, IsEmpty());
  EXPECT_FALSE(record("out").contains("evaluation"));  // nothing to judge by
  EXPECT_EQ(record("out")["links"], 400 - 108);
}

TEST_F(AlignProgram, RefusesWhatItCannotDoBeforeItBegins) {
  const auto no_seeds = dovetail({"align", at("pair/left.nt"), at("pair/right.nt"), "--out", at("out")});
  EXPECT_EQ(no_seeds.code, 2);
  EXPECT_THAT(no_seeds.err, HasSubstr("no seed links"));
  const std::vector<std::vector<std::string>> senseless = {
      {"--dimension", "0"}, {"--depth", "0"},        {"--dropout", "1"},        {"--learning-rate", "-1"},
      {"--decay", "1"},     {"--cosine-power", "0"}, {"--top-k", "0"},          {"--tau", "0"},
      {"--epochs", "0"},    {"--attention", "some"}, {"--learning-rate", "nan"}};
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
