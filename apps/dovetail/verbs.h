#pragma once

#include <dovetail/align.h>

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "help.h"

/// Options that every verb accepts, also before the verb.
struct CommonOptions {
  bool quiet = false;
  std::size_t threads = 0;

  /// Which of them have an effect, so that the help shows them.
  struct Effect {
    bool threads = false;
    bool reads = false;  ///< reads files of the user's, which may be compressed
  };
  void add_to(CLI::App& app, const Effect& effect);
};

// Each function is in a file of its own. It adds a verb as a subcommand, with a callback that does the work.
void add_align(CLI::App& app, CommonOptions& common);
void add_update(CLI::App& app, CommonOptions& common);
void add_evaluate(CLI::App& app, CommonOptions& common);
void add_explain(CLI::App& app, CommonOptions& common);
void add_inspect(CLI::App& app, CommonOptions& common);
void add_generate(CLI::App& app, CommonOptions& common);
void add_convert(CLI::App& app, CommonOptions& common);
void add_review(CLI::App& app, CommonOptions& common);
void add_report(CLI::App& app, CommonOptions& common);
void add_export(CLI::App& app, CommonOptions& common);
void add_merge(CLI::App& app, CommonOptions& common);
void add_config(CLI::App& app, CommonOptions& common);
/// `words` are the program's arguments, which the results of a study repeat.
void add_study(CLI::App& app, CommonOptions& common, const std::vector<std::string>& words);
void add_help(CLI::App& app);
void add_version(CLI::App& app);
/// Writes man pages and completions, for the build; the help does not list it.
void add_manual(CLI::App& app);

/// "dovetail 0.2.0"
[[nodiscard]] std::string version_text();

[[nodiscard]] std::vector<std::string> preset_names();
/// One indented line for each preset with its description.
[[nodiscard]] std::string preset_list();

/// Adds a verb that the help lists.
[[nodiscard]] CLI::App& new_verb(CLI::App& app, const std::string& name, const std::string& description,
                                 HelpText text);
/// -o,--output and its alias --out.
CLI::Option* add_output(CLI::App& verb, std::string& value, const std::string& help, const char* type);
CLI::Option* add_force(CLI::App& verb, bool& value);
CLI::Option* add_json(CLI::App& verb, bool& value, const std::string& help);
