#include "formats/pair_source.h"

#include <array>
#include <nlohmann/json.hpp>
#include <string>

#include "common/text.h"
#include "formats/iri.h"
#include "graph/fingerprint.h"

namespace dovetail {

namespace {

using nlohmann::json;

json table_json(const TableOptions& table) {
  json record = {{"columns", table.columns}};
  if (table.header) record["header"] = *table.header;
  return record;
}

TableOptions table_of(const json& record) {
  TableOptions table;
  record.at("columns").get_to(table.columns);
  if (record.contains("header")) table.header = record.at("header").get<bool>();
  return table;
}

namespace fs = std::filesystem;

/// The name of a file in its home, or its absolute path.
std::string placed(const fs::path& path, const fs::path& home) {
  const fs::path absolute = fs::absolute(path);
  if (home.empty()) return path_text(absolute);
  const fs::path inside = absolute.lexically_relative(home);
  const bool outside = inside.empty() || *inside.begin() == ".." || inside == ".";
  return outside || !is_utf8(inside.string()) ? path_text(absolute) : inside.string();
}

json options_json(const LoadOptions& options, const fs::path& home) {
  json record = {{"format", format_info(options.graph_format).name},
                 {"links_format", format_info(options.links_format).name},
                 {"table", table_json(options.graph_table)},
                 {"links_table", table_json(options.links_table)},
                 {"fold", options.fold},
                 {"strict", options.strict},
                 {"split_files", options.split_files},
                 {"split",
                  {{"seed_ratio", options.split.seed_ratio},
                   {"valid_ratio", options.split.valid_ratio},
                   {"seed", options.split.seed}}}};
  if (!options.names.empty()) record["names"] = placed(options.names, home);
  if (options.shuffle_seed) record["shuffle_seed"] = *options.shuffle_seed;
  if (options.keep_literals) record["keep_literals"] = true;
  if (options.cardinality != Cardinality::one_to_one)
    record["cardinality"] = static_cast<int>(options.cardinality);
  record["shared_identifiers"] = static_cast<int>(options.shared_identifiers);
  record["types_as_entities"] = options.types_as_entities;
  if (!options.name_properties.empty()) record["name_properties"] = options.name_properties;
  const WideTableOptions& wide = options.wide_table;
  record["wide_table"] = {{"form", static_cast<int>(wide.form)},
                          {"id_columns", wide.id_columns},
                          {"multi_value", wide.multi_value},
                          {"relation_columns", wide.relation_columns},
                          {"iri_prefixes", wide.iri_prefixes}};
  return record;
}

/// The file that a record names; a name alone is that of a file in its home.
fs::path found(const json& record, const char* name, const fs::path& home) {
  const fs::path path = path_of_text(record.value(name, ""));
  return path.empty() ? path : home / path;
}

LoadOptions options_of(const json& record, const fs::path& home) {
  LoadOptions options;
  options.graph_format = format_from_name(record.at("format").get<std::string>());
  options.links_format = format_from_name(record.at("links_format").get<std::string>());
  options.graph_table = table_of(record.at("table"));
  options.links_table = table_of(record.at("links_table"));
  record.at("fold").get_to(options.fold);
  record.at("strict").get_to(options.strict);
  record.at("split_files").get_to(options.split_files);
  const json& split = record.at("split");
  split.at("seed_ratio").get_to(options.split.seed_ratio);
  split.at("valid_ratio").get_to(options.split.valid_ratio);
  split.at("seed").get_to(options.split.seed);
  options.names = found(record, "names", home);
  options.keep_literals = record.value("keep_literals", false);
  const int cardinality = record.value("cardinality", 0);
  options.cardinality = cardinality == 1   ? Cardinality::one_to_many
                        : cardinality == 2 ? Cardinality::many_to_many
                                           : Cardinality::one_to_one;
  // Runs of earlier versions made nothing of identifiers that both graphs have.
  const int shared = record.value("shared_identifiers", 2);
  options.shared_identifiers = shared == 0   ? SharedIdentifiers::automatic
                               : shared == 1 ? SharedIdentifiers::seeds
                                             : SharedIdentifiers::ignore;
  options.types_as_entities = record.value("types_as_entities", true);  // older runs have no such entry
  if (record.contains("wide_table")) {
    const json& wide = record.at("wide_table");
    const int form = wide.at("form").get<int>();
    options.wide_table.form = form == 1   ? TableForm::table
                              : form == 2 ? TableForm::triples
                                          : TableForm::automatic;
    wide.at("id_columns").get_to(options.wide_table.id_columns);
    wide.at("multi_value").get_to(options.wide_table.multi_value);
    wide.at("relation_columns").get_to(options.wide_table.relation_columns);
    wide.at("iri_prefixes").get_to(options.wide_table.iri_prefixes);
  }
  if (record.contains("name_properties")) record.at("name_properties").get_to(options.name_properties);
  options.shuffle_seed.reset();
  if (record.contains("shuffle_seed")) options.shuffle_seed = record.at("shuffle_seed").get<std::uint64_t>();
  return options;
}

json more_json(const MoreFiles& files, const fs::path& home) {
  json record = {{"options", options_json(files.options, home)}};
  visit_files(files, [&](const char* name, const fs::path& path) {
    if (!path.empty()) record[name] = placed(path, home);
  });
  return record;
}

MoreFiles more_of(const json& record, const fs::path& home) {
  MoreFiles files{.options = options_of(record.at("options"), home)};
  visit_files(files, [&](const char* name, fs::path& path) { path = found(record, name, home); });
  return files;
}

}  // namespace

json inputs_json(const LoadedPair& pair, const fs::path& home) {
  json record = source_json(pair.source, home);
  if (!record.is_null()) {
    record["fingerprint"] = fingerprint(pair.graphs, pair.links, pair.source.options.keep_literals);
  }
  return record;
}

json source_json(const PairSource& source, const fs::path& home) {
  if (source.folder.empty() && source.left.empty()) return nullptr;
  json record = {{"options", options_json(source.options, home)}};
  if (!source.folder.empty()) {
    record["folder"] = path_text(source.folder);
  } else {
    record["left"] = placed(source.left, home);
    record["right"] = placed(source.right, home);
    if (!source.links.empty()) record["links"] = placed(source.links, home);
  }
  if (source.iri_prefixes != std::array<std::string, 2>{}) record["iri_prefixes"] = source.iri_prefixes;
  for (const MoreFiles& files : source.more) record["more"].push_back(more_json(files, home));
  return record;
}

std::optional<PairSource> source_of_json(const json& inputs, const fs::path& home) {
  if (inputs.is_null()) return std::nullopt;
  PairSource source{.options = options_of(inputs.at("options"), home)};
  if (inputs.contains("folder")) {
    source.folder = path_of_text(inputs.at("folder").get<std::string>());
  } else {
    source.left = home / path_of_text(inputs.at("left").get<std::string>());
    source.right = home / path_of_text(inputs.at("right").get<std::string>());
    source.links = found(inputs, "links", home);
  }
  if (inputs.contains("iri_prefixes")) inputs.at("iri_prefixes").get_to(source.iri_prefixes);
  for (const json& files : inputs.value("more", json::array())) source.more.push_back(more_of(files, home));
  return source;
}

std::vector<fs::path> inputs_of(const PairSource& source) {
  std::vector<fs::path> inputs = {source.folder, source.left, source.right, source.links,
                                  source.options.names};
  for (const MoreFiles& more : source.more) {
    visit_files(more, [&](const char* /*name*/, const fs::path& path) { inputs.push_back(path); });
    inputs.push_back(more.options.names);
  }
  std::erase_if(inputs, [](const fs::path& path) { return path.empty(); });
  return inputs;
}

}  // namespace dovetail
