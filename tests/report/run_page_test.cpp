#include "report/run_page.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <regex>
#include <string>

#include "report/html.h"
#include "report/page_parts.h"

namespace dovetail {
namespace {

using nlohmann::json;
using test::count;
using test::figures_of;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

json graph(int entities) {
  return {
      {"entities", entities},
      {"relations", 7},
      {"triples", 12345},
      {"literals", 0},
      {"labelled_entities", 3},
      {"isolated_entities", 1},
      {"degree", {{"mean", 4.5}, {"median", 3}, {"largest", 90}, {"histogram_by_power_of_two", {1, 2, 3}}}}};
}

json ranks(double hits) {
  return {{"count", 20},     {"hits@1", hits}, {"hits@5", hits},
          {"hits@10", 0.95}, {"mrr", 0.9},     {"mean_rank", 1.5}};
}

json world(double hits) {
  json record = ranks(hits);
  record["decoder"] = "sinkhorn";
  record["right_to_left"] = ranks(hits);
  record["left_to_right"] = ranks(hits - 0.01);
  record["by_degree"] = {{{"least", 0}, {"count", 20}, {"hits@1", hits}}};
  return record;
}

/// A run as run.json tells it, with test links.
json judged_record() {
  return json{{"dovetail", "0.1.0"},
              {"mode", "semi"},
              {"strategy", "paper"},
              {"candidates", "test"},
              {"inputs", {{"folder", "elsewhere/secret/zh_en"}}},
              {"data",
               {{"left", graph(1000)},
                {"right", graph(2000)},
                {"shared_relations", 5},
                {"links", {{"train", 30}, {"valid", 0}, {"test", 20}, {"origin", "divided at random"}}}}},
              {"training",
               {{"steps", 64},
                {"epochs", {{{"steps", 64}, {"loss", -0.25}, {"valid_loss", 0}}}},
                {"turns",
                 {{{"trained_on", 30},
                   {"found", 11},
                   {"reviewed", 4},
                   {"loss", -0.25},
                   {"steps", 64},
                   {"train_seconds", 1.5},
                   {"search_seconds", 0.5},
                   {"judged", 10},
                   {"precision", 0.9},
                   {"hits@1", 0.75}}}}}},
              {"links", 2},
              {"decisions",
               {{"links", 2},
                {"no_counterpart", 0},
                {"confidence", "fitted on held-out seeds"},
                {"reliability",
                 {{"count", 2},
                  {"expected_calibration_error", 0.0125},
                  {"coverage_at_precision_95", 0.5},
                  {"bins", json::array()}}},
                {"precision_by_coverage", {{{"share", 1}, {"least_confidence", 0.5}, {"precision", 0.5}}}},
                {"test_links",
                 {{"predicted", 2},
                  {"gold", 20},
                  {"correct", 1},
                  {"precision", 0.5},
                  {"recall", 0.05},
                  {"f1", 0.0909}}}}},
              {"evaluation", {{"closed", world(0.875)}, {"open", world(0.625)}}},
              {"seconds", {{"load", 0.1}, {"train", 2}, {"match", 0.25}, {"confidence", 1}, {"total", 3.4}}},
              {"peak_memory_bytes", 1 << 20}};
}

ReportedLink link(const std::string& name) {
  const auto edge = [](const char* relation, const char* end) {
    return nlohmann::ordered_json{{"relation", relation}, {"entity", end}, {"name", end}};
  };
  return {.left = {"http://l/1", name, 3},
          .right = {"http://r/1", "Peking", 1},
          .score = 0.5,
          .margin = 0.25,
          .confidence = 0.875,
          .correct = false,
          .evidence = {{"link",
                        {{"right", "http://r/1"},
                         {"evidence", 1.25},
                         {"for",
                          {{{"weight", 0.75},
                            {"belief", 1},
                            {"left", edge("http://l/capital", "China")},
                            {"right", edge("^http://r/land", "CN")}}}},
                         {"against", nlohmann::ordered_json::array()}}},
                       {"candidates",
                        {{{"entity", "http://r/1"}, {"name", "Peking"}, {"score", 0.5}},
                         {{"entity", "http://r/2"}, {"name", "Nanking"}, {"score", 0.25}}}}}};
}

RunReport judged_report(const std::string& name = "Beijing") {
  return {.record = judged_record(),
          .confidences = std::vector<std::uint64_t>(20, 1),
          .surest = {link(name)},
          .doubtful = {},
          .map = {{{"left", {{"x", 0.5}, {"y", 1}, {"name", name}}},
                   {"right", {{"x", 0}, {"y", 0}, {"name", "Peking"}}},
                   {"confidence", 0.875}}}};
}

/// The report of a user's own files, by rules alone.
RunReport bare_report() {
  RunReport report = judged_report();
  report.map = json::array();
  report.record.erase("evaluation");
  for (const char* key : {"reliability", "precision_by_coverage", "test_links"}) {
    report.record["decisions"].erase(key);
  }
  report.record["inputs"] = {{"left", "elsewhere/a.nt"}, {"right", "elsewhere/b.nt"}};
  report.record["training"] = {{"steps", 0}, {"epochs", json::array()}, {"turns", json::array()}};
  report.surest[0].evidence = nullptr;
  report.surest[0].correct = std::nullopt;
  return report;
}

TEST(RunPage, SaysHowManyLinksAreExpectedToBeRight) {
  RunReport report = bare_report();
  EXPECT_THAT(run_page(report), testing::Not(HasSubstr("expected to be right")));
  report.record["decisions"]["confidence"] = "estimated without seeds, from decoys";
  report.record["decisions"]["expected"] = {
      {"right", 1.7}, {"precision", 0.85}, {"precision_low", 0.5}, {"precision_high", 1}};
  EXPECT_THAT(run_page(report),
              HasSubstr("2 of the 2 links are expected to be right: precision 0.850 (0.500 to "
                        "1.000 in 95 of 100 cases). Confidences were estimated without seeds"));
}

TEST(RunPage, ShowsWhatTheRecordSays) {
  const std::string page = run_page(judged_report());
  EXPECT_THAT(page,
              AllOf(HasSubstr("<title>Alignment of zh_en</title>"), HasSubstr("<td>1,000</td><td>2,000</td>"),
                    HasSubstr("30 to learn from, 0 for development, 20 to test (divided at random)"),
                    HasSubstr("<th>closed, sinkhorn, right to left</th><td>20</td><td>0.875</td>"),
                    HasSubstr("<th>open, sinkhorn, left to right</th><td>20</td><td>0.615</td>"),
                    HasSubstr("off by 0.013 on average")));
  EXPECT_THAT(page, HasSubstr("<th>1</th><td>30</td><td>-0.250</td><td>11</td><td>90.0%</td><td>4</td>"
                              "<td>0.750</td><td>2.0</td>"));
  for (const char* chart :
       {"degrees", "loss", "hits", "pairs", "coverage", "reliability", "by-degree", "confidences", "map"}) {
    EXPECT_THAT(page, HasSubstr("<canvas id=\"" + std::string(chart) + "\"")) << chart;
  }
  EXPECT_THAT(page, Not(HasSubstr("secret"))) << "where somebody's files are is nobody's business";
  EXPECT_EQ(figures_of(page)["evaluation"]["closed"]["hits@1"], 0.875);
}

TEST(RunPage, SaysWhyALinkHolds) {
  const std::string page = run_page(judged_report());
  EXPECT_THAT(page,
              AllOf(HasSubstr("confidence 0.875</b> · score 0.500 · evidence 1.25"),
                    HasSubstr("next candidate <bdi>Nanking</bdi>, 0.250"), HasSubstr("✗ not the test link"),
                    HasSubstr("<td>for</td><td>capital → <bdi>China</bdi></td>"
                              "<td>land ← <bdi>CN</bdi></td><td>0.75</td>"),
                    HasSubstr("http://l/1 · 3 edges"), HasSubstr("http://r/1 · 1 edge<")));
  RunReport other = judged_report();
  other.surest[0].right.identifier = "http://r/3";  // another link of the same entity
  EXPECT_THAT(run_page(other), Not(HasSubstr("capital →")));
}

TEST(RunPage, LeavesOutWhatIsNotKnown) {
  RunReport report = bare_report();
  report.record["data"]["left"]["degree"]["mean"] = NAN;
  report.record = json::parse(report.record.dump());  // as a file has it
  const std::string page = run_page(report);
  EXPECT_THAT(page, HasSubstr("mean</th><td>–</td><td>4.5</td>"));
  EXPECT_THAT(page, AllOf(HasSubstr("Alignment of a.nt and b.nt"), HasSubstr("No test links are known"),
                          HasSubstr("No evidence was kept"), HasSubstr("Rules alone make no embeddings"),
                          HasSubstr("<dt>confidence .9 or more</dt><dd>2</dd>")));
  for (const char* chart : {"loss", "hits", "pairs", "coverage", "reliability", "by-degree", "map"}) {
    EXPECT_THAT(page, Not(HasSubstr("<canvas id=\"" + std::string(chart) + "\""))) << chart;
  }
  EXPECT_THAT(page, AllOf(HasSubstr("<canvas id=\"degrees\""), HasSubstr("<canvas id=\"confidences\""),
                          Not(HasSubstr("✗")), Not(HasSubstr("<dt>Hits@1"))));
}

TEST(RunPage, SaysWhyThereIsNoMap) {
  RunReport report = bare_report();
  report.embeds = true;
  EXPECT_THAT(run_page(report),
              AllOf(HasSubstr("drawn of smaller graphs only"), Not(HasSubstr("Rules alone"))));
  report.record["links"] = 0;
  EXPECT_THAT(run_page(report), HasSubstr("There are no links to draw."));
}

TEST(RunPage, NamesAreTextWhateverTheyAre) {
  const std::string name = "<script>x</script><!-- & \" \xE2\x80\xA8 \x1b[2J \xE2\x80\xAE";
  const std::string page = run_page(judged_report(name));
  EXPECT_EQ(count(page, "<script"), 3U) << "figures, library, script";
  EXPECT_EQ(count(page, "</script>"), 3U);
  EXPECT_EQ(count(page, "<!--"), 0U);
  EXPECT_EQ(count(page, "\x1b"), 0U);
  EXPECT_EQ(count(page, "\xE2\x80\xAE"), 0U);
  EXPECT_THAT(page, HasSubstr("&lt;script&gt;x&lt;/script&gt;&lt;!-- &amp; &quot;"));
  EXPECT_EQ(figures_of(page)["map"][0]["left"]["name"], name) << "as it was given";
}

TEST(RunPage, AsksNobodyForAnything) {
  const std::string page = run_page(judged_report());
  EXPECT_FALSE(std::regex_search(page, std::regex("<[a-z]+[^>]* (src|href)=")));
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
}

TEST(RunPage, KeepsTheLicenceOfWhatItEmbeds) {
  EXPECT_THAT(run_page(judged_report()),
              AllOf(HasSubstr("Chart.js Contributors"), HasSubstr("Permission is hereby granted"),
                    HasSubstr("Jukka Kurkela")));
}

TEST(Html, TextIsCutBetweenCharacters) {
  EXPECT_EQ(html_text("a<b"), "a&lt;b");
  const std::string cut = html_text(std::string(299, 'a') + "éé");
  EXPECT_EQ(cut, std::string(299, 'a') + "…");
}

TEST(Html, ScriptGetsNothingThatEndsIt) {
  const json value = {{"name", "</script><!-- \xE2\x80\xA8\xE2\x80\xA9\x7F 北"}};
  const std::string text = script_json(value);
  EXPECT_EQ(json::parse(text), value);
  EXPECT_EQ(text.find('<'), std::string::npos);
  for (const char c : text) EXPECT_TRUE(c >= ' ' && c < '\x7F') << text;
  EXPECT_EQ(script_json("\xFF"), "\"\\ufffd\"") << "no UTF-8";
}

}  // namespace
}  // namespace dovetail
