#include <dovetail/export.h>
#include <dovetail/files.h>
#include <dovetail/text.h>

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

struct MergeVerb {
  std::string run;
  std::string to;
  std::string target;
  std::string keep = "left";
  bool json = false;
  MergeOptions options;
};

void merge(const MergeVerb& verb, const CommonOptions& common) {
  TerminalObserver observer(common.quiet);
  MergeOptions options = verb.options;
  options.keep = verb.keep == "left" ? Side::left : Side::right;
  refuse_json_beside_output(verb.json, verb.target);
  const Format format = format_from_name(verb.to);
  const SavedRun run = open_run(verb.run);
  const MergeCounts counts =
      merge_run(run, verb.target.empty() ? kStandardOutput : verb.target, format, options, observer);
  say_what_was_left_out(counts.left_out, format, observer);
  observer.clear();
  if (verb.target.empty()) return;
  print_outcome({{"output", verb.target},
                 {"format", verb.to},
                 {"triples", counts.triples},
                 {"links", counts.links},
                 {"replaced_names", counts.replaced}},
                fmt::format("{}: {} triples as {}; {} links, {} names replaced\n", printable(verb.target),
                            with_commas(counts.triples), verb.to, with_commas(counts.links),
                            with_commas(counts.replaced)),
                verb.json, common.quiet);
}

}  // namespace

void add_merge(CLI::App& app, CommonOptions& common) {
  auto verb = std::make_shared<MergeVerb>();
  CLI::App& sub =
      new_verb(app, "merge", "Write both graphs of a run as one graph",
               {.usage = {"dovetail merge OUT --to FORMAT [-o FILE] [OPTIONS]"},
                .examples = {"dovetail merge alignment --to ntriples -o merged.nt.gz",
                             "dovetail merge alignment --to trig --keep right --min-confidence 0.9"},
                .notes = "Linked entities, seeds included, become one entity with one of the two names;\n"
                         "owl:sameAs has the other name. Every triple is written once. In formats with\n"
                         "named graphs, the triples of each side are in a graph of their own. The verb\n"
                         "reads the graphs again.\n\n"
                         "Formats:\n" +
                         format_list(FormatKind::graph)});
  sub.add_option("OUT", verb->run, "Folder that align has written")->required()->type_name("");
  sub.add_option("--to,--format", verb->to, "Format to write")
      ->required()
      ->check(one_of(format_names({FormatKind::graph})))
      ->type_name("FORMAT");
  add_output(sub, verb->target, "File to write; without it, the graph is printed", "FILE");
  add_force(sub, verb->options.replace);
  sub.add_option("--keep", verb->keep, "Side whose names are kept: left or right")
      ->type_name("SIDE")
      ->check(one_of({"left", "right"}))
      ->capture_default_str();
  add_number(sub, "--min-confidence", verb->options.min_confidence, kShare,
             "Do not merge the entities of links with a lower confidence");
  add_json(sub, verb->json, "Print the numbers of triples and links as JSON; needs -o");
  common.add_to(sub, {.threads = true, .reads = true});
  sub.callback([verb, &common] { merge(*verb, common); });
}
