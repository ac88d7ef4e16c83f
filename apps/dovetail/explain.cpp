#include <dovetail/errors.h>
#include <dovetail/graph.h>

#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "common/text.h"
#include "runs/evidence_file.h"
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

std::string as_text(const ordered_json& record) {
  std::string text = "left  " + described(record, "left");
  const ordered_json& link = record.at("link");
  if (link.is_object()) {
    text += "right " + described(link, "right");
    text += fmt::format("      confidence {:.3f}, evidence {:.2f}\n", link.at("confidence").get<double>(),
                        link.at("evidence").get<double>());
    text += "\n  weight  belief  for the link\n" + reasons_text(link.at("for"));
    text += "\n  weight  belief  against the link\n" + reasons_text(link.at("against"));
  } else {
    text +=
        "      has no link: no candidate is probable enough, or its candidate is linked to another entity\n";
  }
  text += "\n   score  evidence  candidates\n";
  for (const ordered_json& candidate : record.at("candidates")) {
    text += fmt::format("{:>8.4f}{:>10.2f}  {}\n", candidate.at("score").get<double>(),
                        candidate.at("evidence").get<double>(), text_of(candidate.at("entity")));
  }
  return text;
}

void explain(const ExplainVerb& verb) {
  const std::vector<ordered_json> found = find_evidence(verb.folder, verb.entity);
  if (found.empty()) {
    throw ParameterError(
        fmt::format("found no entity {} in {}; expected the identifier or the whole name of an entity "
                    "that was to be aligned",
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
      new_verb(app, "explain", "Show the evidence for and against the link of an entity",
               {.usage = {"dovetail explain OUT ENTITY [OPTIONS]"},
                .examples = {"dovetail explain alignment http://example.org/left/Q42"},
                .notes = "Each reason is a pair of neighbours. Belief is the probability that the two\n"
                         "neighbours are the same entity; weight is what the reason adds to the evidence.\n"
                         "A reason against a link is a neighbour whose counterpart is not a neighbour on\n"
                         "the other side."});
  sub.add_option("OUT", verb->folder, "Folder that align has written")->required()->type_name("");
  sub.add_option("ENTITY", verb->entity, "Identifier or whole name of an entity of either graph")
      ->required()
      ->type_name("");
  add_json(sub, verb->json, "Print the records as JSON, one line for each entity");
  common.add_to(sub, {});
  sub.callback([verb] { explain(*verb); });
}
