#include <dovetail/errors.h>
#include <dovetail/generate.h>
#include <dovetail/pair_writer.h>
#include <dovetail/text.h>

#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <type_traits>

#include "inputs.h"
#include "summary.h"
#include "terminal.h"
#include "terminal_observer.h"
#include "verbs.h"

using namespace dovetail;

namespace {

struct GenerateVerb {
  std::string out;
  std::string format = "ntriples";
  bool force = false;
  bool json = false;
  GenerateOptions generate;
};

void generate(const GenerateVerb& options, const CommonOptions& common) {
  TerminalObserver observer(common.quiet);
  const GenerateOptions resolved = resolve_options(options.generate);
  const auto writer =
      make_pair_writer(options.out, format_from_name(options.format), {.replace = options.force}, observer);
  generate_pair(resolved, *writer, observer);
  writer->commit();
  observer.clear();
  const bool alike = resolved.right_entities == resolved.entities;
  print_outcome({{"output", options.out},
                 {"format", options.format},
                 {"entities", resolved.entities},
                 {"right_entities", resolved.right_entities},
                 {"triples", resolved.triples},
                 {"seed", resolved.seed}},
                fmt::format("{}: {} entities{} and about {} triples {} as {}\n", printable(options.out),
                            with_commas(resolved.entities),
                            alike ? "" : fmt::format(" left, {} right", with_commas(resolved.right_entities)),
                            with_commas(resolved.triples), alike ? "in each graph" : "left", options.format),
                options.json, common.quiet);
}

/// Adds the options about the generated graphs.
void add_graph_options(CLI::App& verb, GenerateOptions& generated) {
  const auto add = [&](const char* name, auto& value, const Range& range, const char* help,
                       const char* group) {
    const bool share = std::is_floating_point_v<std::remove_reference_t<decltype(value)>>;
    add_number(verb, name, value, range, help, share ? "SHARE" : "N")
        ->default_str(fmt::format("{}", value))
        ->group(group);
  };
  add("-n,--entities", generated.entities, kGeneratedEntities, "Number of entities in each graph",
      kMainGroup);
  add("--right-entities", generated.right_entities, kRightEntities,
      "Number of entities in the right graph; 0 = as many as in the left", kMainGroup);
  add("--triples", generated.triples, kGeneratedTriples,
      "Number of triples in each graph; 0 = five for each entity", kMainGroup);
  add("--seed", generated.seed, kSeed, "Random seed", kMainGroup);
  const char* const schema = "The graphs";
  add("--relations", generated.schema.relations, kGeneratedRelations,
      "Number of relations in each graph; 0 = by size", schema);
  add("--types", generated.schema.types, kGeneratedTypes, "Number of entity types; 0 = by size", schema);
  add("--communities", generated.schema.communities, kGeneratedCommunities,
      "Number of communities; 0 = one for 250 entities", schema);
  verb.add_flag("--shared-relations", generated.schema.shared_relations,
                "Give relations the same names in both graphs")
      ->group(schema);
  verb.add_flag_callback(
          "--no-labels", [&generated] { generated.labels = false; }, "Give entities no names")
      ->group(schema);
  add("--values", generated.values, kGeneratedValues, "Number of literals of an entity", schema);
  const char* const difference = "How the graphs differ (shares from 0 to 1)";
  add("--overlap", generated.difference.overlap, kShare, "Share of triples that both graphs have",
      difference);
  add("--noise", generated.difference.noise, kShare, "Share of triples that are random", difference);
  add("--dangling", generated.difference.dangling, kDangling,
      "Share of entities without a counterpart, in the smaller graph", difference);
  add_number_by(verb, "--right-dangling", NumberKind::real, kRightDangling,
                "Share of entities without a counterpart in the right graph; sets its size", "SHARE",
                [&generated](const std::string& name, const std::string& text) {
                  read_number(name, text, kRightDangling, generated.difference.right_dangling.emplace());
                })
      ->group(difference);
  add("--isolated", generated.difference.isolated, kDangling, "Share of entities without triples",
      difference);
  add("--duplicates", generated.difference.duplicates, kShare,
      "Share of linked right entities that have a duplicate", difference);
  add("--name-difference", generated.difference.names, kShare, "How much the names of a pair differ",
      difference);
  add("--value-difference", generated.difference.values, kShare,
      "Share of values that are missing or changed", difference);
  const char* const split = "Links (not split by default)";
  add("--seed-ratio", generated.split.seed_ratio, kShare, "Share of links that are seeds", split);
  add("--valid-ratio", generated.split.valid_ratio, kShare, "Share of links for development", split);
}

}  // namespace

void add_generate(CLI::App& app, CommonOptions& common) {
  auto options = std::make_shared<GenerateVerb>();
  CLI::App& verb =
      new_verb(app, "generate", "Generate two synthetic graphs and the links between them",
               {.usage = {"dovetail generate OUT [OPTIONS]"},
                .examples = {"dovetail generate pair --entities 5000",
                             "dovetail generate pair --entities 2000 --right-entities 20000 --isolated 0.1",
                             "dovetail generate pair --entities 1000000 --dangling 0.2 --to dbp15k"},
                .notes = "The same options and seed give the same files."});
  verb.add_option("OUT", options->out, "Folder to write; also -o OUT")->type_name("");
  add_output(verb, options->out, "Folder to write", "OUT");
  verb.add_option("--to,--format", options->format, "Format to write, see dovetail help convert")
      ->type_name("FORMAT")
      ->capture_default_str()
      ->check(one_of(format_names({FormatKind::graph, FormatKind::folder})));
  add_force(verb, options->force);
  add_json(verb, options->json, "Print the numbers of entities and triples as JSON");
  common.add_to(verb, {});
  add_graph_options(verb, options->generate);
  verb.callback([options, &common] {
    if (options->out.empty()) throw CLI::RequiredError("OUT");
    generate(*options, common);
  });
}
