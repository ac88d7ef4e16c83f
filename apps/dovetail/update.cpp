#include <dovetail/errors.h>
#include <dovetail/session.h>

#include <fmt/format.h>
#include <iterator>
#include <memory>
#include <unistd.h>
#include <utility>
#include <vector>

#include "inputs.h"
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

void update(const UpdateVerb& verb, const CommonOptions& common) {
  const InputOptions& input = verb.input;
  if (verb.left.empty() && verb.right.empty() && input.links.empty() && input.not_links.empty() &&
      input.test_links.empty()) {
    throw ParameterError("there is nothing new; expected --links, --not-links, --left or --right");
  }
  const std::string& out = verb.out.empty() ? verb.folder : verb.out;
  TerminalObserver observer(common.quiet);
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
  session.save(!verb.no_report);
  observer.clear();
  if (common.quiet) return;
  print_summary(fitted(run_summary(session.run(), session.pair(), out, !verb.no_report), STDOUT_FILENO));
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
