#include "runs/evidence_file.h"

#include <dovetail/errors.h>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "evidence/relation_links.h"
#include "formats/graph_writer.h"
#include "formats/output_file.h"
#include "formats/output_folder.h"
#include "graph/entity_types.h"
#include "runs/saved_run.h"

namespace dovetail {
namespace {

// The order of fields is for people who look into the file.
using nlohmann::ordered_json;

double rounded(double value) {
  return std::round(value * 10000) / 10000;
}

ordered_json statement_json(const Statement& statement) {
  return {{"relation", statement.property}, {"entity", statement.value}, {"name", statement.name}};
}

ordered_json reasons_json(const std::vector<Reason>& reasons) {
  ordered_json list = ordered_json::array();
  for (const Reason& reason : reasons) {
    list.push_back({{"signal", reason.signal},
                    {"weight", rounded(reason.weight)},
                    {"belief", rounded(reason.belief)},
                    {"left", statement_json(reason.left)},
                    {"right", statement_json(reason.right)}});
  }
  return list;
}

ordered_json candidates_json(const GraphPair& graphs, const std::vector<EvidenceRecord::Listed>& candidates) {
  ordered_json list = ordered_json::array();
  for (const auto& [candidate, evidence] : candidates) {
    list.push_back({{"entity", graphs.right().entity(candidate.entity)},
                    {"name", graphs.right().name(candidate.entity)},
                    {"score", rounded(candidate.score)},
                    {"evidence", rounded(evidence)}});
  }
  return list;
}

ordered_json parse_line(const std::filesystem::path& path, std::uint64_t number, const std::string& line) {
  const auto has = [](const ordered_json& object, std::initializer_list<const char*> keys) {
    return object.is_object() &&
           std::ranges::all_of(keys, [&](const char* key) { return object.contains(key); });
  };
  ordered_json record = ordered_json::parse(line, nullptr, false);
  if (!has(record, {"left", "name", "link", "candidates"}) ||
      (!record["link"].is_null() && !has(record["link"], {"right", "name"}))) {
    throw InputError(path.string(), number,
                     "found a damaged line; expected an object with left, name, link and candidates; align "
                     "again");
  }
  return record;
}

}  // namespace

void EvidenceWriter::add(const EvidenceRecord& record) {
  ordered_json line = {{"left", graphs_.left().entity(record.left)},
                       {"name", graphs_.left().name(record.left)},
                       {"degree", graphs_.left().degree(record.left)},
                       {"link", nullptr}};
  if (record.link) {
    const EntityId right = record.link->right;
    line["link"] = {
        {"right", graphs_.right().entity(right)},         {"name", graphs_.right().name(right)},
        {"degree", graphs_.right().degree(right)},        {"confidence", rounded(record.link->confidence)},
        {"evidence", rounded(record.evidence)},           {"for", reasons_json(record.reasons.in_favour)},
        {"against", reasons_json(record.reasons.against)}};
  }
  line["candidates"] = candidates_json(graphs_, record.candidates);
  file_ << line.dump(-1, ' ', false, ordered_json::error_handler_t::replace) << "\n";
}

namespace {

constexpr std::size_t kCandidates = 5;  // as many as of a left entity are written

/// Why an entity has no link, and who has its best candidate.
ordered_json unmatched_json(const SavedUnmatched& entity, const std::vector<SavedLink>& links) {
  ordered_json record = {{"reason", entity.reason},
                         {"candidate", entity.candidate},
                         {"score", entity.score},
                         {"no_counterpart", entity.probability}};
  const bool left = entity.side == Side::left;
  for (const SavedLink& link : links) {
    if ((left ? link.right : link.left) != entity.candidate) continue;
    record["candidate_linked_to"] = left ? link.left : link.right;
    record["candidate_confidence"] = link.confidence;
  }
  return record;
}

/// A right entity without a link. Its candidates are the left entities that have it among their own first
/// ones.
struct RightUnmatched {
  const SavedUnmatched* entity;
  std::string name;
  std::vector<ordered_json> candidates;

  void offer(const ordered_json& record) {
    for (const ordered_json& candidate : record["candidates"]) {
      if (candidate["entity"] != entity->entity) continue;
      name = candidate["name"];
      const auto same = [&](const ordered_json& known) { return known["entity"] == record["left"]; };
      if (std::ranges::any_of(candidates, same)) return;
      candidates.push_back({{"entity", record["left"]},
                            {"name", record["name"]},
                            {"score", candidate["score"]},
                            {"evidence", candidate["evidence"]}});
    }
  }
  [[nodiscard]] ordered_json record(const std::vector<SavedLink>& links) {
    std::ranges::stable_sort(candidates, [](const ordered_json& a, const ordered_json& b) {
      return a["score"].get<double>() > b["score"].get<double>();
    });
    if (candidates.size() > kListedCandidates) candidates.resize(kListedCandidates);
    return {{"right", entity->entity},
            {"name", name.empty() ? entity->entity : name},
            {"link", nullptr},
            {"unmatched", unmatched_json(*entity, links)},
            {"candidates", candidates}};
  }
};

}  // namespace

std::vector<ordered_json> find_evidence(const std::filesystem::path& folder, const std::string& entity) {
  finish_installation(folder);
  const std::filesystem::path path = folder / "evidence.jsonl";
  std::ifstream file(path);
  if (!file) {
    throw SystemError(path.string() +
                      ": cannot read; expected a folder that dovetail align wrote, with --reasons above 0");
  }
  const std::vector<SavedUnmatched> unmatched = read_unmatched(folder);
  std::vector<SavedLink> links;
  std::vector<RightUnmatched> right;
  std::map<std::string, const SavedUnmatched*> left;
  for (const SavedUnmatched& own : unmatched) {
    if (own.side == Side::left) left.emplace(own.entity, &own);
    if (own.side == Side::right && own.entity == entity)
      right.push_back({.entity = &own, .name = {}, .candidates = {}});
  }
  if (!unmatched.empty()) links = read_run_links(folder);
  const std::string wanted = ordered_json(entity).dump();  // as it stands in the file, in quotes
  std::vector<ordered_json> found;
  std::string line;
  for (std::uint64_t number = 1; std::getline(file, line); ++number) {
    if (line.find(wanted) == std::string::npos) continue;
    ordered_json record = parse_line(path, number, line);
    for (RightUnmatched& own : right) own.offer(record);
    const ordered_json& link = record["link"];
    if (record["left"] == entity || record["name"] == entity ||
        (link.is_object() && (link["right"] == entity || link["name"] == entity))) {
      const auto without = left.find(record["left"].get<std::string>());
      if (link.is_null() && without != left.end())
        record["unmatched"] = unmatched_json(*without->second, links);
      found.push_back(std::move(record));
    }
  }
  for (RightUnmatched& own : right) found.push_back(own.record(links));
  return found;
}

std::vector<std::string> evidence_records(const std::filesystem::path& folder, const std::string& entity) {
  std::vector<std::string> texts;
  for (const ordered_json& record : find_evidence(folder, entity)) {
    texts.push_back(record.dump(-1, ' ', false, ordered_json::error_handler_t::replace));
  }
  return texts;
}

std::map<std::string, ordered_json> evidence_of(const std::filesystem::path& folder,
                                                const std::set<std::string>& left) {
  const std::filesystem::path path = folder / "evidence.jsonl";
  std::map<std::string, ordered_json> found;
  std::ifstream file(path);
  std::string line;
  for (std::uint64_t number = 1; std::getline(file, line); ++number) {
    // Most lines are not wanted and not worth parsing: the identifier stands first.
    const std::size_t begin = line.find(':'), end = line.find(",\"name\":");
    if (end == std::string::npos || end < begin) (void)parse_line(path, number, line);
    const ordered_json identifier =
        ordered_json::parse(line.substr(begin + 1, end - begin - 1), nullptr, false);
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

void write_classes(std::span<const ClassLink> links, const GraphPair& graphs,
                   const std::filesystem::path& path) {
  OutputFile file(path);
  file << "left\tright\tleft_in_right\tright_in_left\tseen\n";
  for (const ClassLink& link : links) {
    const std::string_view left = classes_of(graphs.left())[link.left];
    const std::string_view right = classes_of(graphs.right())[link.right];
    for (const std::string_view name : {left, right}) check_tsv_field(path, name);
    file << left << "\t" << right
         << fmt::format("\t{:.4f}\t{:.4f}\t{:.1f}\n", link.left_in_right, link.right_in_left, link.seen);
  }
  file.commit();
}

void write_relations(std::span<const RelationLink> relations, const GraphPair& graphs,
                     const std::filesystem::path& path) {
  OutputFile file(path);
  file << "left\tright\tleft_in_right\tright_in_left\tseen\n";
  for (const RelationLink& link : relations) {
    const std::string left = relation_path(graphs.left(), link.left);
    const std::string right = relation_path(graphs.right(), link.right);
    for (const std::string& name : {left, right}) check_tsv_field(path, name);
    file << left << "\t" << right
         << fmt::format("\t{:.4f}\t{:.4f}\t{:.1f}\n", link.left_in_right, link.right_in_left, link.seen);
  }
  file.commit();
}

}  // namespace dovetail
