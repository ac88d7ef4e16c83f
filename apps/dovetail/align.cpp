#include <dovetail/align_job.h>
#include <dovetail/config.h>
#include <dovetail/errors.h>
#include <dovetail/limits.h>
#include <dovetail/parameters.h>
#include <dovetail/plan.h>
#include <dovetail/run.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <fmt/format.h>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <type_traits>

#include "config_file.h"
#include "inputs.h"
#include "summary.h"
#include "terminal.h"
#include "terminal_observer.h"
#include "verbs.h"

using namespace dovetail;

namespace {

struct AlignVerb {
  std::vector<std::string> inputs;
  InputOptions input;
  std::string out = "alignment";
  std::string config;
  bool force = false;
  bool no_report = false;
  bool dry_run = false;
  bool json = false;
  std::string resume;
  std::optional<double> checkpoint_every;
  AlignOptions options;

  [[nodiscard]] CheckpointTimes checkpoint_times() const {
    if (checkpoint_every) return {.every = *checkpoint_every, .sparing = false};
    return {};
  }
};

void do_job(AlignJob& job, const std::string& out, bool json, const std::function<LoadedPair()>& load,
            TerminalObserver& observer, const CommonOptions& common) {
  const auto begun = std::chrono::steady_clock::now();
  const Session done = job.run(load, common.threads);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begun;
  observer.clear();
  print_run({done.run(), done.pair(), out, job.request().report, seconds.count()}, json, common.quiet);
}

/// Modes that use relation triples only need neither literals nor classes.
LoadOptions load_options_for(const AlignVerb& verb, const CommonOptions& common) {
  LoadOptions options = verb.input.load_options(common);
  const Mode mode = verb.options.mode;
  const bool relations_only = mode == Mode::basic || mode == Mode::semi;
  options.keep_literals = !relations_only;
  options.cardinality = verb.options.deciding.cardinality;
  options.types_as_entities = options.types_as_entities || relations_only;
  return options;
}

/// Prints the plan of the run.
void print_plan(const AlignVerb& verb, const CommonOptions& common) {
  TerminalObserver observer(common.quiet);
  AlignOptions options = verb.options;
  options.threads = common.threads;
  const LoadedPair pair = verb.input.load(verb.inputs, load_options_for(verb, common), observer);
  const Plan plan = settle(pair, options, observer);
  observer.clear();
  print_result(verb.json ? plan_json(plan) : plan_text(plan));
}

/// The parameters on the command line itself: it is an error if one has no effect.
std::vector<std::string> given_parameters(const CLI::App& verb) {
  std::vector<std::string> given;
  for (const std::string& name : parameter_names()) {
    if (verb.get_option("--" + name)->count() > 0) given.push_back(name);
  }
  return given;
}

void align(const AlignVerb& verb, const CommonOptions& common) {
  TerminalObserver observer(common.quiet);
  const LoadOptions options = load_options_for(verb, common);
  const RunRequest request = {.options = verb.options,
                              .source = verb.input.source(verb.inputs, options),
                              .replace = verb.force,
                              .report = !verb.no_report,
                              .max_expansion = largest_expansion()};
  for (const std::filesystem::path& pipe : pipes_of(request.source)) {
    observer.warning(
        pipe.string() +
        ": is a pipe, which can be read only once: --resume, update, merge and report will not work");
  }
  AlignJob job(verb.out, request, {verb.config}, verb.checkpoint_times(), observer);
  do_job(
      job, verb.out, verb.json, [&] { return verb.input.load(verb.inputs, options, observer); }, observer,
      common);
}

void resume(const AlignVerb& verb, const CommonOptions& common) {
  TerminalObserver observer(common.quiet);
  AlignJob job(verb.resume, verb.checkpoint_times(), observer);
  if (job.complete()) {
    observer.note(fmt::format("{}: the run is complete already", verb.resume));
    return;
  }
  if (largest_expansion() == kLargestExpansion) set_largest_expansion(job.request().max_expansion);
  PairSource source = job.request().source;
  source.options.threads = common.threads;
  do_job(
      job, verb.resume, verb.json, [&] { return load_pair(source, observer); }, observer, common);
}

/// The checkpoint has the inputs and options of the run.
void refuse_beside_resume(const CLI::App& verb) {
  for (const CLI::Option* option : verb.get_options()) {
    const std::string name = option->get_name();
    constexpr std::array<std::string_view, 6> kAllowed = {
        "--resume", "--checkpoint-every", "--json", "--threads", "--quiet", "--max-expansion"};
    if (option->count() == 0 || std::ranges::find(kAllowed, name) != kAllowed.end()) continue;
    throw ParameterError(
        fmt::format("found {} beside --resume; expected no inputs and options, which come from the "
                    "checkpoint: leave it out",
                    name));
  }
}

/// The group of a parameter in the help; --help shows only those that people use often.
std::string group_of(const std::string& room, const std::string& name) {
  constexpr std::array<std::string_view, 7> kOften = {"mode",       "pool",   "cardinality", "min-confidence",
                                                      "none-above", "memory", "seed"};
  if (std::ranges::find(kOften, name) != kOften.end()) return kMainGroup;
  return kMoreOptions + (room == "what" ? "deciding and evaluating" : room);
}

/// Adds one option for each parameter.
void add_parameters(CLI::App& sub, const std::shared_ptr<AlignVerb>& verb) {
  visit_parameters(verb->options, [&](const char* room, const char* name, auto& value, const char* help,
                                      const Range& range) {
    using Value = std::decay_t<decltype(value)>;
    const std::string option = fmt::format("--{}", name);
    const auto set = [verb, name, option](const std::string& text) {
      set_parameter(verb->options, name, text, option);
    };
    const auto add_number = [&](NumberKind kind, const auto& usual, const char* type) {
      return add_number_by(sub, option, kind, range, help, type,
                           [set](const std::string&, const std::string& text) { set(text); })
          ->default_str(fmt::format("{}", usual));
    };
    CLI::Option* added = nullptr;
    if constexpr (std::is_enum_v<Value>) {
      std::vector<std::string> names;
      for (const auto& known : EnumNames<Value>::kNames) names.emplace_back(known.second);
      added = sub.add_option_function<std::string>(option, set, help)
                  ->check(one_of(names))
                  ->default_str(std::string(enum_name(value)))
                  ->type_name("KIND");
    } else if constexpr (std::is_same_v<Value, std::filesystem::path>) {
      added = sub.add_option(option, value, help)->type_name("FILE");
    } else if constexpr (std::is_same_v<Value, Bytes>) {
      added = add_number(NumberKind::size, value.count, "SIZE");
    } else if constexpr (std::is_same_v<Value, bool>) {
      added = sub.add_flag(fmt::format("{},!--no-{}", option, name), value, help)
                  ->default_str(value ? "true" : "false");
    } else {
      added = add_number(kNumberKind<Value>, value, "N");
    }
    added->group(group_of(room, name));
  });
}

/// Adds the options about the run's folder, its checkpoints and what is printed.
void add_run_options(CLI::App& sub, const std::shared_ptr<AlignVerb>& verb) {
  add_output(sub, verb->out, "Folder to write", "OUT")->capture_default_str();
  add_force(sub, verb->force);
  const std::string more = fmt::format("{}the run", kMoreOptions);
  sub.add_flag("--no-report", verb->no_report, "Do not write report.html")->group(more);
  sub.add_flag("--dry-run", verb->dry_run, "Print the plan of the run, and do nothing else");
  add_json(sub, verb->json, "Print the result, or with --dry-run the plan, as JSON");
  sub.add_option("--resume", verb->resume, "Continue a stopped run to OUT; takes no other options")
      ->type_name("OUT");
  add_number_by(
      sub, "--checkpoint-every", NumberKind::duration, kDuration,
      "Time between checkpoints for --resume: 90 or 90s, 5m, 2h; 0 = none; by default 60s, or longer "
      "where writing takes long",
      "TIME",
      [verb](const std::string& name, const std::string& text) {
        verb->checkpoint_every = read_duration(name, text, kDuration);
      })
      ->group(more);
  // Before the parameters, so that these are set later and override presets and files.
  sub.add_option_function<std::string>(
         "--preset", [verb](const std::string& name) { verb->options = preset_options(name); },
         "Start from basic, semi, names, paper, gcn-align or fast")
      ->type_name("NAME")
      ->check(one_of(preset_names()));
  sub.add_option_function<std::string>(
         "--config",
         [verb](const std::string& path) {
           verb->config = path;
           read_config(path, verb->options);
         },
         "Read parameters from a TOML file or a run.json")
      ->type_name("FILE");
}

}  // namespace

void add_align(CLI::App& app, CommonOptions& common) {
  auto verb = std::make_shared<AlignVerb>();
  CLI::App& sub = new_verb(
      app, "align", "Find the entities that two knowledge graphs have in common",
      {.usage = {"dovetail align LEFT RIGHT [--links SEEDS] [OPTIONS]", "dovetail align FOLDER [OPTIONS]"},
       .examples = {"dovetail align left.nt right.nt --links seeds.tsv -o alignment"}});
  sub.add_option("INPUT", verb->inputs, "Two graph files LEFT RIGHT, or a folder with both")
      ->expected(1, 2)
      ->type_name("");
  verb->input.add_links_to(sub, "Known links (seeds) to learn from");
  add_run_options(sub, verb);
  add_parameters(sub, verb);
  verb->input.add_to(sub);
  verb->input.add_types_to(sub);
  verb->input.add_known_pairs_to(sub);
  common.add_to(sub, {.threads = true, .reads = true});
  sub.callback([verb, &sub, &common] {
    if (!verb->resume.empty()) {
      refuse_beside_resume(sub);
      resume(*verb, common);
      return;
    }
    if (verb->inputs.empty()) throw CLI::RequiredError("INPUT");
    verb->options.must_count = given_parameters(sub);
    for (const std::string& name : verb->options.must_count) verb->options.given.push_back(name);
    if (verb->dry_run) return print_plan(*verb, common);
    align(*verb, common);
  });
}
