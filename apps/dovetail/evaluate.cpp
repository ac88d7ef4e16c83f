#include <dovetail/errors.h>
#include <dovetail/io.h>
#include <dovetail/link_metrics.h>

#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "common/text.h"
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
  bool json = false;
};

nlohmann::json as_json(const LinkMetrics& metrics) {
  nlohmann::json record = {{"predicted", metrics.predicted},
                           {"gold", metrics.gold},
                           {"correct", metrics.correct},
                           {"unjudged", metrics.unjudged},
                           {"precision", metrics.precision},
                           {"recall", metrics.recall},
                           {"f1", metrics.f1}};
  if (metrics.ranked) {
    record["hits@1"] = metrics.ranks.hits_at_1;
    record["hits@5"] = metrics.ranks.hits_at_5;
    record["hits@10"] = metrics.ranks.hits_at_10;
    record["mrr"] = metrics.ranks.mrr;
  }
  return record;
}

std::string as_text(const LinkMetrics& metrics) {
  std::string text = fmt::format(
      "{} of {} gold links have a prediction, {} of these are right\n"
      "precision {:.4f}   recall {:.4f}   F1 {:.4f}\n",
      with_commas(metrics.predicted), with_commas(metrics.gold), with_commas(metrics.correct),
      metrics.precision, metrics.recall, metrics.f1);
  if (metrics.ranked) {
    text +=
        fmt::format("Hits@1 {:.4f}   Hits@5 {:.4f}   Hits@10 {:.4f}   MRR {:.4f}\n", metrics.ranks.hits_at_1,
                    metrics.ranks.hits_at_5, metrics.ranks.hits_at_10, metrics.ranks.mrr);
  }
  if (metrics.unjudged > 0) {
    text +=
        fmt::format("{} more entities have a prediction, but no gold link\n", with_commas(metrics.unjudged));
  }
  return text;
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
  const auto links = load_links(verb.links, format_from_name(verb.format), {}, observer);
  const auto gold = load_links(verb.gold, format_from_name(verb.gold_format), {}, observer);
  check_comparable(verb, links, gold);
  const LinkMetrics metrics = link_metrics(links, gold);
  observer.clear();
  print_result(verb.json ? as_json(metrics).dump(2) + "\n" : as_text(metrics));
}

}  // namespace

void add_evaluate(CLI::App& app, CommonOptions& common) {
  auto verb = std::make_shared<EvaluateVerb>();
  CLI::App& sub =
      new_verb(app, "evaluate", "Compare links with links known to be right",
               {.usage = {"dovetail evaluate LINKS --gold GOLD [OPTIONS]"},
                .examples = {"dovetail evaluate alignment/links.tsv --gold test_links.tsv"},
                .notes = "Several rows for one left entity are its candidates: the one with the highest\n"
                         "score is the prediction, and the rank of the right one gives Hits@k. Where\n"
                         "scores are equal, the right one counts as the last of them."});
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
  add_json(sub, verb->json, "Print the metrics as JSON");
  common.add_to(sub, {.reads = true});
  sub.callback([verb, &common] { evaluate(*verb, common); });
}
