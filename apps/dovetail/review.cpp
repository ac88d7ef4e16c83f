#include <dovetail/errors.h>
#include <dovetail/files.h>
#include <dovetail/review.h>
#include <dovetail/text.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <pwd.h>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include "review/desk.h"
#include "review/server.h"
#include "terminal.h"
#include "verbs.h"

using namespace dovetail;

namespace {

namespace fs = std::filesystem;

struct ReviewVerb {
  std::string folder;
  std::string reviewer;
  std::vector<std::string> merge;
  std::string out;
  bool force = false;
  bool open = false;
  double idle = 0;  ///< seconds; 0: for ever
};

/// Who is working here.
std::string user_name() {
  const passwd* const user = ::getpwuid(::getuid());
  return user == nullptr ? "reviewer" : user->pw_name;
}

/// Opens the address in the user's browser, as far as there is one. The program is not waited for.
void open_browser(const std::string& address) {
  const pid_t first = ::fork();
  if (first == 0) {
    if (::fork() == 0) {
      ::execlp("xdg-open", "xdg-open", address.c_str(), static_cast<char*>(nullptr));
    }
    ::_exit(0);
  }
  if (first > 0) ::waitpid(first, nullptr, 0);
}

void review(const ReviewVerb& verb, const CommonOptions& common) {
  TerminalObserver observer(common.quiet);
  ReviewDesk desk({.folder = verb.folder,
                   .reviewer = verb.reviewer.empty() ? user_name() : verb.reviewer,
                   .threads = common.threads},
                  observer);
  ReviewServer server(desk);
  observer.clear();
  print_result(server.address() + "\n");
  if (verb.open) open_browser(server.address());
  std::thread serving([&] { server.serve(); });
  const auto idle_too_long = [&] {
    return verb.idle > 0 && static_cast<double>(server.idle().count()) >= verb.idle;
  };
  while (interruption() == 0 && !idle_too_long()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  server.stop();
  serving.join();
  if (!common.quiet) observer.note(fmt::format("decisions are in {}/review.jsonl", verb.folder));
}

/// The judgements of a run folder, or of a file.
std::vector<Judgement> judgements_of(const fs::path& path) {
  return read_judgements(fs::is_directory(path) ? path / "review.jsonl" : path);
}

/// A later judgement replaces an earlier one, also of somebody else.
std::string merged_text(const std::vector<std::vector<Judgement>>& all) {
  std::vector<Judgement> merged;
  for (const std::vector<Judgement>& one : all) {
    const std::vector<Judgement> in_force = judgements_in_force(one);
    merged.insert(merged.end(), in_force.begin(), in_force.end());
  }
  std::ranges::stable_sort(merged, std::less(), &Judgement::time);
  std::string text;
  for (const Judgement& judgement : merged) text += judgement_line(judgement) + "\n";
  return text;
}

std::string agreement_text(const Agreement& found) {
  if (found.both == 0) return "no question was answered in both\n";
  std::string text =
      fmt::format("{} question{} answered in both, {} alike ({:.1f}%), Cohen's kappa {:.3f}\n",
                  with_commas(found.both), plural(found.both), with_commas(found.agreed),
                  100 * static_cast<double>(found.agreed) / static_cast<double>(found.both), found.kappa);
  for (const auto& [one, other] : found.disagreed) {
    text += fmt::format("{}\t{}\t{}: {}\t{}: {}\n", printable(one.left), printable(one.right),
                        printable(one.reviewer), verdict_name(one.verdict), printable(other.reviewer),
                        verdict_name(other.verdict));
  }
  return text;
}

void merge(const ReviewVerb& verb) {
  std::vector<std::vector<Judgement>> all;
  for (const std::string& path : verb.merge) all.push_back(judgements_of(path));
  if (!verb.out.empty()) {
    std::vector<fs::path> read(verb.merge.begin(), verb.merge.end());
    check_target(verb.out, verb.force, {.inputs = read});
    write_whole(verb.out, merged_text(all));
  }
  print_result(agreement_text(agreement(all[0], all[1])));
}

}  // namespace

void add_review(CLI::App& app, CommonOptions& common) {
  auto verb = std::make_shared<ReviewVerb>();
  CLI::App* sub = app.add_subcommand("review", "Check the links of a run in the browser");
  sub->group("Verbs");
  set_usage(*sub,
            "Usage: dovetail review OUT [OPTIONS]\n"
            "       dovetail review --merge A B [-o MERGED]");
  sub->add_option("OUT", verb->folder, "The folder that align has written")->type_name("");
  sub->add_option("--reviewer", verb->reviewer, "Name that is written beside decisions\n(the user's name)")
      ->type_name("NAME");
  sub->add_flag("--open", verb->open, "Open the page in the browser");
  add_number_by(*sub, "--idle", NumberKind::duration, kDuration,
                "End after this time without a request:\n30m, 2h; 0: never", "TIME",
                [verb](const std::string& name, const std::string& text) {
                  verb->idle = read_duration(name, text, kDuration);
                });
  sub->add_option("--merge", verb->merge,
                  "Compare the decisions of two reviews:\nrun folders or review.jsonl files")
      ->expected(2)
      ->type_name("A B");
  sub->add_option("-o,--output", verb->out, "With --merge: write the decisions of\nboth to this file")
      ->type_name("FILE");
  sub->add_flag("--force", verb->force, "Replace that file");
  sub->footer(
      "Prints an address of this machine and serves the page there until Ctrl-C. Each\n"
      "decision is in OUT/review.jsonl before the page shows it as saved.\n\n"
      "Examples:\n"
      "  dovetail review alignment --open\n"
      "  dovetail review alignment --reviewer Ann --idle 30m\n"
      "  dovetail review --merge ann/review.jsonl bob/review.jsonl -o both.jsonl");
  sub->callback([verb, &common] {
    if (!verb->merge.empty()) {
      if (!verb->folder.empty()) throw ParameterError("found OUT beside --merge; expected one of both");
      return merge(*verb);
    }
    if (verb->folder.empty()) throw CLI::RequiredError("OUT");
    if (!verb->out.empty()) throw ParameterError("--output goes with --merge; leave it out");
    review(*verb, common);
  });
}
