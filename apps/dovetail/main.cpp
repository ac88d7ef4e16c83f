#include <dovetail/errors.h>
#include <dovetail/spelling.h>
#include <dovetail/text.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <fmt/format.h>
#include <new>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <unistd.h>
#include <vector>

#include "old_names.h"
#include "terminal.h"
#include "verbs.h"

namespace {

// Exit codes; docs/reliability.md describes them.
constexpr int kDefect = 1;
constexpr int kUserError = 2;
constexpr int kSignal = 128;  // plus the number of the signal, as shells do

void print_error(std::string_view text) {
  const bool colour = may_colour(STDERR_FILENO);
  print_aside(fmt::format("{}dovetail:{} {}\n", colour ? "\x1b[31m" : "", colour ? "\x1b[0m" : "",
                          dovetail::printable(text)));
}

/// The message for arguments that CLI11 refuses.
std::string argument_error(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<std::string> rest = app.remaining(true);
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  std::vector<std::string> known;
  if (chosen.empty() && !rest.empty() && !rest[0].starts_with('-')) {
    for (const CLI::App* verb : listed_verbs(app)) known.push_back(verb->get_name());
    return fmt::format("{} is not a verb{}; see dovetail --help", dovetail::shown(rest[0]),
                       dovetail::did_you_mean(rest[0], known));
  }
  const std::string verb = chosen.empty() ? "" : " " + chosen[0]->get_name();
  const auto unknown =
      std::ranges::find_if(rest, [](const std::string& word) { return word.size() > 1 && word[0] == '-'; });
  if (unknown == rest.end()) return fmt::format("{}; see dovetail{} --help", error.what(), verb);
  for (const CLI::Option* option : chosen.empty() ? listed_options(app) : all_options(app, *chosen[0])) {
    for (const std::string& name : names_of(*option)) known.push_back(name);
  }
  const std::string name = unknown->substr(0, unknown->find('='));
  return fmt::format("{} is not an option of dovetail{}{}; see dovetail{} --help", dovetail::shown(name),
                     verb, dovetail::did_you_mean(name, known), verb);
}

void add_verbs(CLI::App& app, CommonOptions& common, const std::vector<std::string>& words) {
  add_align(app, common);
  add_update(app, common);
  add_explain(app, common);
  add_review(app, common);
  add_report(app, common);
  add_evaluate(app, common);
  add_inspect(app, common);
  add_generate(app, common);
  add_export(app, common);
  add_merge(app, common);
  add_config(app, common);
  add_convert(app, common);
  add_study(app, common, words);
  add_help(app);
  add_version(app);
  add_manual(app);
}

int run(const std::vector<std::string>& words) {
  CLI::App app{"Dovetail finds the entities that two knowledge graphs have in common", "dovetail"};
  app.set_help_flag("-h,--help", "Show the help");
  app.set_help_all_flag("--help-all", "Show the help with all options");
  app.set_version_flag("--version", version_text(), "Show the version");
  app.require_subcommand(1);
  app.fallthrough();
  set_help(app, {.usage = {"dovetail VERB [OPTIONS]"},
                 .examples = {"dovetail align left.nt right.nt --links seeds.tsv -o alignment"},
                 .notes = "Help for a verb: dovetail help VERB"});
  CommonOptions common;
  common.add_to(app, {.threads = true, .reads = true});
  add_verbs(app, common, words);
  std::vector<std::string> notes;
  std::vector<std::string> present = with_present_names(words, notes);
  const bool quiet =
      std::ranges::any_of(words, [](const std::string& word) { return word == "-q" || word == "--quiet"; });
  for (const std::string& note : notes) {
    if (!quiet) print_aside(fmt::format("note: {}\n", dovetail::printable(note)));
  }
  try {
    std::ranges::reverse(present);  // as CLI11 takes them
    app.parse(std::move(present));
    return 0;
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {  // --help and --version
      std::ostringstream text;
      const int code = app.exit(error, text, text);
      print_result(text.str());
      return code;
    }
    print_error(argument_error(app, error));
    return kUserError;
  }
}

}  // namespace

int main(int argc, char** argv) {
  occupy_closed_streams();
  catch_interruption();
  try {
    check_open_files();
    return run({argv + 1, argv + argc});
  } catch (const dovetail::Cancelled& error) {
    print_error(error.what());
    return kSignal + interruption();
  } catch (const dovetail::Error& error) {
    print_error(error.what());
    return kUserError;
  } catch (const std::bad_alloc&) {
    print_error("out of memory; use a machine with more memory, or a smaller input");
    return kUserError;
  } catch (const std::system_error& error) {
    // From the standard library: a folder that cannot be listed, a thread that cannot be started.
    print_error(error.what());
    return kUserError;
  } catch (const std::exception& error) {
    print_error(fmt::format("internal error: {}", error.what()));
    return kDefect;
  }
}
