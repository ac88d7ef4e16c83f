#include <dovetail/errors.h>
#include <dovetail/run.h>

#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "common/stopwatch.h"
#include "inputs.h"
#include "runs/given_files.h"
#include "runs/run_folder.h"
#include "runs/saved_run.h"
#include "session/save_run.h"
#include "summary.h"
#include "terminal.h"
#include "verbs.h"

using namespace dovetail;

namespace {

struct UpdateVerb {
  std::string folder;
  std::string left, right;
  InputOptions input;
  std::string out;  ///< empty: the folder itself
  bool force = false;
  bool no_report = false;
};

/// The folder `out`, which may be that of the run itself.
FolderTarget wanted_target(const UpdateVerb& verb, const SavedRun& before, const std::string& out) {
  const InputOptions& input = verb.input;
  FolderTarget wanted = run_target(verb.out.empty() || verb.force, inputs_of(before));
  for (const std::string& file :
       {verb.left, verb.right, input.links, input.not_links, input.test_links, input.names}) {
    wanted.reading.inputs.emplace_back(file);
  }
  std::error_code none;
  if (!std::filesystem::equivalent(out, verb.folder, none)) wanted.reading.inputs.emplace_back(verb.folder);
  wanted.reading.run = verb.folder;
  wanted.into_run = true;
  return wanted;
}

void update(const UpdateVerb& verb, const CommonOptions& common) {
  const InputOptions& input = verb.input;
  if (verb.left.empty() && verb.right.empty() && input.links.empty() && input.not_links.empty() &&
      input.test_links.empty()) {
    throw ParameterError("there is nothing new; expected --links, --not-links, --left or --right");
  }
  const std::string& out = verb.out.empty() ? verb.folder : verb.out;
  TerminalObserver observer(common.quiet);
  if (!std::filesystem::is_directory(verb.folder)) static_cast<void>(open_run(verb.folder));  // it says so
  OutputFolder target(out);  // before the run is read: nobody else may be updating it
  const SavedRun before = open_run(verb.folder);
  target.prepare(wanted_target(verb, before, out), observer);  // before the work, not after it
  GivenFiles given(verb.folder, target);
  const Stopwatch watch;
  LoadedPair pair = load_run_inputs(before, false, observer);
  const Earlier earlier = earlier_run(before, pair);
  pair = add_files(std::move(pair),
                   given.take({.left = verb.left,
                               .right = verb.right,
                               .links = input.links,
                               .not_links = input.not_links,
                               .test_links = input.test_links,
                               .options = input.load_options(common)}),
                   observer);
  given.settle(pair.source);
  AlignOptions options = before.options;
  options.threads = common.threads;
  options.scratch = target.working_path();
  const double load = watch.seconds();
  Run run = update_alignment(pair, earlier, options, observer);
  run.seconds.load = load;
  run.seconds.total += load;
  write_run(run, pair, target, !verb.no_report);
  observer.clear();
  if (!common.quiet) print_summary(fitted(run_summary(run, pair, out, !verb.no_report), STDOUT_FILENO));
}

}  // namespace

void add_update(CLI::App& app, CommonOptions& common) {
  auto verb = std::make_shared<UpdateVerb>();
  CLI::App* sub = app.add_subcommand("update", "Go on from a run with what is new since");
  sub->group("Verbs");
  set_usage(*sub, "Usage: dovetail update OUT [OPTIONS]");
  sub->add_option("OUT", verb->folder, "The folder that align has written")->required()->type_name("");
  sub->add_option("-o,--out", verb->out, "Another folder for the result; else\nOUT is replaced")
      ->type_name("NEW");
  sub->add_flag("--force", verb->force, "Replace what Dovetail wrote there");
  sub->add_flag("--no-report", verb->no_report, "Write no report.html");
  const auto add = [&](const char* name, std::string& value, const char* help) {
    sub->add_option(name, value, help)->type_name("FILE")->group("Input");
  };
  add("-l,--links", verb->input.links, "More links, to learn from");
  verb->input.add_known_pairs_to(*sub);
  add("--left", verb->left, "More triples of the left graph");
  add("--right", verb->right, "More triples of the right graph");
  verb->input.add_formats_to(*sub);
  sub->footer(
      "Starts from what the run has learned and found, which is quicker than to align\n"
      "again. Its parameters stay. Its graphs are read again from where they were. The\n"
      "new files are copied to OUT/given, so that you may move or change your own.\n\n"
      "Examples:\n"
      "  dovetail update alignment --links reviewed.tsv --not-links wrong.tsv\n"
      "  dovetail update alignment --left new.nt --right new.ttl --out second");
  sub->callback([verb, &common] { update(*verb, common); });
}
