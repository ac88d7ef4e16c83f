#include <dovetail/errors.h>
#include <dovetail/files.h>
#include <dovetail/text.h>

#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>

#include "describe.h"
#include "inputs.h"
#include "summary.h"
#include "terminal.h"
#include "terminal_observer.h"
#include "verbs.h"

using namespace dovetail;

namespace {

struct ConvertOptions {
  std::vector<std::string> paths;
  InputOptions input;
  std::string to;
  std::string out;
  bool force = false;
  bool json = false;
};

/// Two inputs are the graphs of a pair; one is a graph, a folder of a pair, or a file of links.
void convert(const ConvertOptions& options, const CommonOptions& common) {
  TerminalObserver observer(common.quiet);
  LoadOptions load = options.input.load_options(common);
  load.keep_literals = load.types_as_entities = true;  // nothing is left out
  load.cardinality = Cardinality::many_to_many;
  load.shared_identifiers = SharedIdentifiers::ignore;  // only what the files say is written
  load.shuffle_seed.reset();                            // the order of the source is worth keeping here
  const Format format = format_from_name(options.to);
  const FormatKind kind = format_info(format).kind;
  const std::string& target = options.out;
  const std::vector<std::string>& inputs = options.paths;
  const bool pair = inputs.size() == 2 || std::filesystem::is_directory(inputs[0]);
  std::vector<std::filesystem::path> read(inputs.begin(), inputs.end());
  for (const std::string& file : {options.input.links, options.input.names}) read.emplace_back(file);
  // Before the work rather than after it.
  if (kind != FormatKind::links && pair) {
    check_pair_target(target, options.force, {.inputs = read});
  } else {
    check_target(target, options.force, {.inputs = read});
  }
  // Undivided links stay undivided unless a split is asked for.
  if (!load.split_files) load.split.seed_ratio = 1;
  std::string done;
  nlohmann::ordered_json record = {{"output", target}, {"format", options.to}};
  if (kind == FormatKind::links) {
    if (pair)
      throw ParameterError(
          fmt::format("{} is a format for links; expected one file of links to convert", options.to));
    const std::uint64_t count = convert_links(inputs[0], target, format, options.force, load, observer);
    record["links"] = count;
    done = fmt::format("{} links", with_commas(count));
  } else if (pair) {
    const LoadedPair loaded = options.input.load(inputs, load, observer);
    say_what_was_left_out(
        save_pair(loaded.graphs, loaded.links, target, format, options.force, observer, read), format,
        observer);
    record["triples"] = {{"left", loaded.graphs.left().triple_count()},
                         {"right", loaded.graphs.right().triple_count()}};
    record["links"] = loaded.links.size();
    done = fmt::format("{} and {} triples, {} links", with_commas(loaded.graphs.left().triple_count()),
                       with_commas(loaded.graphs.right().triple_count()), with_commas(loaded.links.size()));
  } else if (kind == FormatKind::folder) {
    throw ParameterError(fmt::format(
        "{} is a format for two graphs; expected LEFT RIGHT OUT, or a folder to convert", options.to));
  } else {
    const KnowledgeGraph graph = load_graph(inputs[0], load, observer);
    say_what_was_left_out(save_graph(graph, target, format, options.force, observer, read), format, observer);
    record["triples"] = graph.triple_count();
    done = fmt::format("{} triples", with_commas(graph.triple_count()));
  }
  observer.clear();
  print_outcome(record, fmt::format("{}: {} as {}\n", printable(target), done, format_info(format).name),
                options.json, common.quiet);
}

}  // namespace

void add_convert(CLI::App& app, CommonOptions& common) {
  auto options = std::make_shared<ConvertOptions>();
  CLI::App& verb = new_verb(
      app, "convert", "Write graphs or links in another format",
      {.usage = {"dovetail convert IN OUT --to FORMAT [OPTIONS]",
                 "dovetail convert LEFT RIGHT OUT --to FORMAT [OPTIONS]"},
       .examples = {"dovetail convert dump.nt.gz dump.ttl --to turtle",
                    "dovetail convert left.nt right.nt --links seeds.tsv folder --to dbp15k",
                    "dovetail convert links.rdf links.sssom.tsv --to sssom"},
       .notes = "Formats of one graph (for a pair, OUT is a folder of left.*, right.* and links):\n" +
                format_list(FormatKind::graph) + "Formats of a pair and its links:\n" +
                format_list(FormatKind::folder) + "Formats of links:\n" + format_list(FormatKind::links) +
                "Names that end in .gz, .bz2, .xz or .zst are compressed."});
  verb.add_option("PATHS", options->paths, "Files to read, then the file or folder to write (or -o OUT)")
      ->required()
      ->expected(1, 3)
      ->type_name("");
  add_output(verb, options->out, "File or folder to write", "OUT");
  verb.add_option("--to", options->to, "Format to write")
      ->required()
      ->check(one_of(format_names({FormatKind::graph, FormatKind::folder, FormatKind::links})))
      ->type_name("FORMAT");
  add_force(verb, options->force);
  options->input.add_links_to(verb, "Known links between LEFT and RIGHT");
  add_json(verb, options->json, "Print the numbers of triples and links as JSON");
  options->input.add_to(verb);
  common.add_to(verb, {.threads = true, .reads = true});
  verb.callback([options, &common] {
    if (options->out.empty()) {
      options->out = options->paths.back();
      options->paths.pop_back();
    }
    if (options->paths.empty() || options->paths.size() > 2) {
      throw ParameterError(fmt::format("found {} files to read; expected IN, or LEFT and RIGHT, and then OUT",
                                       options->paths.size()));
    }
    convert(*options, common);
  });
}
