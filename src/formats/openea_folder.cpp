#include <dovetail/errors.h>
#include <dovetail/graph_builder.h>

#include <fmt/format.h>
#include <span>
#include <string>
#include <vector>

#include "formats/folders.h"
#include "formats/graph_reader.h"
#include "formats/name_limit.h"
#include "formats/names.h"
#include "formats/table.h"
#include "graph/literal.h"

namespace dovetail {

namespace {

/// OpenEA writes literals bare, with a datatype behind: 6480.0^^<http://www.w3.org/2001/XMLSchema#double>.
std::string literal_from_openea(std::string_view text) {
  if (is_literal(text)) return std::string(text);
  const std::size_t caret = text.rfind("^^<");
  if (caret == std::string_view::npos || !text.ends_with('>')) return make_literal(text, {}, {});
  return make_literal(text.substr(0, caret), {}, text.substr(caret + 3, text.size() - caret - 4));
}

KnowledgeGraph load_side(const std::filesystem::path& folder, int side, std::span<const GivenName> names,
                         const LoadOptions& options, Observer& observer) {
  GraphBuilder builder;
  LoadOptions as_table = options;
  as_table.graph_format = Format::tsv;
  as_table.graph_table = {.columns = {}, .header = false};
  as_table.types_as_entities = true;  // published results rest on it
  as_table.wide_table.form = TableForm::triples;
  const Side which = side == 1 ? Side::left : Side::right;
  read_graph(need_file(folder, fmt::format("rel_triples_{}", side)), as_table, which, builder, observer);
  if (const auto path = find_file(folder, fmt::format("attr_triples_{}", side)); !path.empty()) {
    TableReader table(path, '\t', observer);
    std::vector<std::string_view> row;
    while (table.next(row)) {
      if (row.size() < 3) {
        table.fail(fmt::format("found {} columns; expected 3 (entity, attribute, value)", row.size()));
      }
      // A value may itself hold tabs.
      const std::string_view value(
          row[2].data(), static_cast<std::size_t>(row.back().data() + row.back().size() - row[2].data()));
      check_name(table.name(), table.line(), row[0]);
      add_literal(builder, builder.entity(row[0]), row[1], literal_from_openea(value),
                  {table.name(), table.line()});
    }
  }
  for (const GivenName& given : names) {
    if (const auto entity = builder.find(given.entity)) builder.label(*entity, given.name);
  }
  return std::move(builder).build(side_seed(options, which));
}

LinkFiles link_files(const std::filesystem::path& folder, int fold) {
  const auto folds = folder / "721_5fold";
  const auto chosen = folds / std::to_string(fold);
  if (std::filesystem::is_directory(chosen)) {
    return {{},
            need_file(chosen, "train_links"),
            find_file(chosen, "valid_links"),
            need_file(chosen, "test_links")};
  }
  if (std::filesystem::is_directory(folds)) {
    throw ParameterError(fmt::format("{}: there is no fold {}; expected 1 to 5", folds.string(), fold));
  }
  return {find_file(folder, "ent_links"), {}, {}, {}};
}

}  // namespace

LoadedPair load_openea_folder(const std::filesystem::path& folder, const LoadOptions& options,
                              Observer& observer) {
  const auto names_file = options.names.empty() ? find_file(folder, "translated_names.json") : options.names;
  const std::vector<GivenName> names = names_file.empty() ? std::vector<GivenName>{} : read_names(names_file);
  GraphPair graphs = build_both(options.threads, [&](Side side) {
    return load_side(folder, side == Side::left ? 1 : 2, names, options, observer);
  });
  SeedLinks links = read_seed_links(link_files(folder, options.fold), graphs, options, observer);
  return {std::move(graphs), std::move(links), "OpenEA"};
}

}  // namespace dovetail
