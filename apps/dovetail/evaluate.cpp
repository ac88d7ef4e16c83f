#include <dovetail/errors.h>
#include <dovetail/io.h>
#include <dovetail/link_metrics.h>
#include <dovetail/text.h>

#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "inputs.h"
#include "terminal.h"
#include "terminal_observer.h"
#include "verbs.h"

using namespace dovetail;

namespace {

struct EvaluateVerb {
  std::string links;
  std::string gold;
  std::string format = "auto";
  std::string gold_format = "auto";
  std::string seeds;
  std::string of;
  bool complete = false;
  bool json = false;
};

/// The metrics of the links.
struct Verdict {
  LinkMetrics usual;
  std::optional<StrictMetrics> strict;  ///< if the gold is complete
  Calibration calibration;              ///< count 0 if there are no confidences
};

nlohmann::json figures(const PrecisionRecall& metrics) {
  return {{"predicted", metrics.predicted}, {"gold", metrics.gold},     {"correct", metrics.correct},
          {"precision", metrics.precision}, {"recall", metrics.recall}, {"f1", metrics.f1}};
}

nlohmann::json as_json(const Calibration& calibration) {
  nlohmann::json bins = nlohmann::json::array();
  for (const Calibration::Bin& bin : calibration.bins) {
    bins.push_back({{"count", bin.count}, {"confidence", bin.confidence}, {"right", bin.right}});
  }
  return {{"count", calibration.count},
          {"confidence", calibration.confidence},
          {"right", calibration.right},
          {"expected_calibration_error", calibration.expected_error},
          {"bins", bins}};
}

nlohmann::json as_json(const Verdict& verdict) {
  const LinkMetrics& usual = verdict.usual;
  nlohmann::json record = figures(usual);
  record["unjudged"] = usual.unjudged;
  if (usual.ranked) {
    record["hits@1"] = usual.ranks.hits_at_1;
    record["hits@5"] = usual.ranks.hits_at_5;
    record["hits@10"] = usual.ranks.hits_at_10;
    record["mrr"] = usual.ranks.mrr;
  }
  if (verdict.strict) {
    record["strict"] = figures(*verdict.strict);
    record["strict"]["best_f1"] = verdict.strict->best_f1;
    record["strict"]["best_score"] = verdict.strict->best_score;
  }
  if (verdict.calibration.count > 0) record["calibration"] = as_json(verdict.calibration);
  return record;
}

/// Both ways of counting side by side.
std::string side_by_side(const LinkMetrics& usual, const StrictMetrics& strict) {
  std::string text = fmt::format("{:<22}{:>10}{:>10}\n", "", "usual", "strict");
  const auto counts = [&](const char* what, std::uint64_t one, std::uint64_t other) {
    text += fmt::format("{:<22}{:>10}{:>10}\n", what, with_commas(one), with_commas(other));
  };
  const auto shares = [&](const char* what, double one, double other) {
    text += fmt::format("{:<22}{:>10.4f}{:>10.4f}\n", what, one, other);
  };
  counts("links that count", usual.predicted, strict.predicted);
  counts("of these right", usual.correct, strict.correct);
  counts("gold links", usual.gold, strict.gold);
  shares("precision", usual.precision, strict.precision);
  shares("recall", usual.recall, strict.recall);
  shares("F1", usual.f1, strict.f1);
  return text + fmt::format("strict F1 is highest, {:.4f}, with links of score {:.4g} or more\n",
                            strict.best_f1, strict.best_score);
}

std::string as_text(const Calibration& calibration) {
  std::string text = fmt::format(
      "\n{} links have a confidence and can be judged: mean {:.4f}, right {:.4f}\n"
      "expected calibration error {:.4f}, in bins of equal count:\n{:>10}{:>14}{:>10}\n",
      with_commas(calibration.count), calibration.confidence, calibration.right, calibration.expected_error,
      "links", "confidence", "right");
  for (const Calibration::Bin& bin : calibration.bins) {
    if (bin.count == 0) continue;
    text += fmt::format("{:>10}{:>14.4f}{:>10.4f}\n", with_commas(bin.count), bin.confidence, bin.right);
  }
  return text;
}

std::string as_text(const Verdict& verdict) {
  const LinkMetrics& metrics = verdict.usual;
  std::string text = verdict.strict
                         ? side_by_side(metrics, *verdict.strict)
                         : fmt::format(
                               "{} of {} gold links have a prediction, {} of these are right\n"
                               "precision {:.4f}   recall {:.4f}   F1 {:.4f}\n",
                               with_commas(metrics.predicted), with_commas(metrics.gold),
                               with_commas(metrics.correct), metrics.precision, metrics.recall, metrics.f1);
  if (metrics.ranked) {
    text +=
        fmt::format("Hits@1 {:.4f}   Hits@5 {:.4f}   Hits@10 {:.4f}   MRR {:.4f}\n", metrics.ranks.hits_at_1,
                    metrics.ranks.hits_at_5, metrics.ranks.hits_at_10, metrics.ranks.mrr);
  }
  if (metrics.unjudged > 0 && !verdict.strict) {
    text +=
        fmt::format("{} more entities have a prediction, but no gold link\n", with_commas(metrics.unjudged));
  }
  return verdict.calibration.count > 0 ? text + as_text(verdict.calibration) : text;
}

void check_confidences(const EvaluateVerb& verb, const std::vector<NamedLink>& links) {
  for (const NamedLink& link : links) {
    if (!link.confidence || (*link.confidence >= 0 && *link.confidence <= 1)) continue;
    throw InputError(
        verb.links, 0,
        fmt::format("found the confidence {} of {}; expected a probability from 0 to 1; call the "
                    "column score if it is none",
                    *link.confidence, shown(link.left)));
  }
}

/// Refuses files that have no entity in common.
void check_comparable(const EvaluateVerb& verb, const std::vector<NamedLink>& links,
                      const std::vector<NamedLink>& gold) {
  if (gold.empty()) {
    throw InputError(verb.gold, 0, "found no link; expected at least one link known to be right");
  }
  if (links.empty() || share_entities(links, gold)) return;
  std::vector<NamedLink> swapped = gold;
  for (NamedLink& link : swapped) std::swap(link.left, link.right);
  throw InputError(
      verb.links, 0,
      fmt::format(
          "found no entity that is also in {}, the first is {}; expected links of the same two graphs; {}",
          verb.gold, shown(links.front().left),
          share_entities(links, swapped) ? "swap the columns of one of the two files"
                                         : "check that the two files belong together"));
}

void evaluate(const EvaluateVerb& verb, const CommonOptions& common) {
  TerminalObserver observer(common.quiet);
  auto links = load_links(verb.links, format_from_name(verb.format), {}, observer);
  auto gold = load_links(verb.gold, format_from_name(verb.gold_format), {}, observer);
  check_comparable(verb, links, gold);
  check_confidences(verb, links);
  if (!verb.seeds.empty())
    leave_out_seeds(load_links(verb.seeds, Format::automatic, {}, observer), links, gold);
  if (!verb.of.empty()) {
    keep_matching(verb.of, links);
    keep_matching(verb.of, gold);
  }
  if (gold.empty()) {
    throw ParameterError(fmt::format("{} no gold link; expected some to compare with",
                                     verb.of.empty()      ? "--seeds leaves"
                                     : verb.seeds.empty() ? "--of leaves"
                                                          : "--seeds and --of leave"));
  }
  Verdict verdict{.usual = link_metrics(links, gold),
                  .strict = std::nullopt,
                  .calibration = link_calibration(links, gold, verb.complete)};
  if (verb.complete) verdict.strict = strict_metrics(links, gold);
  observer.clear();
  print_result(verb.json ? as_json(verdict).dump(2) + "\n" : as_text(verdict));
}

}  // namespace

void add_evaluate(CLI::App& app, CommonOptions& common) {
  auto verb = std::make_shared<EvaluateVerb>();
  CLI::App& sub =
      new_verb(app, "evaluate", "Compare links with links known to be right",
               {.usage = {"dovetail evaluate LINKS --gold GOLD [OPTIONS]"},
                .examples = {"dovetail evaluate alignment/links.tsv --gold test_links.tsv",
                             "dovetail evaluate alignment/links.tsv --gold gold.csv --complete"},
                .notes = "Several rows for one left entity are its candidates: the one with the highest\n"
                         "score is the prediction, and the rank of the right one gives Hits@k. Where\n"
                         "scores are equal, the right one counts as the last of them. Only left entities\n"
                         "of the gold links count; with --complete every link counts (strict). Confidences\n"
                         "are compared with the share of links that are right."});
  sub.add_option("LINKS", verb->links, "Predicted links, with scores if they are ranked")
      ->required()
      ->type_name("");
  sub.add_option("--gold", verb->gold, "Links known to be right")->required()->type_name("FILE");
  std::vector<std::string> names = format_names({FormatKind::links});
  names.emplace_back("auto");
  sub.add_option("--format,--links-format", verb->format, "Format of LINKS")
      ->check(one_of(names))
      ->capture_default_str()
      ->type_name("FORMAT");
  sub.add_option("--gold-format", verb->gold_format, "Format of GOLD")
      ->check(one_of(names))
      ->capture_default_str()
      ->type_name("FORMAT");
  sub.add_flag("--complete", verb->complete, "Count every link that the gold links lack as wrong");
  sub.add_option("--seeds", verb->seeds, "Links that the alignment was given; they are left out")
      ->type_name("FILE");
  sub.add_option("--of", verb->of, "Count only left entities that match this expression")->type_name("REGEX");
  add_json(sub, verb->json, "Print the metrics as JSON");
  common.add_to(sub, {.reads = true});
  sub.callback([verb, &common] { evaluate(*verb, common); });
}
