#include "inputs.h"

#include <dovetail/errors.h>
#include <dovetail/text.h>

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <set>
#include <utility>

using namespace dovetail;

std::vector<std::string> format_names(std::initializer_list<FormatKind> kinds) {
  std::vector<std::string> names;
  for (const FormatInfo& info : formats()) {
    if (std::find(kinds.begin(), kinds.end(), info.kind) != kinds.end()) names.emplace_back(info.name);
  }
  return names;
}

namespace {

constexpr Range kFolds = {1, 5};

/// The columns that a list chooses: none if it is empty.
std::vector<std::string> chosen_columns(const char* option, const std::string& list, std::size_t least,
                                        std::size_t most) {
  if (list.empty()) return {};
  std::vector<std::string> columns = CLI::detail::split(list, ',');
  const bool all_there = std::ranges::none_of(columns, &std::string::empty);
  const std::size_t different = std::set<std::string>(columns.begin(), columns.end()).size();
  if (columns.size() >= least && columns.size() <= most && all_there && different == columns.size())
    return columns;
  throw ParameterError(fmt::format(
      "{} is {}; expected the names or numbers of {} different columns between commas", option, shown(list),
      least == most ? fmt::format("{}", least) : fmt::format("{} or {}", least, most)));
}

template <typename Value>
CLI::Option* add_input(CLI::App& verb, const char* name, Value& value, const char* help, const char* type) {
  return verb.add_option(name, value, help)->type_name(type)->group("Input");
}

}  // namespace

void InputOptions::add_known_pairs_to(CLI::App& verb) {
  add_input(verb, "--not-links", not_links, "Pairs known not to be the same", "FILE");
  add_input(verb, "--test-links", test_links, "Known links, to evaluate with only", "FILE");
  add_input(verb, "--shared-identifiers", shared_identifiers,
            "What the same IRI in both graphs makes:\nseeds, ignore (seeds, but ignore in\nfolders that have "
            "links)",
            "USE")
      ->check(one_of({"seeds", "ignore"}));
}

void InputOptions::add_formats_to(CLI::App& verb) {
  std::vector<std::string> graph_formats = format_names({FormatKind::graph, FormatKind::table});
  graph_formats.emplace_back("auto");
  std::vector<std::string> link_formats = format_names({FormatKind::links});
  link_formats.emplace_back("auto");
  add_input(verb, "--format", format, "Format of the graph files (auto)", "FORMAT")
      ->check(one_of(graph_formats));
  add_input(verb, "--links-format", links_format, "Format of the links (auto)", "FORMAT")
      ->check(one_of(link_formats));
  add_input(verb, "--columns", columns, "Columns of head, relation, tail", "A,B,C");
  add_input(verb, "--links-columns", links_columns, "Columns of left, right [, score]", "A,B");
  add_input(verb, "--header", header, "Tables have a header: yes, no (auto)", "WHETHER")
      ->check(one_of({"auto", "yes", "no"}));
  add_input(verb, "--form", form, "TSV, CSV hold: table (a row an\nentity), triples (auto)", "FORM")
      ->check(one_of({"auto", "table", "triples"}));
  const auto add_list = [&](const char* name, std::vector<std::string>& list, const char* help,
                            const char* type) {
    add_input(verb, name, list, help, type)->expected(1)->allow_extra_args(false)->take_all();
  };
  add_list("--id-column", id_columns,
           "Column of a table with the ids; given\ntwice: the left and the right one", "NAME");
  add_input(verb, "--multi-value", multi_value, "Separates values in one cell", "TEXT");
  add_list("--relation-column", relation_columns,
           "Column of a table with ids of other\nrows; of another table: author=people.csv", "NAME");
  add_list("--iri-prefix", iri_prefixes,
           "What makes IRIs of a table's ids;\ngiven twice: left, right (the file's name)", "IRI");
  add_list("--name-property", name_properties, "Attribute that names entities", "NAME");
  add_input(verb, "--names", names, "JSON: [[entity, [word, ...]], ...]", "FILE");
  verb.add_flag("--strict", strict, "A link to an unknown entity is an error")->group("Input");
}

void InputOptions::add_types_to(CLI::App& verb) {
  verb.add_flag("--types-as-entities", types_as_entities,
                "Read classes, the objects of rdf:type,\nas entities; always so in the modes\nbasic and semi")
      ->group("Input");
}

void InputOptions::add_to(CLI::App& verb) {
  add_input(verb, "-l,--links", links, "Known links between LEFT and RIGHT", "FILE");
  add_formats_to(verb);
  add_number(verb, "--fold", fold, kFolds, "Which split of an OpenEA folder (1)", "1..5")->group("Input");
  add_number(verb, "--seed-ratio", seed_ratio, kShare,
             "Share of links to learn from, where\nno split is given (folders: 0.3,\nfiles: all)", "SHARE")
      ->group("Input");
  add_number(verb, "--split-seed", split_seed, kSeed, "Which random split (1)")->group("Input");
}

LoadOptions InputOptions::load_options(const CommonOptions& common) const {
  LoadOptions options;
  options.graph_format = format_from_name(format);
  options.links_format = format_from_name(links_format);
  options.graph_table.columns = chosen_columns("--columns", columns, 3, 3);
  options.links_table.columns = chosen_columns("--links-columns", links_columns, 2, 3);
  if (header != "auto") options.graph_table.header = options.links_table.header = header == "yes";
  options.wide_table = {.form = form == "table"     ? TableForm::table
                                : form == "triples" ? TableForm::triples
                                                    : TableForm::automatic,
                        .id_columns = id_columns,
                        .multi_value = multi_value,
                        .relation_columns = relation_columns,
                        .iri_prefixes = iri_prefixes};
  if (id_columns.size() > 2)
    throw ParameterError("--id-column is given three times; expected it once or twice");
  if (!iri_prefixes.empty() && (iri_prefixes.size() != 2 || iri_prefixes[0] == iri_prefixes[1])) {
    throw ParameterError(
        "--iri-prefix must be given twice, for LEFT and RIGHT, with two prefixes: equal ids of the two "
        "tables "
        "are different entities");
  }
  options.name_properties = name_properties;
  options.types_as_entities = types_as_entities;
  options.shared_identifiers = shared_identifiers == "seeds"    ? SharedIdentifiers::seeds
                               : shared_identifiers == "ignore" ? SharedIdentifiers::ignore
                                                                : SharedIdentifiers::automatic;
  options.names = names;
  options.fold = fold;
  options.strict = strict;
  options.split.seed = split_seed;
  if (seed_ratio >= 0) {
    options.split.seed_ratio = seed_ratio;
    options.split_files = true;
  }
  options.threads = common.threads;
  return options;
}

PairSource InputOptions::source(const std::vector<std::string>& inputs, const LoadOptions& options) const {
  const auto place = [](const std::string& name) {
    return name.empty() ? std::filesystem::path() : std::filesystem::absolute(name);
  };
  PairSource source = {.options = options};
  if (inputs.size() == 2) {
    source.left = place(inputs[0]);
    source.right = place(inputs[1]);
    source.links = place(links);
  } else {
    source.folder = place(inputs[0]);
  }
  if (!not_links.empty() || !test_links.empty()) {
    source.more.push_back(
        {.not_links = place(not_links), .test_links = place(test_links), .options = options});
  }
  return source;
}

LoadedPair InputOptions::load(const std::vector<std::string>& inputs, const LoadOptions& options,
                              Observer& observer) const {
  LoadedPair pair = load_first(inputs, options, observer);
  if (not_links.empty() && test_links.empty()) return pair;
  return add_files(std::move(pair), {.not_links = not_links, .test_links = test_links, .options = options},
                   observer);
}

LoadedPair InputOptions::load_first(const std::vector<std::string>& inputs, const LoadOptions& options,
                                    Observer& observer) const {
  if (inputs.size() == 2) return load_files(inputs[0], inputs[1], links, options, observer);
  if (!links.empty()) {
    throw ParameterError("--links belongs to two graph files, LEFT and RIGHT; a folder brings its own links");
  }
  if (std::filesystem::is_regular_file(inputs[0])) {
    throw ParameterError(inputs[0] + ": this is a file; expected a folder, or two files, LEFT and RIGHT");
  }
  return load_folder(inputs[0], options, observer);
}
