#include <dovetail/errors.h>

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <string>
#include <vector>
#include <yaml-cpp/yaml.h>

#include "common/text.h"
#include "formats/iri.h"
#include "formats/link_reader.h"
#include "formats/table.h"

namespace dovetail {

namespace {

using CurieMap = std::map<std::string, std::string, std::less<>>;

/// The prefixes of the file's YAML header, and those that SSSOM defines itself.
CurieMap curie_map(const TableReader& table, const std::string& header) {
  CurieMap prefixes = {{"owl", "http://www.w3.org/2002/07/owl#"},
                       {"skos", "http://www.w3.org/2004/02/skos/core#"},
                       {"rdfs", "http://www.w3.org/2000/01/rdf-schema#"},
                       {"rdf", "http://www.w3.org/1999/02/22-rdf-syntax-ns#"}};
  try {
    const YAML::Node metadata = YAML::Load(header);
    const YAML::Node map = metadata.IsMap() ? metadata["curie_map"] : YAML::Node();
    if (map.IsDefined() && map.IsMap()) {
      for (const auto& entry : map) prefixes[entry.first.as<std::string>()] = entry.second.as<std::string>();
    }
  } catch (const YAML::Exception& error) {
    throw InputError(
        table.name(), static_cast<std::uint64_t>(std::max(0, error.mark.line)) + 1,
        fmt::format("the YAML block at the top is damaged ({}); expected SSSOM metadata", error.msg));
  }
  return prefixes;
}

std::string expanded(const CurieMap& prefixes, std::string_view id) {
  const std::size_t colon = id.find(':');
  const auto found = colon == std::string_view::npos ? prefixes.end() : prefixes.find(id.substr(0, colon));
  if (found == prefixes.end()) return std::string(id);
  return found->second + std::string(id.substr(colon + 1));
}

struct SssomColumns {
  std::size_t subject, predicate, object;
  std::optional<std::size_t> confidence, modifier, other;
};

SssomColumns sssom_columns(const TableReader& table, const std::vector<std::string_view>& header) {
  const auto find = [&](std::string_view name) -> std::optional<std::size_t> {
    const auto at = std::find(header.begin(), header.end(), name);
    return at == header.end() ? std::nullopt : std::optional(static_cast<std::size_t>(at - header.begin()));
  };
  const auto need = [&](std::string_view name) {
    if (const auto at = find(name)) return *at;
    table.fail(
        fmt::format("the header has no column {}; expected subject_id, predicate_id and object_id", name));
  };
  return {need("subject_id"), need("predicate_id"),       need("object_id"),
          find("confidence"), find("predicate_modifier"), find("other")};
}

}  // namespace

void read_sssom(const std::filesystem::path& path, const LinkHandler& handler, Observer& observer) {
  TableReader table(path, '\t', observer);
  std::vector<std::string_view> row;
  std::string yaml;
  do {
    if (!table.next(row)) table.fail("the file has no table; expected SSSOM");
    if (!row[0].starts_with('#')) break;
    yaml += row[0].substr(1);
    yaml += '\n';
  } while (true);
  const CurieMap prefixes = curie_map(table, yaml);
  const SssomColumns columns = sssom_columns(table, row);
  const auto entity = [&](std::string_view id, std::size_t end) {
    const std::string uri = expanded(prefixes, id);
    const bool encoded = columns.other && (row[*columns.other] == kEncodedEnds.at(end) ||
                                           row[*columns.other] == kEncodedEnds.back());
    return encoded ? from_sssom_identifier(uri) : uri;
  };
  const std::size_t width = row.size();
  std::uint64_t others = 0;
  while (table.next(row)) {
    if (row.size() != width) {
      table.fail(fmt::format("found {} column{}; expected {} as in the header", row.size(),
                             plural(row.size()), width));
    }
    const std::string predicate = expanded(prefixes, row[columns.predicate]);
    if (!means_same(predicate) || (columns.modifier && !row[*columns.modifier].empty())) {
      ++others;
      continue;
    }
    const std::string subject = entity(row[columns.subject], 1);
    const std::string object = entity(row[columns.object], 2);
    RawLink link{subject, object, std::nullopt, table.line()};
    if (columns.confidence && !row[*columns.confidence].empty()) {
      link.score = parse_number(row[*columns.confidence]);
      link.confident = true;
      if (!link.score) {
        table.fail(
            fmt::format("found the confidence {}; expected a number", shown(row[*columns.confidence])));
      }
    }
    handler(link);
  }
  if (others > 0) {
    observer.warning(fmt::format(
        "{}: {} mapping{} with a predicate other than owl:sameAs and skos:exactMatch, or negated; "
        "left out",
        path.string(), with_commas(others), plural(others)));
  }
}

}  // namespace dovetail
