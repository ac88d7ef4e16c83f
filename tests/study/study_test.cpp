#include <dovetail/errors.h>
#include <dovetail/study.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "encoder/tiny_pair.h"
#include "study/settings.h"
#include "study/tables.h"

namespace dovetail {
namespace {

using testing::HasSubstr;

LoadedPair loaded(std::uint32_t seeds = 60) {
  LoadedPair pair{.graphs = tiny_pair(200, 10, 1200, 2), .links = {}, .format = {}};
  for (const Link& link : identity_links(200)) {
    (link.left < seeds ? pair.links.train : pair.links.test).push_back(link);
  }
  return pair;
}

class MemoryStore : public RunStore {
 public:
  std::optional<RunRecord> find(const std::string& key) override {
    const auto found = records.find(key);
    return found == records.end() ? std::nullopt : std::optional(found->second);
  }
  void keep(const std::string& key, const RunRecord& record, const std::vector<Setting>& settings) override {
    records[key] = record;
    configurations[key] = settings;
  }
  std::map<std::string, RunRecord> records;
  std::map<std::string, std::vector<Setting>> configurations;
};

class Listener : public Observer {
 public:
  void note(const std::string& text) override { notes.push_back(text); }
  void warning(const std::string& text) override { warnings.push_back(text); }
  std::vector<std::string> notes, warnings;
};

class StudyTest : public testing::Test {
 protected:
  StudyTest() {
    options_.settings = {{"dimension", "16"}};
    options_.threads = 1;
  }
  Study run(const StudyPlan& plan) { return run_study(plan, data_, options_, store_, listener_); }

  std::vector<StudyData> data_{{.name = "tiny", .load = [] { return loaded(); }, .fingerprint = {}}};
  StudyOptions options_;
  MemoryStore store_;
  Listener listener_;
};

TEST_F(StudyTest, ARunOfOtherCodeIsKeptUnderAnotherKey) {
  const RunConfiguration configuration = study_defaults();
  EXPECT_EQ(run_key(configuration, 1, "one"), run_key(configuration, 1, "one"));
  EXPECT_NE(run_key(configuration, 1, "one"), run_key(configuration, 1, "other"));
}

TEST_F(StudyTest, EveryNamedStudyHasAPlanWhoseSettingsMakeSense) {
  for (const StudyName& name : study_names()) {
    const StudyPlan plan = study_plan(name.name);
    EXPECT_EQ(plan.name, name.name);
    EXPECT_FALSE(plan.figures.empty());
    std::set<std::string> keys;
    for (const Variant& variant : plan.variants) {
      RunConfiguration configuration = study_defaults();
      apply(plan.base, configuration);
      apply(variant.settings, configuration);
      keys.insert(run_key(configuration, 1, "build"));
    }
    EXPECT_EQ(keys.size(), plan.variants.size()) << name.name << ": two variants are the same";
  }
  EXPECT_THROW((void)study_plan("nothing"), ParameterError);
}

TEST_F(StudyTest, RunsEachVariantWithEachSeedOnceAndNeverAgain) {
  options_.seeds = 2;
  const StudyPlan plan = sweep_plan({{"depth", {"1", "2"}}, {"dropout", {"0", "0.3", "0.5"}}});
  const Study first = run(plan);
  ASSERT_EQ(first.runs.size(), 12U);
  EXPECT_EQ(store_.records.size(), 12U);
  EXPECT_EQ(listener_.notes.size(), 12U);
  const Study second = run(plan);
  EXPECT_EQ(listener_.notes.size(), 12U) << "something was run again";
  for (std::size_t i = 0; i < 12; ++i) {
    EXPECT_TRUE(second.runs[i].from_store);
    EXPECT_EQ(second.runs[i].record.figures, first.runs[i].record.figures);
  }
}

TEST_F(StudyTest, GoesOnWhereItWasStopped) {
  options_.seeds = 3;
  const Study whole = run(study_plan("runs"));
  store_.records.erase(whole.runs[1].key);
  listener_.notes.clear();
  const Study again = run(study_plan("runs"));
  ASSERT_EQ(listener_.notes.size(), 1U);
  EXPECT_THAT(listener_.notes[0], HasSubstr("run 2 of 3"));
  EXPECT_EQ(again.runs[1].record.figures.at("hits@1"), whole.runs[1].record.figures.at("hits@1"));
}

TEST_F(StudyTest, OtherSettingsSeedsAndDataAreOtherRuns) {
  (void)run(study_plan("runs"));
  options_.settings.push_back({"dropout", "0.1"});
  (void)run(study_plan("runs"));
  options_.first_seed = 2;
  (void)run(study_plan("runs"));
  data_[0].load = [] { return loaded(61); };
  (void)run(study_plan("runs"));
  EXPECT_EQ(store_.records.size(), 4U);
}

TEST_F(StudyTest, SettingsDoWhatTheySay) {
  options_.settings.push_back({"seed-ratio", "0.4"});
  options_.settings.push_back({"attention", "none"});
  (void)run(study_plan("runs"));
  std::map<std::string, std::string> kept;
  for (const Setting& setting : store_.configurations.begin()->second) kept[setting.key] = setting.value;
  EXPECT_EQ(kept["attention"], "none");
  EXPECT_EQ(kept["dimension"], "16");
  EXPECT_EQ(kept["seed-ratio"], "0.4");
  EXPECT_EQ(kept["mode"], "basic");
  std::size_t judged = 0;
  for (const DegreeHits& group : store_.records.begin()->second.degrees) judged += group.count;
  EXPECT_EQ(judged, 120U) << "200 links, 40% of them learned from";
}

TEST_F(StudyTest, AFailedRunIsReportedAndTheOthersGoOn) {
  LoadedPair (*const fails)() = [] { return loaded(200); };  // nothing left to test on
  data_.insert(data_.begin(), {.name = "bad", .load = fails, .fingerprint = {}});
  const Study study = run(study_plan("runs"));
  ASSERT_EQ(study.runs.size(), 2U);
  EXPECT_THAT(study.runs[0].error, HasSubstr("no test links"));
  EXPECT_TRUE(study.runs[1].error.empty());
  ASSERT_EQ(listener_.warnings.size(), 1U);
  EXPECT_THAT(listener_.warnings[0], HasSubstr("bad, as set, seed 1: failed"));
  EXPECT_THAT(study_text(study), HasSubstr("failed: bad"));
  EXPECT_EQ(store_.records.size(), 1U) << "a failed run must not count as done";
}

TEST_F(StudyTest, BadSettingsEndItBeforeAnythingRuns) {
  options_.settings = {{"dimension", "5000"}};
  EXPECT_THROW((void)run(study_plan("runs")), ParameterError);
  options_.settings = {{"no-such", "1"}};
  EXPECT_THROW((void)run(study_plan("runs")), ParameterError);
  options_.settings = {{"preset", "none"}};
  EXPECT_THROW((void)run(study_plan("runs")), ParameterError);
  EXPECT_TRUE(store_.records.empty());
}

/// A study of made-up figures.
Study made_up() {
  Study study{.plan = study_plan("batch-size"),
              .options = {.settings = {}, .seeds = 2, .against = 0.5},
              .data = {"a", "b"},
              .sizes = {0, 0},
              .runs = {},
              .command = "dovetail study <x>"};
  for (std::size_t d = 0; d < 2; ++d) {
    for (std::size_t v = 0; v < study.plan.variants.size(); ++v) {
      for (std::uint64_t seed = 1; seed <= 2; ++seed) {
        StudyRun run{.data = d, .variant = v, .seed = seed, .key = {}, .error = {}, .record = {}};
        const double sign = seed == 1 ? 1 : -1;
        run.record.figures = {{"hits@1", 0.6 + 0.01 * sign},
                              {"seconds", 10 + sign},
                              {"memory", (1 << 20) * (3 + 2 * study.plan.variants[v].x)}};
        study.runs.push_back(run);
      }
    }
  }
  return study;
}

TEST(StudyTables, MeansAndDeviationsInTheirUnits) {
  const Study study = made_up();
  const std::vector<Table> tables = make_tables(study);
  ASSERT_EQ(tables.size(), 2U);
  EXPECT_EQ(tables[1].caption, "b");
  EXPECT_EQ(tables[0].header, (std::vector<std::string>{"batch-size", "Hits@1", "Time (s)", "Memory (MiB)"}));
  EXPECT_EQ(tables[0].rows[0], (std::vector<std::string>{"128", "0.600 ±0.014", "10.0 ±1.4", "259 ±0"}));
  EXPECT_THAT(markdown(tables[0]), HasSubstr("| 128 | 0.600 ±0.014 | 10.0 ±1.4 | 259 ±0 |\n"));
}

TEST(StudyTables, NotesHaveTestsAndTrends) {
  std::string notes;
  for (const std::string& note : make_notes(made_up())) notes += note + "\n";
  // Mean .6, deviation .01 sqrt(2), two runs: t = .1 / .01 = 10, p = 2 / pi atan(1 / 10).
  EXPECT_THAT(notes, HasSubstr("a, 128: mean Hits@1 0.6000 against 0.5: t = 10.00, p = 0.063"));
  EXPECT_THAT(notes, HasSubstr("b, Memory (MiB) is about 3 + 2 x, x as on the axis (R² = 1.000)"));
}

TEST(StudyTables, ChartsHaveALineForEachDataSetAndBarsForSeeds) {
  const std::vector<Chart> charts = make_charts(made_up());
  ASSERT_EQ(charts.size(), 3U);
  EXPECT_EQ(charts[1].axis, "Batch size (pairs)");
  EXPECT_EQ(charts[1].value_axis, "Time (s)");
  ASSERT_EQ(charts[1].series.size(), 2U);
  EXPECT_EQ(charts[1].series[1].name, "b");
  EXPECT_EQ(charts[1].series[0].points[0].at, 128);
  EXPECT_NEAR(charts[1].series[0].points[0].error, std::sqrt(2.0), 1e-12);
}

TEST(StudyTables, ThePageNeedsNothingElse) {
  const std::string page = study_page(made_up());
  EXPECT_THAT(page, testing::StartsWith("<!doctype html>"));
  EXPECT_THAT(page, HasSubstr("dovetail study &lt;x&gt;"));
  EXPECT_THAT(page, HasSubstr("<svg"));
  for (const char* outside : {"<script", "<link", "src=", "@import", "url("}) {
    EXPECT_THAT(page, testing::Not(HasSubstr(outside)));
  }
}

}  // namespace
}  // namespace dovetail
