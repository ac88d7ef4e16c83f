#include <chrono>
#include <csignal>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "end_to_end/program.h"

namespace dovetail::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class StudyProgram : public testing::Test {
 protected:
  StudyProgram() {
    EXPECT_EQ(dovetail({"generate", at("pair"), "--entities", "300", "--seed-ratio", "0.3", "--quiet"}).code,
              0);
  }

  [[nodiscard]] std::string at(const std::string& name) const { return (here / name).string(); }

  /// Small embeddings keep it short.
  [[nodiscard]] std::vector<std::string> arguments(const std::string& study,
                                                   const std::vector<std::string>& more = {}) const {
    std::vector<std::string> all = {"study", study, at("pair"), "--out", at("out"), "--set", "dimension=16"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }

  [[nodiscard]] std::size_t kept_runs() const {
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(here / "out/runs")) {
      count += entry.path().extension() == ".json" ? 1 : 0;
    }
    return count;
  }

  Workspace here;
};

TEST_F(StudyProgram, WritesTablesAndAPageAndPrintsThem) {
  const auto run = dovetail(arguments("decoders", {"--seeds", "2"}));
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("Hits@1"));
  EXPECT_THAT(run.out, HasSubstr("10 runs: 10 done, 0 kept from before, 0 failed"));
  EXPECT_THAT(run.err, HasSubstr("run 10 of 10"));
  const json study = json::parse(content_of(here / "out/study.json"));
  EXPECT_EQ(study["runs"].size(), 10U);
  EXPECT_EQ(study["summary"][0]["figures"]["hits@1"]["runs"], 2);
  EXPECT_THAT(study["command"].get<std::string>(), HasSubstr("dovetail study decoders"));
  const std::string table = content_of(here / "out/study.csv");
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 11);
  EXPECT_THAT(content_of(here / "out/study.md"), HasSubstr("| sinkhorn | 0."));
  EXPECT_THAT(content_of(here / "out/study.html"), HasSubstr("</svg>"));
}

TEST_F(StudyProgram, ARepeatedStudyRunsNothing) {
  ASSERT_EQ(dovetail(arguments("runs", {"--seeds", "2"})).code, 0);
  const auto before = tree_of(here / "out");
  const auto again = dovetail(arguments("runs", {"--seeds", "2"}));
  ASSERT_EQ(again.code, 0) << again.err;
  EXPECT_THAT(again.out, HasSubstr("2 runs: 0 done, 2 kept from before"));
  EXPECT_EQ(again.err, "");
  EXPECT_EQ(tree_of(here / "out"), before);
}

TEST_F(StudyProgram, ADamagedRunIsDoneAgain) {
  ASSERT_EQ(dovetail(arguments("runs", {"--seeds", "2"})).code, 0);
  const auto first = std::filesystem::directory_iterator(here / "out/runs")->path();
  const std::string before = content_of(first);
  here.write("out/runs/" + first.filename().string(), before.substr(0, before.size() / 2));
  const auto again = dovetail(arguments("runs", {"--seeds", "2"}));
  ASSERT_EQ(again.code, 0) << again.err;
  EXPECT_THAT(again.out, HasSubstr("2 runs: 1 done, 1 kept from before"));
  EXPECT_EQ(json::parse(content_of(first))["figures"]["hits@1"], json::parse(before)["figures"]["hits@1"]);
}

TEST_F(StudyProgram, AStoppedStudyGoesOn) {
  const std::vector<std::string> study = arguments("ablation", {"--seeds", "20", "--threads", "1"});
  const pid_t child = fork();
  if (child == 0) {
    std::vector<char*> argv = {const_cast<char*>(DOVETAIL_PROGRAM)};
    std::vector<std::string> words = study;
    words.emplace_back("--quiet");
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    execv(argv[0], argv.data());
    _exit(127);
  }
  // Until some runs are there, then without mercy.
  for (int tries = 0; tries < 3000 && (!std::filesystem::exists(here / "out/runs") || kept_runs() < 3);
       ++tries) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  kill(child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status)) << "it was over before it could be stopped";
  const std::size_t kept = kept_runs();
  ASSERT_GE(kept, 3U);
  ASSERT_LT(kept, 40U);
  EXPECT_FALSE(std::filesystem::exists(here / "out/study.json"));
  const auto again = dovetail(arguments("ablation", {"--seeds", "2", "--threads", "1"}));
  ASSERT_EQ(again.code, 0) << again.err;
  EXPECT_THAT(again.out, HasSubstr("14 runs: 12 done, 2 kept from before, 0 failed"));
}

TEST_F(StudyProgram, AFailedRunIsReportedAndTheRestIsDone) {
  // One link, which is for testing: there is nothing to learn from.
  here.write("bare/triples_1", "0\t0\t1\n");
  here.write("bare/triples_2", "2\t0\t3\n");
  here.write("bare/ent_ids_1", "0\tx\n1\ty\n");
  here.write("bare/ent_ids_2", "2\tx\n3\ty\n");
  here.write("bare/ref_ent_ids", "0\t2\n");
  const auto run =
      dovetail({"study", "runs", at("bare"), at("pair"), "--out", at("out"), "--set", "dimension=16"});
  EXPECT_EQ(run.code, 2);
  EXPECT_THAT(run.err, HasSubstr("failed:"));
  EXPECT_THAT(run.err, HasSubstr("1 of 2 runs failed"));
  EXPECT_THAT(run.out, HasSubstr("2 runs: 1 done, 0 kept from before, 1 failed"));
  const json study = json::parse(content_of(here / "out/study.json"));
  EXPECT_TRUE(study["runs"][0].contains("error"));
  EXPECT_TRUE(study["runs"][1].contains("figures"));
  EXPECT_THAT(content_of(here / "out/study.html"), HasSubstr("failed:"));
}

TEST_F(StudyProgram, SweepsCross) {
  const auto run = dovetail(arguments("vary", {"--vary", "depth=1,2", "--vary", "self-loops=yes,no"}));
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("depth 2, self-loops no"));
  EXPECT_THAT(run.out, HasSubstr("4 runs: 4 done"));
}

TEST_F(StudyProgram, ScaleMakesItsOwnDataAndFitsAnExponent) {
  const auto run =
      dovetail({"study", "scale", "--sizes", "100,200,400", "--out", at("out"), "--set", "dimension=16"});
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("400 entities"));
  EXPECT_THAT(run.out, HasSubstr("Time (s) grows with the power"));
}

TEST_F(StudyProgram, RefusesWhatMakesNoSenseBeforeItBegins) {
  const std::vector<std::vector<std::string>> senseless = {
      {"study", "nothing", at("pair"), "--out", at("out")},
      {"study", "runs", "--out", at("out")},
      {"study", "runs", at("pair"), "--out", at("out"), "--set", "dimension"},
      {"study", "runs", at("pair"), "--out", at("out"), "--set", "dimension=5000"},
      {"study", "runs", at("pair"), "--out", at("out"), "--seeds", "0"},
      {"study", "vary", at("pair"), "--out", at("out")},
      {"study", "runs", at("pair"), "--out", at("out"), "--vary", "depth=1"},
      {"study", "scale", at("pair"), "--out", at("out")}};
  for (const auto& words : senseless) {
    const auto run = dovetail(words);
    EXPECT_EQ(run.code, 2) << words[1] << " " << words.back();
    EXPECT_THAT(run.err, testing::StartsWith("dovetail: ")) << words[1] << " " << words.back();
    EXPECT_FALSE(std::filesystem::exists(here / "out/study.json"));
  }
}

}  // namespace
}  // namespace dovetail::test
