#include <dovetail/config.h>
#include <dovetail/errors.h>
#include <dovetail/version.h>

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <sstream>

#include "alignment/parameters.h"
#include "common/text.h"
#include "inputs.h"
#include "io/byte_source.h"
#include "io/saved_run.h"
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
    fmt::print("{}", parameters_page());
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
  fmt::print(
      "{}", config_text(options, fmt::format("Dovetail {}, {}\n# To use it: dovetail align ... --config FILE",
                                             kVersion, name)));
}

/// The line of a file that begins with a key; CLI11 does not say where it read one.
std::uint64_t line_of(const std::string& text, const std::string& key) {
  std::istringstream lines(text);
  std::uint64_t number = 1;
  for (std::string line; std::getline(lines, line); ++number) {
    const std::size_t begin = std::min(line.find_first_not_of(" \t\"'"), line.size());
    if (line.compare(begin, key.size(), key) == 0) return number;
  }
  return 0;
}

}  // namespace

void read_config(const std::string& path, AlignOptions& options) {
  const std::string text = read_whole(path);
  if (text.starts_with('{')) {
    const std::size_t threads = options.threads;
    options = read_run_options(path);
    options.threads = threads;  // of this machine, not of that run's
    return;
  }
  std::istringstream stream(text);
  for (const CLI::ConfigItem& item : CLI::ConfigTOML().from_config(stream)) {
    if (item.name == "++" || item.name == "--") continue;  // where a section begins and ends
    try {
      if (item.inputs.size() != 1) {
        throw ParameterError(fmt::format("{} has {} values; expected one", item.name, item.inputs.size()));
      }
      set_parameter(options, item.name, item.inputs[0]);
    } catch (const ParameterError& error) {
      throw InputError(path, line_of(text, item.name), error.what());
    }
  }
}

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
