#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "end_to_end/pair_program.h"
#include "report/page_parts.h"

namespace dovetail::test {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class ReportProgram : public PairProgram {
 protected:
  [[nodiscard]] std::string page(const std::string& out) const {
    return content_of(here / (out + "/report.html"));
  }
};

double distance(const json& a, const json& b) {
  return std::hypot(a["x"].get<double>() - b["x"].get<double>(), a["y"].get<double>() - b["y"].get<double>());
}

TEST_F(ReportProgram, IsWrittenByAlignAndMadeAgainJustAsItWas) {
  const auto run = align("out", {"--mode", "semi"});
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("report.html"));
  const std::string before = page("out");
  EXPECT_THAT(before, AllOf(HasSubstr("<title>Alignment of pair</title>"), HasSubstr("The surest"),
                            HasSubstr("<td>for</td>"), HasSubstr("✓ right")));
  EXPECT_LT(before.size(), 1500000U);
  std::filesystem::remove(here / "out/report.html");
  const auto again = dovetail({"report", at("out")});
  ASSERT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(again.out, at("out/report.html") + "\n");
  EXPECT_EQ(page("out"), before);

  // What it shows is in the record.
  const json record = json::parse(content_of(here / "out/run.json"));
  std::size_t answers = 0;
  for (const json& group : record["evaluation"]["closed"]["by_degree"])
    answers += group["count"].get<std::size_t>();
  EXPECT_EQ(answers, 252U);
  const json& curve = record["decisions"]["precision_by_coverage"];
  EXPECT_EQ(curve.back()["share"], 1.0);
  EXPECT_EQ(curve.back()["precision"], record["decisions"]["test_links"]["precision"]);
  const json& turns = record["training"]["turns"];
  ASSERT_EQ(turns.size(), 3U);
  EXPECT_GT(turns[1]["hits@1"], 0.5);
  EXPECT_LE(turns[1]["hits@1"], 1.0);
  EXPECT_FALSE(turns[2].contains("hits@1")) << "the last turn's search is the run's own evaluation";
  EXPECT_EQ(record["training"]["epochs"].back()["steps"], record["training"]["steps"]);
}

TEST_F(ReportProgram, LinkedEntitiesLieTogetherOnTheMap) {
  ASSERT_EQ(align("out", {"--mode", "basic"}).code, 0);
  const json map = figures_of(page("out"))["map"];
  ASSERT_GT(map.size(), 200U);
  double together = 0, apart = 0;
  for (std::size_t n = 0; n < map.size(); ++n) {
    together += distance(map[n]["left"], map[n]["right"]);
    apart += distance(map[n]["left"], map[(n + 1) % map.size()]["right"]);
  }
  EXPECT_LT(together, 0.7 * apart);
}

TEST_F(ReportProgram, IsLeftOutIfSo) {
  const auto run = align("out", {"--mode", "basic", "--no-report"});
  EXPECT_EQ(run.code, 0);
  EXPECT_THAT(run.out, Not(HasSubstr("report.html")));
  EXPECT_FALSE(std::filesystem::exists(here / "out/report.html"));
}

TEST_F(ReportProgram, WorksWithoutTestLinksEvidenceOrEmbeddings) {
  const auto run =
      dovetail({"align", at("pair/left.nt"), at("pair/right.nt"), "--links", at("pair/train_links.tsv"),
                "--out", at("out"), "--mode", "semi", "--strategy", "rules", "--reasons", "0"});
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(page("out"),
              AllOf(HasSubstr("Alignment of left.nt and right.nt"), HasSubstr("No test links are known"),
                    HasSubstr("No evidence was kept"), HasSubstr("Rules alone make no embeddings"),
                    HasSubstr("without counterpart")));
  EXPECT_EQ(dovetail({"report", at("out")}).code, 0);
}

TEST_F(ReportProgram, SaysWhatIsWrong) {
  EXPECT_THAT(dovetail({"report", at("nowhere")}).err, HasSubstr("no such folder"));
  ASSERT_EQ(align("out", {"--mode", "basic", "--no-calibrate"}).code, 0);
  const std::string before = page("out");
  const std::string links = content_of(here / "out/links.tsv");
  here.write("out/links.tsv", "left\tright\tscore\tmargin\tconfidence\nsomebody\telse\t1\t1\t1\n");
  const auto other = dovetail({"report", at("out")});
  EXPECT_EQ(other.code, 2);
  EXPECT_THAT(other.err, HasSubstr("links.tsv: found \"somebody\"; expected an entity of the left graph"));
  here.write("out/links.tsv", links);
  here.write("out/evidence.jsonl", "{}\n");
  EXPECT_THAT(dovetail({"report", at("out")}).err, HasSubstr("evidence.jsonl:1: found a damaged line"));
  std::filesystem::remove_all(here / "pair");
  const auto gone = dovetail({"report", at("out")});
  EXPECT_EQ(gone.code, 2);
  EXPECT_THAT(gone.err, HasSubstr("pair"));
  EXPECT_EQ(page("out"), before) << "what was there stays";
}

}  // namespace
}  // namespace dovetail::test
