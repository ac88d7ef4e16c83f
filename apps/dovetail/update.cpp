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
#include "summary.h"
#include "terminal.h"
#include "terminal_observer.h"
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
  bool json = false;
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
    throw ParameterError(
        "found no new input; expected --links, --not-links, --test-links, --left or --right");
  }
  const std::string& out = verb.out.empty() ? verb.folder : verb.out;
  TerminalObserver observer(common.quiet);
  if (!std::filesystem::is_directory(verb.folder)) static_cast<void>(open_run(verb.folder));  // throws
  OutputFolder target(out);  // before the run is read, so that no other process updates it meanwhile
  const SavedRun before = open_run(verb.folder);
  target.prepare(wanted_target(verb, before, out), observer);  // before the work, not after it
  GivenFiles given(verb.folder, target);
  Stopwatch watch;
  begin_phase(observer, {.name = "loading", .unit = "bytes"});
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
  watch.lap();
  begin_phase(observer, {.name = "writing", .after = 0});
  write_run(run, pair, target, !verb.no_report);
  run.seconds.write = watch.lap();
  run.seconds.total = watch.seconds();
  observer.clear();
  print_run({run, pair, out, !verb.no_report}, verb.json, common.quiet);
}

}  // namespace

void add_update(CLI::App& app, CommonOptions& common) {
  auto verb = std::make_shared<UpdateVerb>();
  CLI::App& sub =
      new_verb(app, "update", "Continue a run with new links or triples",
               {.usage = {"dovetail update OUT [OPTIONS]"},
                .examples = {"dovetail update alignment --links reviewed.tsv --not-links wrong.tsv",
                             "dovetail update alignment --left new.nt --right new.ttl -o second"},
                .notes = "Starts from the model and the links of the run, which is faster than a new run,\n"
                         "and keeps its parameters. It reads the graphs of the run again. It copies the\n"
                         "new files to OUT/given, so that you may move or change your own."});
  sub.add_option("OUT", verb->folder, "Folder that align has written")->required()->type_name("");
  verb->input.add_links_to(sub, "New links to learn from");
  verb->input.add_known_pairs_to(sub);
  const auto add = [&](const char* name, std::string& value, const char* help) {
    sub.add_option(name, value, help)->type_name("FILE");
  };
  add("--left", verb->left, "New triples of the left graph");
  add("--right", verb->right, "New triples of the right graph");
  add_output(sub, verb->out, "Folder to write; by default OUT is replaced", "NEW");
  add_force(sub, verb->force);
  sub.add_flag("--no-report", verb->no_report, "Do not write report.html");
  add_json(sub, verb->json, "Print the result as JSON");
  verb->input.add_formats_to(sub);
  common.add_to(sub, {.threads = true, .reads = true});
  sub.callback([verb, &common] { update(*verb, common); });
}
