#include "formats/pair_source.h"

#include <nlohmann/json.hpp>

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

json options_json(const LoadOptions& options) {
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
  if (!options.names.empty()) record["names"] = std::filesystem::absolute(options.names).string();
  if (options.shuffle_seed) record["shuffle_seed"] = *options.shuffle_seed;
  if (options.keep_literals) record["keep_literals"] = true;
  const WideTableOptions& wide = options.wide_table;
  if (wide.form != TableForm::automatic || !wide.id_column.empty() || !wide.multi_value.empty() ||
      !wide.relation_columns.empty()) {
    record["wide_table"] = {{"form", static_cast<int>(wide.form)},
                            {"id_column", wide.id_column},
                            {"multi_value", wide.multi_value},
                            {"relation_columns", wide.relation_columns}};
  }
  return record;
}

LoadOptions options_of(const json& record) {
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
  options.names = record.value("names", "");
  options.keep_literals = record.value("keep_literals", false);
  if (record.contains("wide_table")) {
    const json& wide = record.at("wide_table");
    const int form = wide.at("form").get<int>();
    options.wide_table.form = form == 1   ? TableForm::table
                              : form == 2 ? TableForm::triples
                                          : TableForm::automatic;
    wide.at("id_column").get_to(options.wide_table.id_column);
    wide.at("multi_value").get_to(options.wide_table.multi_value);
    wide.at("relation_columns").get_to(options.wide_table.relation_columns);
  }
  options.shuffle_seed.reset();
  if (record.contains("shuffle_seed")) options.shuffle_seed = record.at("shuffle_seed").get<std::uint64_t>();
  return options;
}

/// The files that there are, by their names in the record.
template <typename Files, typename Visit>
void visit_more(Files& files, const Visit& visit) {
  visit("left", files.left);
  visit("right", files.right);
  visit("links", files.links);
  visit("not_links", files.not_links);
  visit("test_links", files.test_links);
}

json more_json(const MoreFiles& files) {
  json record = {{"options", options_json(files.options)}};
  visit_more(files, [&](const char* name, const std::filesystem::path& path) {
    if (!path.empty()) record[name] = path.string();
  });
  return record;
}

MoreFiles more_of(const json& record) {
  MoreFiles files{.options = options_of(record.at("options"))};
  visit_more(files, [&](const char* name, std::filesystem::path& path) { path = record.value(name, ""); });
  return files;
}

}  // namespace

json inputs_json(const LoadedPair& pair) {
  json record = source_json(pair.source);
  if (!record.is_null()) record["fingerprint"] = fingerprint(pair.graphs, pair.links);
  return record;
}

json source_json(const PairSource& source) {
  if (source.folder.empty() && source.left.empty()) return nullptr;
  json record = {{"options", options_json(source.options)}};
  if (!source.folder.empty()) {
    record["folder"] = source.folder.string();
  } else {
    record["left"] = source.left.string();
    record["right"] = source.right.string();
    if (!source.links.empty()) record["links"] = source.links.string();
  }
  for (const MoreFiles& files : source.more) record["more"].push_back(more_json(files));
  return record;
}

std::optional<PairSource> source_of_json(const json& inputs) {
  if (inputs.is_null()) return std::nullopt;
  PairSource source{.options = options_of(inputs.at("options"))};
  if (inputs.contains("folder")) {
    source.folder = inputs.at("folder").get<std::string>();
  } else {
    source.left = inputs.at("left").get<std::string>();
    source.right = inputs.at("right").get<std::string>();
    source.links = inputs.value("links", "");
  }
  for (const json& files : inputs.value("more", json::array())) source.more.push_back(more_of(files));
  return source;
}

}  // namespace dovetail
