#include <dovetail/errors.h>
#include <dovetail/limits.h>
#include <dovetail/text.h>
#include <dovetail/version.h>

#include <CLI/CLI.hpp>
#include <exception>
#include <fmt/format.h>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <unistd.h>
#include <vector>

#include "inputs.h"
#include "terminal.h"
#include "verbs.h"

namespace {

// What they mean is in docs/reliability.md.
constexpr int kDefect = 1;
constexpr int kMendable = 2;
constexpr int kSignal = 128;  // and the signal's number, as shells have it

void print_error(std::string_view text) {
  const bool colour = may_colour(STDERR_FILENO);
  print_aside(fmt::format("{}dovetail:{} {}\n", colour ? "\x1b[31m" : "", colour ? "\x1b[0m" : "",
                          dovetail::printable(text)));
}

std::string verb_of(const CLI::App& app) {
  return app.get_subcommands().empty() ? "" : " " + app.get_subcommands()[0]->get_name();
}

int run(int argc, char** argv) {
  CLI::App app{"Dovetail finds the entities that two knowledge graphs have in common.", "dovetail"};
  app.set_version_flag("--version", fmt::format("dovetail {}", dovetail::kVersion));
  app.require_subcommand(1);
  app.fallthrough();
  set_usage(app, "Usage: dovetail VERB [OPTIONS]", 22);
  app.footer("'dovetail VERB --help' tells more about each.");
  CommonOptions common;
  app.add_flag("-q,--quiet", common.quiet, "Print warnings and errors only");
  add_number(app, "--threads", common.threads, dovetail::kThreads, "Threads to use; 0: one per core")
      ->default_str("0");
  add_number_by(app, "--max-expansion", dovetail::NumberKind::whole, dovetail::kCount,
                "Refuse compressed files that grow\nmore than so many times; 0: none", "NUMBER",
                [](const std::string& name, const std::string& text) {
                  dovetail::set_largest_expansion(dovetail::read_whole_number(name, text, dovetail::kCount));
                })
      ->default_str(std::to_string(dovetail::kLargestExpansion));
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
  add_study(app, common, {argv + 1, argv + argc});
  add_manual(app);
  try {
    app.parse(argc, argv);
    return 0;
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {  // --help and --version
      std::ostringstream text;
      const int code = app.exit(error, text, text);
      print_result(text.str());
      return code;
    }
    const std::vector<std::string> rest = app.remaining();
    const bool no_verb = app.get_subcommands().empty() && !rest.empty() && !rest[0].starts_with('-');
    print_error(no_verb ? fmt::format("{} is not a verb; see dovetail --help", dovetail::shown(rest[0]))
                        : fmt::format("{}; see dovetail{} --help", error.what(), verb_of(app)));
    return kMendable;
  }
}

}  // namespace

int main(int argc, char** argv) {
  occupy_closed_streams();
  catch_interruption();
  try {
    check_open_files();
    return run(argc, argv);
  } catch (const dovetail::Cancelled& error) {
    print_error(error.what());
    return kSignal + interruption();
  } catch (const dovetail::Error& error) {
    print_error(error.what());
    return kMendable;
  } catch (const std::bad_alloc&) {
    print_error("out of memory; use a machine with more, or a smaller input");
    return kMendable;
  } catch (const std::system_error& error) {
    // Of the standard library: a folder that cannot be listed, a thread that cannot be had.
    print_error(error.what());
    return kMendable;
  } catch (const std::exception& error) {
    print_error(fmt::format("internal error: {}", error.what()));
    return kDefect;
  }
}
