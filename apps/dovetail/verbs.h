#pragma once

#include <dovetail/align.h>

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "help.h"

/// What every verb obeys.
struct CommonOptions {
  bool quiet = false;
  std::size_t threads = 0;
};

// One file each. A verb adds its subcommand, with a callback that does the work.
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
/// Not in the help: writes man pages and completions, for the build.
void add_manual(CLI::App& app);
/// `words` are the program's arguments, which a study's results repeat.
void add_study(CLI::App& app, CommonOptions& common, const std::vector<std::string>& words);
