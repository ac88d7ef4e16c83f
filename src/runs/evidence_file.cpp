#include "runs/evidence_file.h"

#include <dovetail/errors.h>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <unordered_map>

#include "evidence/relation_links.h"
#include "formats/graph_writer.h"
#include "formats/output_file.h"
#include "formats/output_folder.h"

namespace dovetail {
namespace {

// The order of fields is for people who look into the file.
using json = nlohmann::ordered_json;

constexpr std::size_t kCandidates = 5;

double rounded(double value) {
  return std::round(value * 10000) / 10000;
}

json statement_json(const Statement& statement) {
  return {{"relation", statement.property}, {"entity", statement.value}, {"name", statement.name}};
}

json reasons_json(const std::vector<Reason>& reasons) {
  json list = json::array();
  for (const Reason& reason : reasons) {
    list.push_back({{"signal", reason.signal},
                    {"weight", rounded(reason.weight)},
                    {"belief", rounded(reason.belief)},
                    {"left", statement_json(reason.left)},
                    {"right", statement_json(reason.right)}});
  }
  return list;
}

json candidates_json(const GraphPair& graphs, const Explainer& explainer, EntityId left,
                     const std::vector<Candidate>& ranked) {
  json list = json::array();
  for (std::size_t n = 0; n < std::min(kCandidates, ranked.size()); ++n) {
    list.push_back({{"entity", graphs.right().entity(ranked[n].entity)},
                    {"name", graphs.right().name(ranked[n].entity)},
                    {"score", rounded(ranked[n].score)},
                    {"evidence", rounded(explainer.evidence(left, ranked[n].entity))}});
  }
  return list;
}

json parse_line(const std::filesystem::path& path, std::uint64_t number, const std::string& line) {
  const auto has = [](const json& object, std::initializer_list<const char*> keys) {
    return object.is_object() &&
           std::ranges::all_of(keys, [&](const char* key) { return object.contains(key); });
  };
  json record = json::parse(line, nullptr, false);
  if (!has(record, {"left", "name", "link", "candidates"}) ||
      (!record["link"].is_null() && !has(record["link"], {"right", "name"}))) {
    throw InputError(path.string(), number,
                     "found a damaged line; expected an object with left, name, link and candidates; align "
                     "again");
  }
  return record;
}

}  // namespace

void write_evidence(const Run& run, const Explainer& explainer, const GraphPair& graphs,
                    const std::filesystem::path& path) {
  const bool open = run.options.deciding.pool == CandidatePool::open;
  const Candidates& candidates = (open ? run.open : run.closed).left;
  std::unordered_map<EntityId, const DecidedLink*> decided;
  for (const DecidedLink& link : run.decisions.links) decided.emplace(link.left, &link);
  OutputFile file(path);
  for (std::size_t row = 0; row < candidates.entities.size(); ++row) {
    const EntityId left = candidates.entities[row];
    json line = {{"left", graphs.left().entity(left)},
                 {"name", graphs.left().name(left)},
                 {"degree", graphs.left().degree(left)},
                 {"link", nullptr}};
    if (const auto found = decided.find(left); found != decided.end()) {
      const DecidedLink& link = *found->second;
      const Reasons reasons = explainer.reasons(left, link.right, run.options.deciding.reasons);
      line["link"] = {{"right", graphs.right().entity(link.right)},
                      {"name", graphs.right().name(link.right)},
                      {"degree", graphs.right().degree(link.right)},
                      {"confidence", rounded(link.confidence)},
                      {"evidence", rounded(explainer.evidence(left, link.right))},
                      {"for", reasons_json(reasons.in_favour)},
                      {"against", reasons_json(reasons.against)}};
    }
    line["candidates"] = candidates_json(graphs, explainer, left, candidates.ranked[row]);
    file << line.dump(-1, ' ', false, json::error_handler_t::replace) << "\n";
  }
  file.commit();
}

std::vector<json> find_evidence(const std::filesystem::path& folder, const std::string& entity) {
  finish_installation(folder);
  const std::filesystem::path path = folder / "evidence.jsonl";
  std::ifstream file(path);
  if (!file) {
    throw SystemError(path.string() +
                      ": cannot read; expected a folder that dovetail align wrote, with --reasons above 0");
  }
  const std::string wanted = json(entity).dump();  // as it stands in the file, in quotes
  std::vector<json> found;
  std::string line;
  for (std::uint64_t number = 1; std::getline(file, line); ++number) {
    if (line.find(wanted) == std::string::npos) continue;
    const json record = parse_line(path, number, line);
    const json& link = record["link"];
    if (record["left"] == entity || record["name"] == entity ||
        (link.is_object() && (link["right"] == entity || link["name"] == entity))) {
      found.push_back(record);
    }
  }
  return found;
}

std::map<std::string, json> evidence_of(const std::filesystem::path& folder,
                                        const std::set<std::string>& left) {
  const std::filesystem::path path = folder / "evidence.jsonl";
  std::map<std::string, json> found;
  std::ifstream file(path);
  std::string line;
  for (std::uint64_t number = 1; std::getline(file, line); ++number) {
    // Most lines are not wanted and not worth parsing: the identifier stands first.
    const std::size_t begin = line.find(':'), end = line.find(",\"name\":");
    if (end == std::string::npos || end < begin) (void)parse_line(path, number, line);
    const json identifier = json::parse(line.substr(begin + 1, end - begin - 1), nullptr, false);
    if (!identifier.is_string() || !left.contains(identifier.get<std::string>())) continue;
    found.emplace(identifier.get<std::string>(), parse_line(path, number, line));
  }
  return found;
}

void write_attributes(std::span<const AttributeLink> links, const GraphPair& graphs,
                      const std::filesystem::path& path) {
  OutputFile file(path);
  file << "left\tright\tprobability\tpairs\tcomparison\tfor\tagainst\n";
  for (const AttributeLink& link : links) {
    const std::string_view left = graphs.left().attributes()[link.left];
    const std::string_view right = graphs.right().attributes()[link.right];
    for (const std::string_view name : {left, right}) check_tsv_field(path, name);
    file << left << "\t" << right
         << fmt::format("\t{:.4f}\t{:.1f}\t{}\t{:.2f}\t{:.2f}\n", link.probability, link.seen,
                        link.comparison, link.weight_for, link.weight_against);
  }
  file.commit();
}

void write_relations(const Explainer& explainer, const GraphPair& graphs, const std::filesystem::path& path) {
  OutputFile file(path);
  file << "left\tright\tleft_in_right\tright_in_left\tseen\n";
  for (const RelationLink& link : explainer.relations()) {
    const std::string left = relation_path(graphs.left(), link.left);
    const std::string right = relation_path(graphs.right(), link.right);
    for (const std::string& name : {left, right}) check_tsv_field(path, name);
    file << left << "\t" << right
         << fmt::format("\t{:.4f}\t{:.4f}\t{:.1f}\n", link.left_in_right, link.right_in_left, link.seen);
  }
  file.commit();
}

}  // namespace dovetail
