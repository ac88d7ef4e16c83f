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

std::string format_list(FormatKind kind) {
  std::string text;
  for (const FormatInfo& info : formats()) {
    if (info.kind == kind) text += fmt::format("  {:<15}{}\n", info.name, info.description);
  }
  return text;
}

namespace {

constexpr Range kFolds = {1, 5};

/// The columns of a list that is separated by commas; none if it is empty.
std::vector<std::string> chosen_columns(const char* option, const std::string& list, std::size_t least,
                                        std::size_t most) {
  if (list.empty()) return {};
  std::vector<std::string> columns = CLI::detail::split(list, ',');
  const bool all_there = std::ranges::none_of(columns, &std::string::empty);
  const std::size_t different = std::set<std::string>(columns.begin(), columns.end()).size();
  if (columns.size() >= least && columns.size() <= most && all_there && different == columns.size())
    return columns;
  throw ParameterError(fmt::format(
      "{} is {}; expected the names or numbers of {} different columns, separated by commas", option,
      shown(list), least == most ? fmt::format("{}", least) : fmt::format("{} or {}", least, most)));
}

template <typename Value>
CLI::Option* add_input(CLI::App& verb, const char* name, Value& value, const char* help, const char* type) {
  return verb.add_option(name, value, help)->type_name(type)->group(kReadingGroup);
}

}  // namespace

void InputOptions::add_links_to(CLI::App& verb, const char* help) {
  verb.add_option("-l,--links", links, help)->type_name("FILE");
}

void InputOptions::add_known_pairs_to(CLI::App& verb) {
  verb.add_option("--not-links", not_links, "Pairs of entities known to be different")->type_name("FILE");
  verb.add_option("--test-links", test_links, "Known links, used for evaluation only")->type_name("FILE");
  add_input(
      verb, "--shared-identifiers", shared_identifiers,
      "Use of an IRI that both graphs have: seeds or ignore; by default seeds, but ignore in folders that "
      "have links",
      "USE")
      ->check(one_of({"seeds", "ignore"}));
}

void InputOptions::add_formats_to(CLI::App& verb) {
  std::vector<std::string> graph_formats = format_names({FormatKind::graph, FormatKind::table});
  graph_formats.emplace_back("auto");
  std::vector<std::string> link_formats = format_names({FormatKind::links});
  link_formats.emplace_back("auto");
  add_input(verb, "--format", format, "Format of the graph files", "FORMAT")
      ->check(one_of(graph_formats))
      ->capture_default_str();
  add_input(verb, "--links-format", links_format, "Format of the files of links", "FORMAT")
      ->check(one_of(link_formats))
      ->capture_default_str();
  add_input(verb, "--columns", columns, "Columns of head, relation and tail, by name or number", "A,B,C");
  add_input(verb, "--links-columns", links_columns,
            "Columns of left entity, right entity and, if there is one, score, by name or number", "A,B,C");
  add_input(verb, "--header", header, "Whether tables have a header line: yes, no or auto", "WHETHER")
      ->check(one_of({"auto", "yes", "no"}))
      ->capture_default_str();
  add_input(verb, "--form", form,
            "Content of TSV and CSV files: table (one row for each entity), triples or auto", "FORM")
      ->check(one_of({"auto", "table", "triples"}))
      ->capture_default_str();
  const auto add_list = [&](const char* name, std::vector<std::string>& list, const char* help,
                            const char* type) {
    add_input(verb, name, list, help, type)->expected(1)->allow_extra_args(false)->take_all();
  };
  add_list("--id-column", id_columns,
           "Column of a table that has the identifiers; given twice, of the left and of the right table",
           "NAME");
  add_input(verb, "--multi-value", multi_value, "Separator of several values in one cell of a table", "TEXT");
  add_list(
      "--relation-column", relation_columns,
      "Column of a table that has identifiers of other rows, or author=people.csv of another table; may be "
      "repeated",
      "NAME");
  add_list("--iri-prefix", iri_prefixes,
           "Prefix that makes IRIs of a table's identifiers; given twice, for left and right; by default the "
           "name of the file",
           "IRI");
  add_list("--name-property", name_properties, "Attribute that has the names of entities; may be repeated",
           "NAME");
  add_input(verb, "--names", names, "Names of entities as JSON: [[entity, [word, ...]], ...]", "FILE");
  verb.add_flag("--strict", strict, "Refuse links to entities that no graph has")->group(kReadingGroup);
}

void InputOptions::add_types_to(CLI::App& verb) {
  verb.add_flag("--types-as-entities", types_as_entities,
                "Read classes, the objects of rdf:type, as entities; always so in the modes basic and semi")
      ->group(kReadingGroup);
}

void InputOptions::add_to(CLI::App& verb) {
  add_formats_to(verb);
  add_number(verb, "--fold", fold, kFolds, "Split to use from an OpenEA folder, 1 to 5")
      ->default_str(std::to_string(fold))
      ->group(kReadingGroup);
  add_number(
      verb, "--seed-ratio", seed_ratio, kShare,
      "Share of the links that are seeds, if the input has no split; by default 0.3 for a folder, 1 for "
      "files",
      "SHARE")
      ->group(kReadingGroup);
  add_number(verb, "--split-seed", split_seed, kSeed, "Random seed of that split")
      ->default_str(std::to_string(split_seed))
      ->group(kReadingGroup);
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
    throw ParameterError("--links goes with two graph files, LEFT and RIGHT; a folder has its own links");
  }
  if (std::filesystem::is_regular_file(inputs[0])) {
    throw ParameterError(inputs[0] + ": is a file; expected a folder, or two files, LEFT and RIGHT");
  }
  return load_folder(inputs[0], options, observer);
}
