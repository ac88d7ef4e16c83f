#include <dovetail/parameters.h>
#include <dovetail/run.h>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>

#include "alignment/change_parameter.h"
#include "formats/support.h"

namespace dovetail::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// Every parameter by name, as text.
std::map<std::string, std::string> parameters_of(const AlignOptions& options) {
  std::map<std::string, std::string> all;
  visit_parameters(options, [&](const char*, const char* name, const auto& value, const char*) {
    using Value = std::decay_t<decltype(value)>;
    if constexpr (std::is_enum_v<Value>) {
      all[name] = enum_name(value);
    } else if constexpr (std::is_same_v<Value, std::filesystem::path>) {
      all[name] = value.string();
    } else if constexpr (std::is_same_v<Value, Bytes>) {
      all[name] = fmt::format("{}", value.count);
    } else {
      all[name] = fmt::format("{}", value);
    }
  });
  return all;
}

class SavedRunFolder : public testing::Test {
 protected:
  SavedRunFolder() {
    here.write("left.tsv", "a\tp\tb\nb\tp\tc\nc\tq\ta\n");
    here.write("right.tsv", "x\tp\ty\ny\tp\tz\nz\tr\tx\n");
    here.write("seeds.tsv", "a\tx\n");
    Listener listener;
    const LoadedPair pair =
        load_files(here / "left.tsv", here / "right.tsv", here / "seeds.tsv", {}, listener);
    dovetail::Run run;
    visit_parameters(run.options, [](const char*, const char*, auto& value, const char*, const Range& range) {
      change(value, range);
    });
    run.options.deciding.pool = CandidatePool::open;
    run.decisions.links = {{id(pair, Side::left, "b"), id(pair, Side::right, "y"), 0.5F, 0.25F, 0.875}};
    run.decisions.unmatched_left = {{.entity = id(pair, Side::left, "c")}};
    run.decisions.unmatched_right = {{.entity = id(pair, Side::right, "z"),
                                      .candidate = id(pair, Side::left, "c"),
                                      .score = 0.25F,
                                      .probability = 0.75,
                                      .reason = UnmatchedReason::no_counterpart}};
    run.model.entity_count = 6;
    run.model.encoder.dimension = 1;
    run.model.entities = {1, 2, 3, 4, 5, 6};
    written = run.options;
    save_run(run, pair, here / "out", {.report = false});
  }

  static EntityId id(const LoadedPair& pair, Side side, const char* name) {
    return pair.graphs.graph(side).find(name).value();
  }
  [[nodiscard]] std::string opening_error() const {
    return error_of([&] { (void)open_run(here / "out"); });
  }
  [[nodiscard]] std::string inputs_error() const {
    Listener listener;
    return error_of([&] { (void)load_run_inputs(open_run(here / "out"), false, listener); });
  }

  Workspace here;
  AlignOptions written;
};

TEST_F(SavedRunFolder, GivesBackWhatWasWritten) {
  const SavedRun run = open_run(here / "out");
  EXPECT_EQ(parameters_of(run.options), parameters_of(written));
  EXPECT_NE(parameters_of(run.options), parameters_of(AlignOptions{}));
  ASSERT_EQ(run.links.size(), 1U);
  EXPECT_EQ(run.links[0].left, "b");
  EXPECT_EQ(run.links[0].right, "y");
  EXPECT_EQ(run.links[0].score, 0.5);
  EXPECT_EQ(run.links[0].margin, 0.25);
  EXPECT_EQ(run.links[0].confidence, 0.875);
  ASSERT_EQ(run.unmatched.size(), 2U);
  EXPECT_EQ(run.unmatched[0].side, Side::left);
  EXPECT_EQ(run.unmatched[0].entity, "c");
  EXPECT_EQ(run.unmatched[0].candidate, "");
  EXPECT_EQ(run.unmatched[0].reason, "no candidate");
  EXPECT_EQ(run.unmatched[1].side, Side::right);
  EXPECT_EQ(run.unmatched[1].entity, "z");
  EXPECT_EQ(run.unmatched[1].candidate, "c");
  EXPECT_EQ(run.unmatched[1].score, 0.25);
  EXPECT_EQ(run.unmatched[1].probability, 0.75);
  EXPECT_EQ(run.unmatched[1].reason, "no counterpart");
  EXPECT_EQ(run.left_entities, 3U);
  EXPECT_EQ(run.right_entities, 3U);
  EXPECT_EQ(run.record, content_of(here / "out/run.json"));
  EXPECT_EQ(load_run_model(run).entities, (std::vector<float>{1, 2, 3, 4, 5, 6}));
}

TEST_F(SavedRunFolder, TheInputsAreLoadedAsTheyWere) {
  Listener listener;
  const LoadedPair before =
      load_files(here / "left.tsv", here / "right.tsv", here / "seeds.tsv", {}, listener);
  const LoadedPair again = load_run_inputs(open_run(here / "out"), false, listener);
  ASSERT_EQ(again.graphs.left().entity_count(), 3U);
  for (EntityId e = 0; e < 3; ++e) {
    EXPECT_EQ(again.graphs.left().entity(e), before.graphs.left().entity(e));
    EXPECT_EQ(again.graphs.right().entity(e), before.graphs.right().entity(e));
  }
  EXPECT_EQ(again.links.train, before.links.train);
}

TEST_F(SavedRunFolder, OtherInputsAreRefused) {
  EXPECT_EQ(inputs_error(), "");
  const std::string right = content_of(here / "right.tsv");
  for (const char* other : {"x\tp\ty\ny\tp\tz\nz\tr\ty\n", "x\tp\ty\ny\tp\tzz\nzz\tr\tx\n"}) {
    here.write("right.tsv", other);  // another edge, another name
    EXPECT_THAT(inputs_error(), AllOf(HasSubstr("found other graphs"), HasSubstr("align again")));
  }
  here.write("right.tsv", right);
  here.write("seeds.tsv", "a\ty\n");
  EXPECT_THAT(inputs_error(), HasSubstr("found other graphs or links"));
  std::filesystem::remove(here / "right.tsv");
  EXPECT_THAT(inputs_error(), HasSubstr("right.tsv: cannot open"));
}

TEST_F(SavedRunFolder, OptionsOfLoadingAreKept) {
  const auto folder = here.folder("pair", {{"left.csv", "h,n,x,p,t\na,1,b,p,c\n"},
                                           {"right.csv", "h,n,x,p,t\nd,1,e,p,f\n"},
                                           {"links.tsv", "a\td\nc\tf\n"}});
  Listener listener;
  LoadOptions options;
  options.graph_table = {.columns = {"1", "4", "5"}, .header = true};
  options.shuffle_seed = 7;
  options.split = {.seed_ratio = 0.5, .valid_ratio = 0.5, .seed = 3};
  const LoadedPair pair = load_folder(folder, options, listener);
  save_run(dovetail::Run{}, pair, here / "other", {.report = false});
  const LoadedPair again = load_run_inputs(open_run(here / "other"), false, listener);
  EXPECT_EQ(entities_of(again.graphs.left()), (std::set<std::string>{"a", "c"}));
  EXPECT_EQ(again.links.train, pair.links.train);
  EXPECT_EQ(again.links.valid, pair.links.valid);
  EXPECT_EQ(again.links.valid.size(), 1U);
}

TEST_F(SavedRunFolder, SaysWhatIsWrong) {
  EXPECT_THAT(error_of([&] { (void)open_run(here / "nowhere"); }), HasSubstr("no such folder"));
  EXPECT_THAT(error_of([&] { (void)open_run(here.path()); }), HasSubstr("no run.json"));
  const std::string record = content_of(here / "out/run.json");
  here.write("out/run.json", "{\n\"configuration\": {\n},,\n");
  EXPECT_THAT(opening_error(), HasSubstr("run.json:3: found no JSON"));
  here.write("out/run.json", "{}");
  EXPECT_THAT(opening_error(), AllOf(HasSubstr("run.json: found another record"), HasSubstr("align again")));
  std::string later = record;
  later.replace(later.find("\"dropout\""), 9, "\"droppin\"");
  here.write("out/run.json", later);
  EXPECT_THAT(opening_error(), HasSubstr("\"droppin\" is no parameter"));
  here.write("out/run.json", record);
  here.write("out/links.tsv", "left\tright\tscore\tmargin\tconfidence\nb\ty\t0.5\t0.1\tsure\n");
  EXPECT_THAT(opening_error(), HasSubstr("links.tsv:2: found \"sure\"; expected a number"));
  here.write("out/links.tsv", "b\ty\t0.5\t0.1\t1\n");
  EXPECT_THAT(opening_error(), HasSubstr("links.tsv:1: found no column \"left\""));
  std::filesystem::remove(here / "out/links.tsv");
  EXPECT_THAT(opening_error(), HasSubstr("links.tsv: cannot open"));
}

TEST_F(SavedRunFolder, AModelOfOtherGraphsIsRefused) {
  SavedRun run = open_run(here / "out");
  run.left_entities = 4;
  EXPECT_THAT(error_of([&] { (void)load_run_model(run); }), HasSubstr("found a model of 6 entities"));
}

TEST_F(SavedRunFolder, ARunOfRulesHasNoModel) {
  std::filesystem::remove(here / "out/model.dovetail");  // as they leave it
  const SavedRun run = open_run(here / "out");
  EXPECT_THAT(error_of([&] { (void)load_run_model(run); }), HasSubstr("align with another strategy"));
}

TEST_F(SavedRunFolder, GraphsThatCameFromNoFileCannotBeLoaded) {
  Listener listener;
  LoadedPair pair = load_files(here / "left.tsv", here / "right.tsv", {}, {}, listener);
  pair.source = {};
  save_run(dovetail::Run{}, pair, here / "memory", {.report = false});
  const SavedRun run = open_run(here / "memory");
  EXPECT_FALSE(run.inputs.has_value());
  EXPECT_THAT(error_of([&] { (void)load_run_inputs(run, false, listener); }), HasSubstr("came from no file"));
}

}  // namespace
}  // namespace dovetail::test
