#include <dovetail/run.h>

#include <chrono>
#include <fmt/format.h>
#include <memory>
#include <type_traits>
#include <unistd.h>

#include "alignment/parameters.h"
#include "config_file.h"
#include "inputs.h"
#include "io/run_folder.h"
#include "summary.h"
#include "terminal.h"
#include "verbs.h"

using namespace dovetail;

namespace {

struct AlignVerb {
  std::vector<std::string> inputs;
  InputOptions input;
  std::string out = "alignment";
  bool force = false;
  bool no_report = false;
  AlignOptions options;
};

void align(const AlignVerb& verb, const CommonOptions& common) {
  OutputFolder target(verb.out, verb.force);  // before the work, not after it
  TerminalObserver observer(common.quiet);
  AlignOptions options = verb.options;
  options.threads = common.threads;
  const auto begin = std::chrono::steady_clock::now();
  const LoadedPair pair = verb.input.load(verb.inputs, verb.input.load_options(common), observer);
  const double load = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  Run run = run_alignment(pair, options, observer);
  run.seconds.load = load;
  run.seconds.total += load;
  write_run(run, pair, target, !verb.no_report);
  observer.clear();
  if (!common.quiet)
    fmt::print("{}", fitted(run_summary(run, pair, verb.out, !verb.no_report), STDOUT_FILENO));
}

}  // namespace

void add_align(CLI::App& app, CommonOptions& common) {
  auto verb = std::make_shared<AlignVerb>();
  CLI::App* sub = app.add_subcommand("align", "Find what two knowledge graphs have in common");
  sub->group("Verbs");
  set_usage(*sub,
            "Usage: dovetail align FOLDER [OPTIONS]\n"
            "       dovetail align LEFT RIGHT --links SEEDS [OPTIONS]");
  sub->add_option("INPUT", verb->inputs, "A folder, or two graph files: LEFT RIGHT")
      ->required()
      ->expected(1, 2)
      ->type_name("");
  sub->add_option("-o,--out", verb->out, "Folder for links.tsv, run.json, model")
      ->type_name("OUT")
      ->capture_default_str();
  sub->add_flag("--force", verb->force, "Replace what is there");
  sub->add_flag("--no-report", verb->no_report, "Write no report.html");
  // Before the parameters: what stands on the command line itself is set later and counts more.
  const auto add_preset = [&](const char* name, AlignOptions (*preset)(), const char* help) {
    sub->add_flag_callback(
        name, [verb, preset] { verb->options = preset(); }, help);
  };
  add_preset("--paper", paper_options, "What the paper says, nothing else");
  add_preset("--gcn-align", gcn_align_options, "The baseline that it starts from");
  sub->add_option_function<std::string>(
         "--config", [verb](const std::string& path) { read_config(path, verb->options); },
         "Parameters: TOML, or a run.json")
      ->type_name("FILE");
  visit_parameters(verb->options, [&](const char* room, const char* name, auto& value, const char* help) {
    using Value = std::decay_t<decltype(value)>;
    const std::string option = fmt::format("--{}", name);
    CLI::Option* added = nullptr;
    if constexpr (std::is_enum_v<Value>) {
      std::vector<std::string> names;
      for (const auto& known : EnumNames<Value>::kNames) names.emplace_back(known.second);
      added =
          sub->add_option_function<std::string>(
                 option, [verb, name](const std::string& text) { set_parameter(verb->options, name, text); },
                 help)
              ->check(one_of(names))
              ->default_str(std::string(enum_name(value)))
              ->type_name("KIND");
    } else if constexpr (std::is_same_v<Value, std::filesystem::path>) {
      added = sub->add_option(option, value, help)->type_name("FILE");
    } else {
      added =
          sub->add_option(option, value, help)->type_name(std::is_same_v<Value, bool> ? kYesOrNo : "NUMBER");
      if constexpr (std::is_integral_v<Value> && !std::is_same_v<Value, bool>) added->check(whole_number());
      added->capture_default_str();
    }
    added->group(room == std::string_view("what") ? "What is found" : fmt::format("Method: {}", room));
  });
  verb->input.add_to(*sub);
  verb->input.add_known_pairs_to(*sub);
  sub->footer(
      "Examples:\n"
      "  dovetail align dbp15k/zh_en --out zh\n"
      "  dovetail align left.nt.gz right.ttl --links seeds.tsv --out links\n"
      "  dovetail align left.nt right.nt --min-confidence 0.9 --out sure\n"
      "  dovetail align pair --config alignment/run.json --seed 2 --out again\n"
      "  dovetail align pair --paper --mode semi --seed 3 --out paper");
  sub->callback([verb, &common] { align(*verb, common); });
}
