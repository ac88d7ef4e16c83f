#include <dovetail/export.h>
#include <dovetail/files.h>
#include <dovetail/text.h>

#include <fmt/format.h>
#include <memory>

#include "describe.h"
#include "inputs.h"
#include "terminal.h"
#include "verbs.h"

using namespace dovetail;

namespace {

struct MergeVerb {
  std::string run;
  std::string to;
  std::string target;
  std::string keep = "left";
  MergeOptions options;
};

void merge(const MergeVerb& verb, const CommonOptions& common) {
  TerminalObserver observer(common.quiet);
  MergeOptions options = verb.options;
  options.keep = verb.keep == "left" ? Side::left : Side::right;
  const Format format = format_from_name(verb.to);
  const SavedRun run = open_run(verb.run);
  const MergeCounts counts =
      merge_run(run, verb.target.empty() ? kStandardOutput : verb.target, format, options, observer);
  say_what_was_left_out(counts.left_out, format, observer);
  observer.clear();
  if (!common.quiet && !verb.target.empty()) {
    print_summary(fmt::format("{}: {} triples as {}; {} links, {} names replaced\n", printable(verb.target),
                              with_commas(counts.triples), verb.to, with_commas(counts.links),
                              with_commas(counts.replaced)));
  }
}

}  // namespace

void add_merge(CLI::App& app, CommonOptions& common) {
  auto verb = std::make_shared<MergeVerb>();
  CLI::App* sub = app.add_subcommand("merge", "Write both graphs of a run as one");
  sub->group("Verbs");
  set_usage(*sub, "Usage: dovetail merge OUT --to FORMAT [-o FILE] [OPTIONS]");
  sub->add_option("OUT", verb->run, "The folder that align has written")->required()->type_name("");
  sub->add_option("--to", verb->to, "Format to write: see below")
      ->required()
      ->check(one_of(format_names({FormatKind::graph})))
      ->type_name("FORMAT");
  sub->add_option("-o,--output", verb->target, "File to write; else it is printed")->type_name("FILE");
  sub->add_option("--keep", verb->keep, "Whose names are kept: left, right")
      ->type_name("SIDE")
      ->check(one_of({"left", "right"}))
      ->capture_default_str();
  add_number(*sub, "--min-confidence", verb->options.min_confidence, kShare, "Less sure links join nothing");
  sub->add_flag("--force", verb->options.replace, "Replace what is there");
  std::string footer =
      "Linked entities, by seeds and by what was found, become one under the name that\n"
      "is kept; owl:sameAs tells the other name. Every triple is there once. Where a\n"
      "format has named graphs, what comes from either side stays in one of its own.\n"
      "The graphs are read again from where they were.\n\n"
      "Formats:\n";
  for (const FormatInfo& info : formats()) {
    if (info.kind == FormatKind::graph) footer += fmt::format("  {:<10}{}\n", info.name, info.description);
  }
  sub->footer(footer +
              "\nExamples:\n"
              "  dovetail merge alignment --to ntriples -o merged.nt.gz\n"
              "  dovetail merge alignment --to trig --keep right --min-confidence 0.9");
  sub->callback([verb, &common] { merge(*verb, common); });
}
