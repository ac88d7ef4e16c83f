#include <dovetail/errors.h>
#include <dovetail/generate.h>
#include <dovetail/pair_writer.h>
#include <dovetail/text.h>

#include <fmt/format.h>
#include <memory>
#include <type_traits>

#include "inputs.h"
#include "terminal.h"
#include "verbs.h"

using namespace dovetail;

namespace {

struct GenerateVerb {
  std::string out;
  std::string format = "ntriples";
  bool force = false;
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
  if (!common.quiet) {
    const bool alike = resolved.right_entities == resolved.entities;
    print_summary(
        fmt::format("{}: {} entities{} and about {} triples {} as {}\n", printable(options.out),
                    with_commas(resolved.entities),
                    alike ? "" : fmt::format(" left, {} right", with_commas(resolved.right_entities)),
                    with_commas(resolved.triples), alike ? "a side" : "left", options.format));
  }
}

}  // namespace

void add_generate(CLI::App& app, CommonOptions& common) {
  auto options = std::make_shared<GenerateVerb>();
  GenerateOptions& generated = options->generate;
  CLI::App* verb = app.add_subcommand("generate", "Make a synthetic pair with known links");
  verb->group("Verbs");
  set_usage(*verb, "Usage: dovetail generate OUT [OPTIONS]");
  verb->add_option("OUT", options->out, "Folder to make")->required()->type_name("");
  const auto add = [&](const char* name, auto& value, const Range& range, const char* help,
                       const char* group) {
    const bool share = std::is_floating_point_v<std::remove_reference_t<decltype(value)>>;
    add_number(*verb, name, value, range, help, share ? "SHARE" : "NUMBER")
        ->default_str(fmt::format("{}", value))
        ->group(group);
  };
  const char* const general = "Options";
  add("-n,--entities", generated.entities, kGeneratedEntities, "Entities a side", general);
  add("--right-entities", generated.right_entities, kRightEntities, "Right ones; 0: as many as left",
      general);
  add("--triples", generated.triples, kGeneratedTriples, "Triples a side; 0: 5 per entity", general);
  verb->add_option("--to", options->format, "Format to write; see convert --help")
      ->type_name("FORMAT")
      ->capture_default_str()
      ->check(one_of(format_names({FormatKind::graph, FormatKind::folder})));
  add("--seed", generated.seed, kSeed, "Same seed and options, same bytes", general);
  verb->add_flag("--force", options->force, "Replace what Dovetail wrote there");
  const char* const schema = "What the graphs are like";
  add("--relations", generated.schema.relations, kGeneratedRelations, "Relations a side; 0: by size", schema);
  add("--types", generated.schema.types, kGeneratedTypes, "Kinds of entities; 0: a few dozen", schema);
  add("--communities", generated.schema.communities, kGeneratedCommunities, "Close groups; 0: one per 250",
      schema);
  verb->add_flag("--shared-relations", generated.schema.shared_relations, "Relations have the same names")
      ->group(schema);
  verb->add_flag_callback(
          "--no-labels", [&generated] { generated.labels = false; }, "Entities have no names")
      ->group(schema);
  add("--values", generated.values, kGeneratedValues, "Literals of an entity", schema);
  const char* const difference = "In what the sides differ (shares from 0 to 1)";
  add("--overlap", generated.difference.overlap, kShare, "Triples that both sides have", difference);
  add("--noise", generated.difference.noise, kShare, "Triples that are random", difference);
  add("--dangling", generated.difference.dangling, kDangling, "With no counterpart, of the smaller side",
      difference);
  add_number_by(*verb, "--right-dangling", NumberKind::real, kRightDangling,
                "The same of the right side: sets its size", "SHARE",
                [&generated](const std::string& name, const std::string& text) {
                  read_number(name, text, kRightDangling, generated.difference.right_dangling.emplace());
                })
      ->group(difference);
  add("--isolated", generated.difference.isolated, kDangling, "Entities with no triples", difference);
  add("--duplicates", generated.difference.duplicates, kShare, "Linked right entities that are there twice",
      difference);
  add("--name-difference", generated.difference.names, kShare, "How far names differ", difference);
  add("--value-difference", generated.difference.values, kShare, "Values missing or changed", difference);
  const char* const split = "Links (not divided unless a share is given)";
  add("--seed-ratio", generated.split.seed_ratio, kShare, "Links to learn from", split);
  add("--valid-ratio", generated.split.valid_ratio, kShare, "Links for development", split);
  verb->footer(
      "Examples:\n"
      "  dovetail generate pair --entities 5000\n"
      "  dovetail generate pair --entities 2000 --right-entities 20000 --isolated 0.1\n"
      "  dovetail generate pair --entities 1000000 --dangling 0.2 --to dbp15k --seed 7");
  verb->callback([options, &common] { generate(*options, common); });
}
