#include <dovetail/run.h>
#include <dovetail/text.h>

#include <fmt/format.h>
#include <memory>

#include "terminal.h"
#include "verbs.h"

using namespace dovetail;

namespace {

void report(const std::string& folder, const CommonOptions& common) {
  TerminalObserver observer(common.quiet);
  const SavedRun run = open_run(folder);
  write_report(run, observer);
  observer.clear();
  if (!common.quiet) print_summary(fmt::format("{}\n", printable((run.folder / "report.html").string())));
}

}  // namespace

void add_report(CLI::App& app, CommonOptions& common) {
  auto folder = std::make_shared<std::string>();
  CLI::App* sub = app.add_subcommand("report", "Make the page of a run again");
  sub->group("Verbs");
  set_usage(*sub, "Usage: dovetail report OUT");
  sub->add_option("OUT", *folder, "The folder that align has written")->required()->type_name("");
  sub->footer(
      "Writes report.html into the folder: one page, without other files, of what was\n"
      "aligned, how it went, how good it is, a map, and the links to look at first.\n"
      "The graphs are read again from where they were.\n\n"
      "Example:\n"
      "  dovetail report alignment");
  sub->callback([folder, &common] { report(*folder, common); });
}
