#include <dovetail/errors.h>
#include <dovetail/session.h>

#include <chrono>
#include <fmt/format.h>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include "inputs.h"
#include "summary.h"
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

void update(const UpdateVerb& verb, const CommonOptions& common) {
  const InputOptions& input = verb.input;
  if (verb.left.empty() && verb.right.empty() && input.links.empty() && input.not_links.empty() &&
      input.test_links.empty()) {
    throw ParameterError(
        "found no new input; expected --links, --not-links, --test-links, --left or --right");
  }
  const std::string& out = verb.out.empty() ? verb.folder : verb.out;
  TerminalObserver observer(common.quiet);
  const auto begun = std::chrono::steady_clock::now();
  begin_phase(observer, {.name = "loading", .unit = "bytes"});
  SessionTarget target{.folder = out, .replace = verb.force};
  for (const std::string& file :
       {verb.left, verb.right, input.links, input.not_links, input.test_links, input.names}) {
    target.inputs.emplace_back(file);
  }
  Session session = Session::open(verb.folder, {.threads = common.threads, .target = target}, observer);
  session.add({.left = verb.left,
               .right = verb.right,
               .links = input.links,
               .not_links = input.not_links,
               .test_links = input.test_links,
               .options = input.load_options(common)},
              observer);
  session.refresh(observer);
  begin_phase(observer, {.name = "writing", .after = 0});
  session.save(!verb.no_report);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begun;
  observer.clear();
  print_run({session.run(), session.pair(), out, !verb.no_report, seconds.count()}, verb.json, common.quiet);
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
