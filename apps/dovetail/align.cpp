#include <dovetail/run.h>

#include <chrono>
#include <fmt/format.h>
#include <memory>
#include <type_traits>

#include "alignment/parameters.h"
#include "common/text.h"
#include "inputs.h"
#include "io/output_file.h"
#include "terminal.h"
#include "verbs.h"

using namespace dovetail;

namespace {

struct AlignVerb {
  std::vector<std::string> inputs;
  InputOptions input;
  std::string out = "alignment";
  std::string mode = "basic";
  bool paper = false;
  bool force = false;
  AlignOptions options;
};

std::string summary(const Run& run, const LoadedPair& pair, const AlignVerb& verb) {
  std::string text;
  if (!pair.links.test.empty()) {
    text += fmt::format("{:<28}{:>9}{:>9}{:>9}\n", "test links", "Hits@1", "Hits@10", "MRR");
    const auto row = [&](const char* name, const RankMetrics& metrics) {
      text += fmt::format("{:<28}{:>9.3f}{:>9.3f}{:>9.3f}\n", name, metrics.hits_at_1, metrics.hits_at_10,
                          metrics.mrr);
    };
    row("closed, right to left", run.closed.evaluation.right_to_left);
    row("closed, left to right", run.closed.evaluation.left_to_right);
    row("open, right to left", run.open.evaluation.right_to_left);
    row("open, left to right", run.open.evaluation.left_to_right);
  }
  text += fmt::format(
      "{} links found from {} seeds in {:.1f} s (load {:.1f}, train {:.1f}, match {:.1f}), {} at most\n",
      with_commas(run.open.left.entities.size()), with_commas(pair.links.train.size()), run.seconds.total,
      run.seconds.load, run.seconds.train, run.seconds.match, human_bytes(run.peak_memory_bytes));
  return text + fmt::format("{}: links.tsv, run.json, model.dovetail\n", verb.out);
}

void align(const AlignVerb& verb, const CommonOptions& common) {
  check_target_folder(verb.out, verb.force);  // before the work, not after it
  TerminalObserver observer(common.quiet);
  AlignOptions options = verb.options;
  options.threads = common.threads;
  const auto begin = std::chrono::steady_clock::now();
  const LoadedPair pair = verb.input.load(verb.inputs, verb.input.load_options(common), observer);
  const double load = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  Run run = run_alignment(pair, options, observer);
  run.seconds.load = load;
  run.seconds.total += load;
  save_run(run, pair, verb.out, verb.force);
  observer.clear();
  if (!common.quiet) fmt::print("{}", summary(run, pair, verb));
}

template <typename Enum>
CLI::Option* add_enum(CLI::App& app, const std::string& name, Enum& value, const std::string& help) {
  std::vector<std::pair<std::string, Enum>> names;
  for (const auto& [known, text] : EnumNames<Enum>::kNames) names.emplace_back(text, known);
  CLI::CheckedTransformer transformer(names);
  transformer.description("");
  return app.add_option(name, value, help)
      ->transform(transformer)
      ->default_str(std::string(enum_name(value)));
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
  sub->add_option("--mode", verb->mode, "basic: structure, trained once")
      ->check(one_of({"basic"}))
      ->type_name("MODE")
      ->capture_default_str();
  sub->add_option("--seed", verb->options.seed, "Of every random choice")
      ->type_name("NUMBER")
      ->capture_default_str();
  sub->add_flag("--force", verb->force, "Replace what is there");
  sub->add_flag_callback(
      "--paper",
      [verb] {
        const std::uint64_t seed = verb->options.seed;
        verb->options = paper_options();
        verb->options.seed = seed;
      },
      "What the paper says, nothing else");
  visit_parameters(verb->options, [&](const char* room, const char* name, auto& value, const char* help) {
    using Value = std::decay_t<decltype(value)>;
    const std::string option = fmt::format("--{}", name);
    CLI::Option* added = nullptr;
    if constexpr (std::is_enum_v<Value>) {
      added = add_enum(*sub, option, value, help)->type_name("KIND");
    } else {
      added =
          sub->add_option(option, value, help)->type_name(std::is_same_v<Value, bool> ? "YES/NO" : "NUMBER");
      if constexpr (std::is_integral_v<Value> && !std::is_same_v<Value, bool>) added->check(whole_number());
      added->capture_default_str();
    }
    added->group(fmt::format("Method: {}", room));
  });
  verb->input.add_to(*sub);
  sub->footer(
      "Examples:\n"
      "  dovetail align dbp15k/zh_en --out zh\n"
      "  dovetail align left.nt.gz right.ttl --links seeds.tsv --out links\n"
      "  dovetail align pair --paper --seed 3 --out paper");
  sub->callback([verb, &common] { align(*verb, common); });
}
