#include <dovetail/errors.h>
#include <dovetail/files.h>
#include <dovetail/text.h>

#include <filesystem>
#include <fmt/format.h>
#include <memory>

#include "describe.h"
#include "inputs.h"
#include "terminal.h"
#include "verbs.h"

using namespace dovetail;

namespace {

struct ConvertOptions {
  std::vector<std::string> paths;
  InputOptions input;
  std::string to;
  bool force = false;
};

/// Three paths are two graphs and a folder, two are one file or folder and another.
void convert(const ConvertOptions& options, const CommonOptions& common) {
  TerminalObserver observer(common.quiet);
  LoadOptions load = options.input.load_options(common);
  load.keep_literals = load.types_as_entities = true;  // nothing is left out
  load.cardinality = Cardinality::many_to_many;
  load.shared_identifiers = SharedIdentifiers::ignore;  // only what the files say is written
  load.shuffle_seed.reset();                            // the order of the source is worth keeping here
  const Format format = format_from_name(options.to);
  const FormatKind kind = format_info(format).kind;
  const std::string& target = options.paths.back();
  const std::vector<std::string> inputs(options.paths.begin(), options.paths.end() - 1);
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
  if (kind == FormatKind::links) {
    if (pair)
      throw ParameterError(fmt::format("{} holds links; expected one file of links to convert", options.to));
    const std::uint64_t count = convert_links(inputs[0], target, format, options.force, load, observer);
    done = fmt::format("{} links", with_commas(count));
  } else if (pair) {
    const LoadedPair loaded = options.input.load(inputs, load, observer);
    say_what_was_left_out(
        save_pair(loaded.graphs, loaded.links, target, format, options.force, observer, read), format,
        observer);
    done = fmt::format("{} and {} triples, {} links", with_commas(loaded.graphs.left().triple_count()),
                       with_commas(loaded.graphs.right().triple_count()), with_commas(loaded.links.size()));
  } else if (kind == FormatKind::folder) {
    throw ParameterError(fmt::format(
        "{} is a folder of two graphs; expected LEFT RIGHT OUT, or a folder to convert", options.to));
  } else {
    const KnowledgeGraph graph = load_graph(inputs[0], load, observer);
    say_what_was_left_out(save_graph(graph, target, format, options.force, observer, read), format, observer);
    done = fmt::format("{} triples", with_commas(graph.triple_count()));
  }
  observer.clear();
  if (!common.quiet)
    print_summary(fmt::format("{}: {} as {}\n", printable(target), done, format_info(format).name));
}

}  // namespace

void add_convert(CLI::App& app, CommonOptions& common) {
  auto options = std::make_shared<ConvertOptions>();
  CLI::App* verb = app.add_subcommand("convert", "Write graphs or links in another format");
  verb->group("Verbs");
  set_usage(*verb,
            "Usage: dovetail convert IN OUT --to FORMAT\n       dovetail convert LEFT RIGHT OUT --to FORMAT");
  verb->add_option("PATHS", options->paths, "What to read, then what to write")
      ->required()
      ->expected(2, 3)
      ->type_name("");
  verb->add_option("--to", options->to, "Format to write: see below")
      ->required()
      ->check(one_of(format_names({FormatKind::graph, FormatKind::folder, FormatKind::links})))
      ->type_name("FORMAT");
  verb->add_flag("--force", options->force, "Replace what Dovetail wrote there");
  options->input.add_to(*verb);
  std::string footer = "Formats of one graph (of a pair: OUT is a folder of left.*, right.* and links):\n";
  const auto list = [&](FormatKind kind) {
    for (const FormatInfo& info : formats()) {
      if (info.kind == kind) footer += fmt::format("  {:<15}{}\n", info.name, info.description);
    }
  };
  list(FormatKind::graph);
  footer += "Formats of a pair and its links:\n";
  list(FormatKind::folder);
  footer += "Formats of links:\n";
  list(FormatKind::links);
  footer +=
      "A name that ends in .gz, .bz2, .xz or .zst is compressed.\n\n"
      "Examples:\n"
      "  dovetail convert dump.nt.gz dump.ttl --to turtle\n"
      "  dovetail convert left.nt right.nt --links seeds.tsv folder --to dbp15k\n"
      "  dovetail convert links.rdf links.sssom.tsv --to sssom";
  verb->footer(footer);
  verb->callback([options, &common] { convert(*options, common); });
}
