#include <dovetail/run.h>
#include <dovetail/text.h>

#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "summary.h"
#include "terminal.h"
#include "terminal_observer.h"
#include "verbs.h"

using namespace dovetail;

namespace {

void report(const std::string& folder, bool json, const CommonOptions& common) {
  TerminalObserver observer(common.quiet);
  const SavedRun run = open_run(folder);
  write_report(run, observer);
  observer.clear();
  const std::string page = (run.folder / "report.html").string();
  print_outcome({{"report", page}}, fmt::format("{}\n", printable(page)), json, common.quiet);
}

}  // namespace

void add_report(CLI::App& app, CommonOptions& common) {
  auto folder = std::make_shared<std::string>();
  auto json = std::make_shared<bool>(false);
  CLI::App& sub =
      new_verb(app, "report", "Write the report of a run again",
               {.usage = {"dovetail report OUT [OPTIONS]"},
                .examples = {"dovetail report alignment"},
                .notes = "Writes OUT/report.html: one page with inputs, training, quality, a map of the\n"
                         "embeddings, and the links that need review first. It reads the graphs again."});
  sub.add_option("OUT", *folder, "Folder that align has written")->required()->type_name("");
  add_json(sub, *json, "Print the path of the report as JSON");
  common.add_to(sub, {.threads = true, .reads = true});
  sub.callback([folder, json, &common] { report(*folder, *json, common); });
}
