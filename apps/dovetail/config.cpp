#include <dovetail/config.h>
#include <dovetail/parameters.h>
#include <dovetail/text.h>
#include <dovetail/version.h>

#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>

#include "config_file.h"
#include "inputs.h"
#include "terminal.h"
#include "verbs.h"

using namespace dovetail;

namespace {

struct ConfigVerb {
  std::string preset;
  std::string from;
  bool json = false;
  bool markdown = false;
};

void print_config(const ConfigVerb& verb) {
  if (verb.markdown) {
    print_result(parameters_page());
    return;
  }
  AlignOptions options;
  std::string name = "the defaults";
  if (!verb.preset.empty()) {
    options = preset_options(verb.preset);
    name = "preset " + verb.preset;
  }
  if (!verb.from.empty()) {
    read_config(verb.from, options);
    name = "as in " + printable(verb.from);
  }
  if (verb.json) {
    nlohmann::ordered_json record;
    for (const auto& [key, value] : parameter_texts(options)) record[key] = value;
    print_result(json_text(record, 2) + "\n");
    return;
  }
  print_result(fmt::format(
      "{}", config_text(options, fmt::format("Dovetail {}, {}\n# To use it: dovetail align ... --config FILE",
                                             kVersion, name))));
}

}  // namespace

void add_config(CLI::App& app, CommonOptions& common) {
  auto verb = std::make_shared<ConfigVerb>();
  CLI::App& sub = new_verb(app, "config", "Print a configuration file for align",
                           {.usage = {"dovetail config [--preset NAME | --from FILE] [OPTIONS]"},
                            .examples = {"dovetail config --preset semi > semi.toml",
                                         "dovetail config --from alignment/run.json > again.toml"},
                            .notes = "Presets:\n" + preset_list()});
  sub.add_option("--preset", verb->preset, "Parameters to print; by default the defaults of align")
      ->type_name("NAME")
      ->check(one_of(preset_names()));
  sub.add_option("--from", verb->from, "Read parameters from a TOML file or a run.json")->type_name("FILE");
  add_json(sub, verb->json, "Print the parameters as JSON");
  sub.add_flag("--markdown", verb->markdown, "Print docs/parameters.md");
  common.add_to(sub, {});
  sub.callback([verb] { print_config(*verb); });
}
