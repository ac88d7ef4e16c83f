#include <dovetail/config.h>
#include <dovetail/parameters.h>
#include <dovetail/text.h>
#include <dovetail/version.h>

#include <fmt/format.h>
#include <memory>

#include "config_file.h"
#include "inputs.h"
#include "terminal.h"
#include "verbs.h"

using namespace dovetail;

namespace {

struct ConfigVerb {
  std::string preset;
  std::string from;
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
  print_result(fmt::format(
      "{}", config_text(options, fmt::format("Dovetail {}, {}\n# To use it: dovetail align ... --config FILE",
                                             kVersion, name))));
}

}  // namespace

void add_config(CLI::App& app, CommonOptions& /*common*/) {
  auto verb = std::make_shared<ConfigVerb>();
  CLI::App* sub = app.add_subcommand("config", "Print a configuration file for align");
  sub->group("Verbs");
  set_usage(*sub, "Usage: dovetail config [--preset NAME | --from FILE]");
  std::vector<std::string> names;
  std::string footer = "Presets:\n";
  for (const Preset& preset : presets()) {
    names.emplace_back(preset.name);
    footer += fmt::format("  {:<11}{}\n", preset.name, preset.description);
  }
  sub->add_option("--preset", verb->preset, "Which one; else the defaults")
      ->type_name("NAME")
      ->check(one_of(names));
  sub->add_option("--from", verb->from, "Read parameters: TOML, run.json")->type_name("FILE");
  sub->add_flag("--markdown", verb->markdown, "Print docs/parameters.md instead");
  sub->footer(footer +
              "\nExamples:\n"
              "  dovetail config --preset semi > semi.toml\n"
              "  dovetail config --from alignment/run.json > again.toml\n"
              "  dovetail align pair --config semi.toml --epochs 8");
  sub->callback([verb] { print_config(*verb); });
}
