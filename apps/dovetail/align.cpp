#include <dovetail/align_job.h>
#include <dovetail/errors.h>
#include <dovetail/limits.h>
#include <dovetail/parameters.h>
#include <dovetail/plan.h>
#include <dovetail/run.h>

#include <filesystem>
#include <fmt/format.h>
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <unistd.h>

#include "config_file.h"
#include "inputs.h"
#include "summary.h"
#include "terminal.h"
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

void do_job(AlignJob& job, const std::string& out, const std::function<LoadedPair()>& load,
            TerminalObserver& observer, const CommonOptions& common) {
  const Session done = job.run(load, common.threads);
  observer.clear();
  if (common.quiet) return;
  print_summary(fitted(run_summary(done.run(), done.pair(), out, job.request().report), STDOUT_FILENO));
}

/// Modes that look at relation triples only have no other use for literals and classes.
LoadOptions load_options_for(const AlignVerb& verb, const CommonOptions& common) {
  LoadOptions options = verb.input.load_options(common);
  const Mode mode = verb.options.mode;
  const bool relations_only = mode == Mode::basic || mode == Mode::semi;
  options.keep_literals = !relations_only;
  options.cardinality = verb.options.deciding.cardinality;
  options.types_as_entities = options.types_as_entities || relations_only;
  return options;
}

/// Prints what the run would do.
void print_plan(const AlignVerb& verb, const CommonOptions& common) {
  TerminalObserver observer(common.quiet);
  AlignOptions options = verb.options;
  options.threads = common.threads;
  const LoadedPair pair = verb.input.load(verb.inputs, load_options_for(verb, common), observer);
  const Plan plan = settle(pair, options, observer);
  observer.clear();
  print_result(verb.json ? plan_json(plan) : plan_text(plan));
}

/// The parameters that stand on the command line itself: one that has no effect there is a mistake.
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
        ": a pipe, which can be read only once: --resume, update, merge and report will not work");
  }
  AlignJob job(verb.out, request, {verb.config}, verb.checkpoint_times(), observer);
  do_job(
      job, verb.out, [&] { return verb.input.load(verb.inputs, options, observer); }, observer, common);
}

void resume(const AlignVerb& verb, const CommonOptions& common) {
  TerminalObserver observer(common.quiet);
  AlignJob job(verb.resume, verb.checkpoint_times(), observer);
  if (job.complete()) {
    observer.note(fmt::format("{}: this run is complete", verb.resume));
    return;
  }
  if (largest_expansion() == kLargestExpansion) set_largest_expansion(job.request().max_expansion);
  PairSource source = job.request().source;
  source.options.threads = common.threads;
  do_job(
      job, verb.resume, [&] { return load_pair(source, observer); }, observer, common);
}

/// Whatever else is given contradicts the checkpoint, or says it once more.
void refuse_beside_resume(const CLI::App& verb) {
  for (const CLI::Option* option : verb.get_options()) {
    const std::string name = option->get_name();
    if (option->count() == 0 || name == "--resume" || name == "--checkpoint-every") continue;
    throw ParameterError(
        fmt::format("found {} beside --resume; expected neither inputs nor options, which the checkpoint "
                    "has: leave it out",
                    name));
  }
}

/// One option for each parameter.
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
      added = sub.add_option(option, value, help)->type_name(kYesOrNo)->capture_default_str();
    } else {
      added = add_number(kNumberKind<Value>, value, "NUMBER");
    }
    added->group(room == std::string_view("what") ? "What is found" : fmt::format("Method: {}", room));
  });
}

}  // namespace

void add_align(CLI::App& app, CommonOptions& common) {
  auto verb = std::make_shared<AlignVerb>();
  CLI::App* sub = app.add_subcommand("align", "Find what two knowledge graphs have in common");
  sub->group("Verbs");
  set_usage(*sub,
            "Usage: dovetail align FOLDER [OPTIONS]\n"
            "       dovetail align LEFT RIGHT --links SEEDS [OPTIONS]\n"
            "       dovetail align --resume OUT");
  sub->add_option("INPUT", verb->inputs, "A folder, or two graph files: LEFT RIGHT")
      ->expected(1, 2)
      ->type_name("");
  sub->add_option("-o,--out", verb->out, "Folder for links.tsv, run.json, model")
      ->type_name("OUT")
      ->capture_default_str();
  sub->add_flag("--force", verb->force, "Replace what Dovetail wrote there");
  sub->add_flag("--no-report", verb->no_report, "Write no report.html");
  sub->add_flag("--dry-run", verb->dry_run,
                "Print the plan of the run, with --json\nfor programs, and do nothing");
  sub->add_flag("--json", verb->json, "Print the plan as JSON");
  sub->add_option("--resume", verb->resume, "Go on with a run to OUT that was\nstopped; no other options")
      ->type_name("OUT");
  add_number_by(*sub, "--checkpoint-every", NumberKind::duration, kDuration,
                "Write what --resume goes on from so\noften, and at each turn: 90 or 90s, 5m,\n2h; 0: never "
                "(60s, or less often\nwhere it takes long)",
                "TIME", [verb](const std::string& name, const std::string& text) {
                  verb->checkpoint_every = read_duration(name, text, kDuration);
                });
  // Before the parameters: what stands on the command line itself is set later and counts more.
  const auto add_preset = [&](const char* name, AlignOptions (*preset)(), const char* help) {
    sub->add_flag_callback(
        name, [verb, preset] { verb->options = preset(); }, help);
  };
  add_preset("--paper", paper_options, "What the paper says, nothing else");
  add_preset("--gcn-align", gcn_align_options, "The baseline that it starts from");
  sub->add_option_function<std::string>(
         "--config",
         [verb](const std::string& path) {
           verb->config = path;
           read_config(path, verb->options);
         },
         "Parameters: TOML, or a run.json")
      ->type_name("FILE");
  add_parameters(*sub, verb);
  verb->input.add_to(*sub);
  verb->input.add_types_to(*sub);
  verb->input.add_known_pairs_to(*sub);
  sub->footer(
      "Examples:\n"
      "  dovetail align dbp15k/zh_en --out zh\n"
      "  dovetail align left.nt.gz right.ttl --links seeds.tsv --out links\n"
      "  dovetail align left.nt right.nt --min-confidence 0.9 --out sure\n"
      "  dovetail align pair --config alignment/run.json --seed 2 --out again\n"
      "  dovetail align pair --paper --mode semi --seed 3 --out paper\n"
      "  dovetail align --resume paper");
  sub->callback([verb, sub, &common] {
    if (!verb->resume.empty()) {
      refuse_beside_resume(*sub);
      resume(*verb, common);
      return;
    }
    if (verb->inputs.empty()) throw CLI::RequiredError("INPUT");
    if (verb->json && !verb->dry_run) throw ParameterError("--json goes with --dry-run; leave it out");
    verb->options.must_count = given_parameters(*sub);
    for (const std::string& name : verb->options.must_count) verb->options.given.push_back(name);
    if (verb->dry_run) return print_plan(*verb, common);
    align(*verb, common);
  });
}
