#include <dovetail/run.h>
#include <dovetail/statistics.h>
#include <dovetail/text.h>

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>

#include "describe.h"
#include "inputs.h"
#include "terminal.h"
#include "verbs.h"

using namespace dovetail;

namespace {

struct InspectOptions {
  std::vector<std::string> inputs;
  InputOptions input;
  bool json = false;
};

nlohmann::json attributes_json(const KnowledgeGraph& graph) {
  nlohmann::json list = nlohmann::json::array();
  for (const AttributeStatistics& one : attribute_statistics(graph)) {
    list.push_back({{"name", one.name},
                    {"type", one.type},
                    {"values", one.values},
                    {"entities", one.entities},
                    {"distinct", one.distinct},
                    {"examples", one.examples}});
  }
  return list;
}

void inspect(const InspectOptions& options, const CommonOptions& common) {
  TerminalObserver observer(common.quiet);
  LoadOptions load = options.input.load_options(common);
  load.keep_literals = true;                     // attributes are listed
  load.cardinality = Cardinality::many_to_many;  // what there is, whatever it is used for
  load.shared_identifiers = SharedIdentifiers::ignore;
  const LoadedPair pair = options.input.load(options.inputs, load, observer);
  observer.clear();
  if (options.json) {
    nlohmann::json record = nlohmann::json::parse(pair_record(pair));
    record["left"]["attributes"] = attributes_json(pair.graphs.left());
    record["right"]["attributes"] = attributes_json(pair.graphs.right());
    print_result(fmt::format("{}\n", json_text(record, 2)));
  } else {
    print_result(describe_text(pair));
  }
}

}  // namespace

void add_inspect(CLI::App& app, CommonOptions& common) {
  auto options = std::make_shared<InspectOptions>();
  CLI::App* verb = app.add_subcommand("inspect", "Describe two graphs and the links between them");
  verb->add_option("INPUT", options->inputs, "A folder, or two graph files: LEFT RIGHT")
      ->required()
      ->expected(1, 2)
      ->type_name("");
  verb->group("Verbs");
  set_usage(*verb,
            "Usage: dovetail inspect FOLDER [OPTIONS]\n       dovetail inspect LEFT RIGHT [--links FILE] "
            "[OPTIONS]");
  verb->add_flag("--json", options->json, "Print JSON");
  options->input.add_to(*verb);
  options->input.add_types_to(*verb);
  verb->footer(
      "Examples:\n"
      "  dovetail inspect dbp15k/zh_en\n"
      "  dovetail inspect left.nt.gz right.ttl --links sameas.nt\n"
      "  dovetail inspect left.csv right.csv --columns subject,predicate,object --json");
  verb->callback([options, &common] { inspect(*options, common); });
}
