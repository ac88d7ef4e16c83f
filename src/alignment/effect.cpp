#include "alignment/effect.h"

#include <dovetail/errors.h>
#include <dovetail/parameters.h>

#include <algorithm>
#include <fmt/format.h>
#include <initializer_list>

namespace dovetail {
namespace {

/// Collects what is ruled out, by the first reason that applies.
class Ruling {
 public:
  /// If `holds`, the parameter `by`, which has `value`, rules these out.
  void out(bool holds, const char* by, std::string_view value, std::initializer_list<const char*> names) {
    if (!holds) return;
    for (const char* name : names) out_.emplace(name, fmt::format("{} is {}", by, value));
  }
  /// All parameters of a section.
  void section_out(bool holds, const char* by, std::string_view value, std::string_view section) {
    const AlignOptions all;
    visit_parameters(all, [&](const char* room, const char* name, const auto&, const char*) {
      if (room == section) out(holds, by, value, {name});
    });
  }
  [[nodiscard]] std::map<std::string, std::string> take() { return std::move(out_); }

 private:
  std::map<std::string, std::string> out_;
};

bool one_of(Strategy strategy, std::initializer_list<Strategy> some) {
  return std::ranges::find(some, strategy) != some.end();
}

/// What rules and the loop of beliefs read. An approximate search finds pairs by rules in every mode; it
/// counts here where it is asked for, for whether an automatic one becomes approximate depends on the pools.
void rule_out_rules(Ruling& rule, const AlignOptions& options) {
  const bool basic = options.mode == Mode::basic;
  const char* const by = basic ? "mode" : "strategy";
  const std::string_view value = basic ? enum_name(options.mode) : enum_name(options.semi.strategy);
  const bool alone = !basic && options.semi.strategy == Strategy::rules;
  const bool used = alone || (!basic && options.semi.strategy == Strategy::best);
  rule.out(!used, by, value,
           {"rule-weight", "rule-power", "rule-iterations", "rule-least-doubt", "belief-start-rounds",
            "belief-start-proposals", "belief-rounds", "belief-proposing-rounds", "belief-proposals",
            "belief-settled", "belief-forgotten"});
  rule.out(alone, by, value, {"belief-settled", "rule-likely-rounds"});
  const Search search = options.matching.search;
  for (const char* section : {"rules", "beliefs"}) {
    rule.section_out(!used && search != Search::approximate, by, value, section);
  }
  rule.out(search == Search::exact || search == Search::four_bit, "search", enum_name(search),
           {"rule-likely-rounds"});
  rule.out(options.deciding.reasons == 0, "reasons", "0", {"rule-least-doubt"});
  // In open pools nothing is outside of them but seeds, which are known.
  const bool open = options.deciding.pool == CandidatePool::open;
  rule.out(open && search != Search::approximate, "candidates", "open", {"rule-support-proposals"});
  rule.out(open && alone, "candidates", "open", {"belief-support"});
}

}  // namespace

std::map<std::string, std::string> without_effect(const AlignOptions& options) {
  Ruling rule;
  const bool basic = options.mode == Mode::basic;
  const Strategy strategy = options.semi.strategy;
  const std::string_view mode_name = enum_name(options.mode), strategy_name = enum_name(strategy);
  // Mode and strategy.
  rule.out(basic, "mode", mode_name, {"strategy"});
  rule.section_out(basic, "mode", mode_name, "semi");
  rule.section_out(options.mode != Mode::names, "mode", mode_name, "names");
  rule.section_out(options.mode != Mode::values, "mode", mode_name, "values");
  const bool rules_alone = !basic && strategy == Strategy::rules;
  for (const char* section : {"encoder", "sampling", "loss", "training", "semi"}) {
    rule.section_out(rules_alone, "strategy", strategy_name, section);
  }
  rule.out(rules_alone, "strategy", strategy_name,
           {"search", "search-fold", "search-probes", "clip", "structure-scale", "learn-scales"});
  rule.out(rules_alone && options.mode != Mode::names, "strategy", strategy_name,
           {"top-k", "csls", "sinkhorn-iterations"});
  const bool new_starts = !basic && one_of(strategy, {Strategy::best, Strategy::restart});
  const bool incremental = !basic && !new_starts && !rules_alone;
  rule_out_rules(rule, options);
  rule.out(new_starts, "strategy", strategy_name,
           {"most-batches", "tie-seeds", "patience", "turn-epochs", "epsilon"});
  rule.out(incremental, "strategy", strategy_name,
           {"most-batches", "restart-steps", "restart-batch", "restart-rate", "sure"});
  rule.out(incremental && !options.deciding.calibrate, "strategy", strategy_name, {"scout-dimension"});
  rule.out(incremental && strategy != Strategy::paper, "strategy", strategy_name, {"epsilon"});
  rule.out(new_starts && options.semi.restart_steps == 0, "epochs", "given", {"restart-steps"});
  rule.out(!basic && strategy == Strategy::best && options.deciding.pool == CandidatePool::open, "candidates",
           "open", {"sure"});
  // The encoder, sampling and the loss.
  rule.out(options.encoder.transform != Transform::reflection, "transform",
           enum_name(options.encoder.transform), {"reflection"});
  const Sampling sampling = options.sampling.method;
  const bool draws = sampling == Sampling::attention || sampling == Sampling::uniform;
  rule.out(!draws, "sampling", enum_name(sampling), {"tau", "reach", "distinct-draws"});
  const LossOptions& loss = options.loss;
  const bool triplet = loss.kind == LossKind::triplet;
  rule.out(!draws && (!triplet || loss.negatives != Negatives::nearest), "sampling", enum_name(sampling),
           {"epochs-per-sample"});
  rule.out(triplet, "loss", "triplet", {"standardise", "standardise-epsilon", "cosine-power"});
  rule.out(!triplet, "loss", "symmetric", {"margin", "negatives", "negative-count", "nearest"});
  rule.out(!loss.standardise, "standardise", "no", {"standardise-epsilon"});
  rule.out(triplet && loss.negatives != Negatives::nearest, "negatives", enum_name(loss.negatives),
           {"nearest"});
  const Optimiser optimiser = options.training.optimiser;
  rule.out(optimiser != Optimiser::rmsprop, "optimiser", enum_name(optimiser), {"decay"});
  rule.out(optimiser == Optimiser::gradient_descent, "optimiser", enum_name(optimiser),
           {"optimiser-epsilon"});
  // Matching and deciding.
  const Search search = options.matching.search;
  rule.out(search == Search::exact || search == Search::approximate, "search", enum_name(search),
           {"search-fold"});
  rule.out(search == Search::exact || search == Search::four_bit, "search", enum_name(search),
           {"search-probes"});
  rule.out(options.deciding.pool == CandidatePool::test, "candidates", "test", {"none-above"});
  rule.out(!options.deciding.calibrate, "calibrate", "no", {"none-above"});
  rule.out(options.names.left_vectors.empty(), "word-vectors", "not given",
           {"weight-vectors", "right-word-vectors"});
  return rule.take();
}

bool is_given(const AlignOptions& options, const std::string& name) {
  if (std::ranges::find(options.given, name) != options.given.end()) return true;
  const auto value_of = [&](const AlignOptions& some) {
    for (const auto& [known, text] : parameter_texts(some)) {
      if (known == name) return text;
    }
    throw Error(fmt::format("{} is no parameter", name));
  };
  return value_of(options) != value_of(AlignOptions());
}

void refuse_without_effect(const AlignOptions& settled) {
  const std::map<std::string, std::string> out = without_effect(settled);
  for (const std::string& name : settled.must_count) {
    const auto found = out.find(name);
    if (found == out.end()) continue;
    throw ParameterError(
        fmt::format("{} has no effect because {}; leave it out, or change that", name, found->second));
  }
}

}  // namespace dovetail
