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

/// The identifier, and below it name and number of edges.
std::string described(const ordered_json& record, const char* identifier) {
  const std::string id = text_of(record.at(identifier)), name = text_of(record.at("name"));
  const auto degree = record.at("degree").get<std::uint64_t>();
  return fmt::format("{}\n      {}{} edge{}\n", id, name == id ? "" : name + ", ", with_commas(degree),
                     plural(degree));
}

/// An edge of the entity: its relation and the neighbour.
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
    return "      has no link: no candidate is probable enough, or its candidate is linked to another "
           "entity\n";
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
    text += "\n  weight  belief  for the link\n" + reasons_text(link.at("for"));
    text += "\n  weight  belief  against the link\n" + reasons_text(link.at("against"));
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
        "found no entity {} in {} that was to be aligned: it has a seed, or is in neither graph; expected "
        "the identifier or the whole name of an entity",
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

void add_explain(CLI::App& app, CommonOptions& common) {
  auto verb = std::make_shared<ExplainVerb>();
  CLI::App& sub =
      new_verb(app, "explain", "Explain why an entity has a link, or has none",
               {.usage = {"dovetail explain OUT ENTITY [OPTIONS]"},
                .examples = {"dovetail explain alignment http://example.org/left/Q42"},
                .notes = "Each reason is a pair of neighbours. Belief is the probability that the two\n"
                         "neighbours are the same entity; weight is what the reason adds to the evidence.\n"
                         "A reason against a link is a neighbour whose counterpart is not a neighbour on\n"
                         "the other side. For an entity without a link, the verb prints the reason and the\n"
                         "best candidates."});
  sub.add_option("OUT", verb->folder, "Folder that align has written")->required()->type_name("");
  sub.add_option("ENTITY", verb->entity, "Identifier or whole name of an entity of either graph")
      ->required()
      ->type_name("");
  add_json(sub, verb->json, "Print the records as JSON, one line for each entity");
  common.add_to(sub, {});
  sub.callback([verb] { explain(*verb); });
}
