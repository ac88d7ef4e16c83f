#include "verbs.h"

#include <dovetail/config.h>
#include <dovetail/limits.h>
#include <dovetail/version.h>

#include <fmt/format.h>
#include <memory>
#include <utility>

#include "terminal.h"

void CommonOptions::add_to(CLI::App& app, const Effect& effect) {
  if (effect.threads) {
    add_number(app, "--threads", threads, dovetail::kThreads, "Number of threads; 0 = one for each core")
        ->default_str("0");
  }
  app.add_flag("-q,--quiet", quiet, "Print only warnings, errors and requested results");
  if (!effect.reads) return;
  add_number_by(app, "--max-expansion", dovetail::NumberKind::whole, dovetail::kCount,
                "Refuse a compressed file that grows by more than this factor; 0 = no limit", "N",
                [](const std::string& name, const std::string& text) {
                  dovetail::set_largest_expansion(dovetail::read_whole_number(name, text, dovetail::kCount));
                })
      ->default_str(std::to_string(dovetail::kLargestExpansion))
      ->group(kReadingGroup);
}

std::string version_text() {
  return fmt::format("dovetail {}", dovetail::kVersion);
}

std::vector<std::string> preset_names() {
  std::vector<std::string> names;
  for (const dovetail::Preset& preset : dovetail::presets()) names.emplace_back(preset.name);
  return names;
}

std::string preset_list() {
  std::string text;
  for (const dovetail::Preset& preset : dovetail::presets()) {
    text += fmt::format("  {:<11}{}\n", preset.name, preset.description);
  }
  return text;
}

CLI::App& new_verb(CLI::App& app, const std::string& name, const std::string& description, HelpText text) {
  CLI::App* verb = app.add_subcommand(name, description);
  verb->group("Verbs");
  set_help(*verb, std::move(text));
  return *verb;
}

CLI::Option* add_output(CLI::App& verb, std::string& value, const std::string& help, const char* type) {
  return verb.add_option("-o,--output,--out", value, help)->type_name(type);
}

CLI::Option* add_force(CLI::App& verb, bool& value) {
  return verb.add_flag("--force", value, "Replace files that Dovetail wrote there before");
}

CLI::Option* add_json(CLI::App& verb, bool& value, const std::string& help) {
  return verb.add_flag("--json", value, help);
}

void add_help(CLI::App& app) {
  auto verb = std::make_shared<std::string>();
  CLI::App& sub = new_verb(app, "help", "Show the help of a verb",
                           {.usage = {"dovetail help [VERB]"}, .examples = {"dovetail help align"}});
  std::vector<std::string> names;
  for (const CLI::App* known : listed_verbs(app)) names.push_back(known->get_name());
  names.emplace_back("version");
  sub.add_option("VERB", *verb, "The verb; none = the list of all verbs")
      ->type_name("")
      ->check(one_of(names));
  sub.callback([verb, &app] {
    const CLI::App* const asked = verb->empty() ? &app : app.get_subcommand(*verb);
    print_result(asked->get_formatter()->make_help(asked, "", CLI::AppFormatMode::Normal));
  });
}

void add_version(CLI::App& app) {
  CLI::App& sub = new_verb(app, "version", "Show the version of Dovetail",
                           {.usage = {"dovetail version"}, .examples = {"dovetail version"}});
  sub.callback([] { print_result(version_text() + "\n"); });
}
