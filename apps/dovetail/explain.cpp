#include <dovetail/errors.h>
#include <dovetail/evidence.h>
#include <dovetail/graph.h>
#include <dovetail/text.h>

#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "terminal.h"
#include "verbs.h"

using namespace dovetail;

namespace {

using nlohmann::ordered_json;

struct ExplainVerb {
  std::string folder;
  std::string entity;
  bool json = false;
};

std::string text_of(const ordered_json& value) {
  return printable(value.get<std::string>());
}

/// "name, 6 edges" under the identifier that precedes it.
std::string described(const ordered_json& record, const char* identifier) {
  const std::string id = text_of(record.at(identifier)), name = text_of(record.at("name"));
  const auto degree = record.at("degree").get<std::uint64_t>();
  return fmt::format("{}\n      {}{} edge{}\n", id, name == id ? "" : name + ", ", with_commas(degree),
                     plural(degree));
}

/// An edge as seen from the entity: where it leads, and by what relation.
std::string edge_text(const ordered_json& edge) {
  const std::string relation = text_of(edge.at("relation"));
  const bool inverse = relation.starts_with('^');
  const std::string_view called = last_part(std::string_view(relation).substr(inverse ? 1 : 0));
  const std::string name = text_of(edge.at("name"));
  return fmt::format("{} {}{}  {}", inverse ? "is the" : "has the", called, inverse ? " of" : "",
                     name.empty() ? text_of(edge.at("entity")) : name);  // a literal has no name
}

std::string reasons_text(const ordered_json& reasons) {
  std::string text;
  for (const ordered_json& reason : reasons) {
    text += fmt::format("{:>8.2f}{:>8.2f}  left   {}\n{:16}  right  {}\n", reason.at("weight").get<double>(),
                        reason.at("belief").get<double>(), edge_text(reason.at("left")), "",
                        edge_text(reason.at("right")));
  }
  return text.empty() ? fmt::format("{:18}nothing\n", "") : text;
}

/// Why an entity has no link, in one sentence.
std::string why_unmatched(const ordered_json& record) {
  if (!record.contains("unmatched"))
    return "      has no link: no candidate is sure enough, or another entity has the better claim\n";
  const ordered_json& own = record.at("unmatched");
  const std::string reason = text_of(own.at("reason")), candidate = text_of(own.at("candidate"));
  const double none = own.at("no_counterpart").get<double>();
  std::string text =
      fmt::format("      has no link: {} (probability of no counterpart {:.3f})\n", reason, none);
  if (candidate.empty()) return text + "      nothing in the other graph is like it\n";
  text += fmt::format("      best candidate {}, score {:.4f}\n", candidate, own.at("score").get<double>());
  if (own.contains("candidate_linked_to")) {
    text += fmt::format("      which is linked to {}, confidence {:.3f}\n",
                        text_of(own.at("candidate_linked_to")), own.at("candidate_confidence").get<double>());
  } else if (reason == "candidate taken") {
    text += "      which is a seed's or is likely to have no counterpart\n";
  } else if (reason == "unsure") {
    text += "      their link was left out by --min-confidence or --precision\n";
  }
  return text;
}

std::string as_text(const ordered_json& record) {
  const bool is_left = record.contains("left");
  std::string text =
      is_left ? "left  " + described(record, "left") : "right " + text_of(record.at("right")) + "\n";
  if (!is_left && record.at("name") != record.at("right"))
    text += "      " + text_of(record.at("name")) + "\n";
  const ordered_json& link = record.at("link");
  if (link.is_object()) {
    text += "right " + described(link, "right");
    text += fmt::format("      confidence {:.3f}, evidence {:.2f}\n", link.at("confidence").get<double>(),
                        link.at("evidence").get<double>());
    text += "\n  weight  belief  speaks for it\n" + reasons_text(link.at("for"));
    text += "\n  weight  belief  speaks against it\n" + reasons_text(link.at("against"));
  } else {
    text += why_unmatched(record);
  }
  text += "\n   score  evidence  candidates\n";
  for (const ordered_json& candidate : record.at("candidates")) {
    text += fmt::format("{:>8.4f}{:>10.2f}  {}\n", candidate.at("score").get<double>(),
                        candidate.at("evidence").get<double>(), text_of(candidate.at("entity")));
  }
  return text;
}

void explain(const ExplainVerb& verb) {
  std::vector<ordered_json> found;
  for (const std::string& record : evidence_records(verb.folder, verb.entity)) {
    found.push_back(ordered_json::parse(record));
  }
  if (found.empty()) {
    throw ParameterError(fmt::format(
        "{} is in no link of {} and was not in question: it is a seed's, or in neither graph; expected "
        "an entity's identifier or its whole name",
        shown(verb.entity), verb.folder));
  }
  bool first = true;
  for (const ordered_json& record : found) {
    if (verb.json) {
      print_result(fmt::format("{}\n", json_text(record, -1)));
      continue;
    }
    try {
      print_result(fmt::format("{}{}", first ? "" : "\n", as_text(record)));
    } catch (const ordered_json::exception& error) {
      throw InputError(
          (std::filesystem::path(verb.folder) / "evidence.jsonl").string(), 0,
          fmt::format("found a damaged record ({}); expected what align writes; align again", error.what()));
    }
    first = false;
  }
}

}  // namespace

void add_explain(CLI::App& app, CommonOptions& /*common*/) {
  auto verb = std::make_shared<ExplainVerb>();
  CLI::App* sub = app.add_subcommand("explain", "Say why an entity was linked, or not");
  sub->group("Verbs");
  set_usage(*sub, "Usage: dovetail explain FOLDER ENTITY [OPTIONS]");
  sub->add_option("FOLDER", verb->folder, "What dovetail align wrote")->required()->type_name("");
  sub->add_option("ENTITY", verb->entity, "Its identifier or name, of either side")
      ->required()
      ->type_name("");
  sub->add_flag("--json", verb->json, "Print the records as they are");
  sub->footer(
      "Prints the neighbours and relations that speak for a link and against it. The\n"
      "belief is how sure it is that the two neighbours are the same, the weight what\n"
      "follows from that for the link; weights add up to the evidence. Against it\n"
      "speaks a neighbour that the other side has another one in place of. Of an entity\n"
      "without a link it prints the reason and the best candidates.\n\n"
      "Example:\n"
      "  dovetail explain alignment http://example.org/left/Q42");
  sub->callback([verb] { explain(*verb); });
}
