#include <dovetail/errors.h>
#include <dovetail/study.h>

#include <algorithm>
#include <fmt/format.h>

#include "common/text.h"

namespace dovetail {
namespace {

const std::vector<std::string> kCosts = {"hits@1", "seconds", "memory"};
const std::vector<std::string> kAccuracy = {"hits@1", "hits@10", "mrr", "seconds"};

Variant variant(const std::string& name, std::vector<Setting> settings) {
  return {.name = name, .settings = std::move(settings), .series = {}, .x = 0};
}

StudyPlan runs() {
  return {.name = "runs",
          .title = "Repeated runs",
          .variants = {variant("as set", {})},
          .figures = {"hits@1", "hits@10", "mrr", "seconds", "memory"}};
}

/// With negatives a model learns more slowly, and better from ends that are not alike to begin with: the best
/// of a few settings that were tried.
std::vector<Setting> truncated_loss() {
  return {{"loss", "triplet"}, {"negatives", "nearest"},    {"tie-seeds", "no"},        {"batch-size", "0"},
          {"epochs", "60"},    {"epochs-per-sample", "20"}, {"learning-rate", "0.005"}, {"dropout", "0.3"}};
}

/// The paper's components, taken out one by one, and the baseline that has none of them.
StudyPlan ablation() {
  return {.name = "ablation",
          .title = "What each component is worth",
          .base = {{"sampling", "attention"}},
          .variants = {variant("PSR", {}), variant("without RSE: linear maps", {{"transform", "linear"}}),
                       variant("without RAA: all edges equal", {{"attention", "none"}}),
                       variant("without MHR: residual", {{"representation", "residual"}}),
                       variant("without RAGS: uniform sampling", {{"sampling", "uniform"}}),
                       variant("without SNAL: truncated loss", truncated_loss()),
                       variant("GCN-Align", {{"preset", "gcn-align"}})},
          .figures = {"hits@1", "mrr", "seconds", "memory"}};
}

/// One key with numbers as its values, and a numeric axis.
StudyPlan numbers(const std::string& name, const std::string& title, const std::string& axis,
                  const std::vector<std::string>& values) {
  StudyPlan plan{.name = name, .title = title, .figures = kCosts, .axis = axis};
  for (const std::string& value : values) {
    plan.variants.push_back(
        {.name = value, .settings = {{name, value}}, .series = {}, .x = parse_number(value).value_or(0)});
  }
  return plan;
}

StudyPlan batch_size() {
  StudyPlan plan =
      numbers("batch-size", "Batch size", "Batch size (pairs)", {"128", "256", "512", "768", "1024"});
  plan.base = {{"sampling", "attention"}};  // else a step sees the whole graph, however small its batch
  plan.trend = Trend::linear;
  return plan;
}

StudyPlan dimension() {
  StudyPlan plan = numbers("dimension", "Dimension of embeddings", "Dimension (numbers in an embedding)",
                           {"100", "200", "300", "400"});
  plan.trend = Trend::linear;
  return plan;
}

StudyPlan review() {
  StudyPlan plan{.name = "review",
                 .title = "Reviewing what was learned",
                 .base = {{"mode", "semi"}, {"strategy", "paper"}},
                 .figures = {"hits@1", "seconds", "reviewed"}};
  for (const char* epsilon : {"0.01", "0.02", "0.05", "0.1"}) {
    plan.variants.push_back(variant(fmt::format("epsilon {}", epsilon), {{"epsilon", epsilon}}));
  }
  plan.variants.push_back(variant("normal: all pairs again", {{"strategy", "normal"}}));
  plan.variants.push_back(variant("no review", {{"strategy", "no-review"}}));
  return plan;
}

const char* const kModes[] = {"basic", "semi", "names"};

StudyPlan seed_ratio() {
  StudyPlan plan{.name = "seed-ratio",
                 .title = "Share of links that is learned from",
                 .figures = {"hits@1", "mrr", "seconds"},
                 .axis = "Seeds (% of all links)"};
  for (const char* mode : kModes) {
    for (const int percent : {10, 20, 30, 40, 50}) {
      plan.variants.push_back(
          {.name = fmt::format("{}, {}%", mode, percent),
           .settings = {{"mode", mode}, {"seed-ratio", fmt::format("{}", percent / 100.0)}},
           .series = mode,
           .x = static_cast<double>(percent)});
    }
  }
  return plan;
}

StudyPlan one_key(const std::string& name, const std::string& title, const std::string& key,
                  const std::vector<std::string>& values) {
  StudyPlan plan{.name = name, .title = title, .figures = kAccuracy};
  for (const std::string& value : values) plan.variants.push_back(variant(value, {{key, value}}));
  return plan;
}

StudyPlan degree() {
  StudyPlan plan = one_key("degree", "Hits@1 by the degree of entities", "mode", {"basic", "semi", "names"});
  plan.figures = {"hits@1"};
  plan.by_degree = true;
  return plan;
}

StudyPlan scale() {
  return {.name = "scale",
          .title = "Growing graphs",
          .variants = {variant("as set", {})},
          .figures = {"seconds", "memory", "hits@1"},
          .axis = "Entities a side",
          .by_size = true,
          .trend = Trend::power};
}

struct Named {
  StudyName name;
  StudyPlan (*plan)();
};

const std::vector<Named>& all_plans() {
  static const std::vector<Named> plans = {
      {{"runs", "Mean and deviation over seeds, t-test"}, runs},
      {{"ablation", "PSR without each of its parts; GCN-Align"}, ablation},
      {{"batch-size", "128 to 1,024 pairs in a step"}, batch_size},
      {{"dimension", "100 to 400 numbers in an embedding"}, dimension},
      {{"review", "Epsilon .01 to .1, normal, no review"}, review},
      {{"seed-ratio", "10% to 50% of links: basic, semi, names"}, seed_ratio},
      {{"degree", "By entity degree: basic, semi, names"}, degree},
      {{"decoders", "Greedy, CSLS, Sinkhorn, assignment, stable"},
       [] {
         return one_key("decoders", "Ways of deciding", "decoder",
                        {"greedy", "csls", "sinkhorn", "assignment", "stable"});
       }},
      {{"scale", "Generated pairs of growing size; no INPUT"}, scale},
  };
  return plans;
}

}  // namespace

const std::vector<StudyName>& study_names() {
  static const std::vector<StudyName> names = [] {
    std::vector<StudyName> result;
    for (const Named& plan : all_plans()) result.push_back(plan.name);
    return result;
  }();
  return names;
}

StudyPlan study_plan(std::string_view name) {
  std::string known;
  for (const Named& plan : all_plans()) {
    if (name == plan.name.name) return plan.plan();
    known += fmt::format("{}{}", known.empty() ? "" : ", ", plan.name.name);
  }
  throw ParameterError(fmt::format("{} is no study; expected {}, or vary", shown(name), known));
}

StudyPlan sweep_plan(const std::vector<Sweep>& sweeps) {
  StudyPlan plan{.name = "vary", .title = {}, .variants = {variant("", {})}, .figures = kAccuracy};
  plan.figures.emplace_back("memory");
  for (const Sweep& sweep : sweeps) {
    plan.title += fmt::format("{}{}", plan.title.empty() ? "" : " and ", sweep.key);
    std::vector<Variant> crossed;
    for (const Variant& so_far : plan.variants) {
      for (const std::string& value : sweep.values) {
        Variant next = so_far;
        const std::string setting = fmt::format("{} {}", sweep.key, value);
        next.name += (next.name.empty() ? "" : ", ") + setting;
        next.settings.push_back({sweep.key, value});
        // The last key is the axis; all others tell the lines apart.
        if (&sweep != &sweeps.back()) next.series = next.name;
        next.x = parse_number(value).value_or(0);
        crossed.push_back(std::move(next));
      }
    }
    plan.variants = std::move(crossed);
  }
  const std::vector<std::string>& last = sweeps.back().values;
  if (std::ranges::all_of(last, [](const std::string& value) { return parse_number(value).has_value(); })) {
    plan.axis = sweeps.back().key;
  }
  return plan;
}

}  // namespace dovetail
