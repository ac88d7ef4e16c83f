#include "alignment/plan.h"

#include <dovetail/errors.h>
#include <dovetail/generate.h>
#include <dovetail/parameters.h>
#include <dovetail/plan.h>
#include <dovetail/run.h>

#include <algorithm>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

#include "alignment/effect.h"
#include "formats/pair_writer.h"
#include "formats/support.h"

namespace dovetail::test {
namespace {

using ::testing::HasSubstr;

const LoadedPair& small_pair() {
  static const LoadedPair pair = [] {
    GenerateOptions options;
    options.entities = 150;
    options.split.seed_ratio = 0.75;  // enough to hold some out
    const Workspace here;
    Observer quiet;
    const auto writer = make_pair_writer(here / "pair", Format::dbp15k, {}, quiet);
    generate_pair(resolve_options(options), *writer, quiet);
    writer->commit();
    return load_folder(here / "pair", {}, quiet);
  }();
  return pair;
}

AlignOptions quick(Mode mode, Strategy strategy) {
  AlignOptions options;
  options.mode = mode;
  options.semi.strategy = strategy;
  options.encoder.dimension = 16;
  options.semi.scout_dimension = 8;
  options.semi.restart_steps = 3;
  options.semi.turns = strategy == Strategy::paper ? 3 : 2;  // it reviews from the third on
  if (mode == Mode::basic) options.training.epochs = 2;
  options.deciding.compare = false;
  options.deciding.pool = CandidatePool::open;
  options.threads = 1;
  return options;
}

/// Another value of a parameter that is within its range and means something else.
std::string other_value(const std::string& name, const std::string& value) {
  static const std::map<std::string, std::string> kOthers = {{"batch-size", "5"},

                                                             {"pool", "test"},
                                                             {"decoder", "stable"},
                                                             {"cardinality", "n:m"},
                                                             {"min-confidence", "0.999"},
                                                             {"precision", "0.999"},
                                                             {"none-above", "0.01"},
                                                             {"memory", "20G"},
                                                             {"seed", "7"},
                                                             {"sampling", "attention"},
                                                             {"search", "exact"},
                                                             {"loss", "triplet"},
                                                             {"entity-feature", "raw"},
                                                             {"attention", "none"},
                                                             {"transform", "linear"},
                                                             {"reflection", "unit"},
                                                             {"representation", "last"},
                                                             {"optimiser", "adam"},
                                                             {"negatives", "uniform"},
                                                             {"name-source", "labels"},
                                                             {"dropout", "0.5"},
                                                             {"learning-rate", "0.02"},
                                                             {"decay", "0.5"},
                                                             {"sure", "0.99"},
                                                             {"temperature", "0.5"},
                                                             {"restart-rate", "0.02"},
                                                             {"word-vectors", "absent.vec"},
                                                             {"restart-batch", "5"},
                                                             {"epsilon", "0"},
                                                             {"optimiser-epsilon", "0.01"},
                                                             {"standardise-epsilon", "0.5"},

                                                             {"rule-partner", "0.999"},
                                                             {"rule-least-belief", "0.9"},
                                                             {"rule-least-weight", "0.9"},
                                                             {"rule-most-weight", "0.1"},
                                                             {"rule-least-proposal", "0.9"},
                                                             {"rule-crowd", "2"},
                                                             {"belief-start-rounds", "1"},
                                                             {"belief-start-proposals", "1"},
                                                             {"belief-rounds", "1"},
                                                             {"belief-proposing-rounds", "0"},
                                                             {"belief-proposals", "1"},
                                                             {"belief-most", "0.6"},
                                                             {"belief-settled", "0.01"},
                                                             {"belief-support", "0.99"},
                                                             {"belief-forgotten", "0.5"},
                                                             {"rule-support-proposals", "0"},
                                                             {"structure-scale", "0.5"},
                                                             {"name-scale", "0.7"},
                                                             {"attributes", "absent.tsv"},
                                                             {"right-word-vectors", "absent.vec"}};
  if (name == "mode") return value == "basic" ? "semi" : "basic";
  if (name == "strategy") return value == "restart" ? "best" : "restart";
  if (const auto found = kOthers.find(name); found != kOthers.end()) return found->second;
  if (value == "yes") return "no";
  if (value == "no") return "yes";
  if (value.find('.') == std::string::npos) return fmt::format("{}", std::stoull(value) + 3);
  return fmt::format("{}", std::stod(value) * 1.7);
}

/// What concerns only speed, memory or what is written beside the links, or nothing of so small a pair:
/// regions of an approximate search, draws that take every edge, more batches than links, development links
/// that are not there.
bool beside_the_links(const std::string& name) {
  static const std::set<std::string> kBeside = {"compare",       "reasons",          "memory",
                                                "search",        "search-fold",      "search-probes",
                                                "most-batches",  "patience",         "learn-scales",
                                                "candidates",    "cardinality",      "weight-words",
                                                "transliterate", "name-source",      "sampling",
                                                "word-vectors",  "rule-least-doubt", "rule-likely-rounds",
                                                "attributes"};
  return kBeside.contains(name);
}

std::string links_of(const Run& run) {
  std::string text;
  for (const DecidedLink& link : run.decisions.links) {
    text += fmt::format("{} {} {} {};", link.left, link.right, link.score, link.confidence);
  }
  return text;
}

struct Case {
  Mode mode;
  Strategy strategy;
};

class EveryParameter : public ::testing::TestWithParam<Case> {};

TEST_P(EveryParameter, ChangesThePlanAndTheResultOrIsRefused) {
  const AlignOptions base = quick(GetParam().mode, GetParam().strategy);
  Observer quiet;
  const std::string base_plan = plan_text(settle(small_pair(), base, quiet));
  const std::string base_links = links_of(run_alignment(small_pair(), base, quiet));
  std::size_t counted = 0, refused = 0;
  for (const auto& [name, value] : parameter_texts(base)) {
    SCOPED_TRACE(name);
    AlignOptions changed = base;
    set_parameter(changed, name, other_value(name, value));
    changed.given = changed.must_count = {name};
    try {
      EXPECT_FALSE(plan_text(settle(small_pair(), changed, quiet)) == base_plan) << "the plan is the same";
    } catch (const ParameterError& error) {
      EXPECT_THAT(error.what(), HasSubstr(name));
      ++refused;
      continue;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr("absent.vec"));  // it looks for the file
      continue;
    }
    if (beside_the_links(name)) continue;
    EXPECT_FALSE(links_of(run_alignment(small_pair(), changed, quiet)) == base_links)
        << "the links are the same";
    ++counted;
  }
  EXPECT_GE(counted, 10U);
  EXPECT_GT(refused, 3U);
}

INSTANTIATE_TEST_SUITE_P(
    Plan, EveryParameter,
    ::testing::Values(Case{Mode::basic, Strategy::best}, Case{Mode::semi, Strategy::best},
                      Case{Mode::names, Strategy::best}, Case{Mode::semi, Strategy::restart},
                      Case{Mode::semi, Strategy::rules}, Case{Mode::semi, Strategy::paper},
                      Case{Mode::semi, Strategy::normal}, Case{Mode::semi, Strategy::no_review}));

TEST(Plan, SaysWhatRulesAnOptionOut) {
  Observer quiet;
  AlignOptions options = quick(Mode::semi, Strategy::rules);
  options.must_count = {"dimension"};
  try {
    (void)settle(small_pair(), options, quiet);
    FAIL() << "dimension counts although nothing is trained";
  } catch (const ParameterError& error) {
    EXPECT_THAT(error.what(), HasSubstr("dimension has no effect because strategy is rules"));
  }
  options.must_count.clear();
  EXPECT_EQ(settle(small_pair(), options, quiet).trainings, 0U);
}

TEST(Plan, DefaultsOfBestAreItsOwnUnlessTheyAreGiven) {
  AlignOptions options;
  options.mode = Mode::semi;
  EXPECT_EQ(with_trainings_settled(options).encoder.dimension, options.semi.scout_dimension);
  options.given = {"dimension"};
  EXPECT_EQ(with_trainings_settled(options).encoder.dimension, 300U);
  options.training.batch_size = 7;
  options.training.learning_rate = 0.5;
  const AlignOptions settled = with_trainings_settled(options);
  EXPECT_EQ(settled.semi.restart_batch, 7U);
  EXPECT_EQ(settled.semi.restart_rate, 0.5);
}

TEST(Plan, IsTheSameAgainFromItsOwnOptions) {
  Observer quiet;
  for (const Strategy strategy : {Strategy::best, Strategy::restart, Strategy::paper}) {
    const Plan once = settle(small_pair(), quick(Mode::semi, strategy), quiet);
    EXPECT_EQ(plan_json(settle(small_pair(), once.options, quiet)), plan_json(once));
  }
}

}  // namespace
}  // namespace dovetail::test
