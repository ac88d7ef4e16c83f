#include <dovetail/run.h>

#include <chrono>
#include <fmt/format.h>
#include <memory>
#include <type_traits>
#include <unistd.h>

#include "alignment/parameters.h"
#include "common/text.h"
#include "config_file.h"
#include "inputs.h"
#include "io/run_folder.h"
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

std::string evaluation_table(const Run& run) {
  std::string text = fmt::format("{:<34}{:>9}{:>9}{:>9}\n", "test links", "Hits@1", "Hits@10", "MRR");
  const auto row = [&](const std::string& name, const RankMetrics& metrics) {
    text += fmt::format("{:<34}{:>9.3f}{:>9.3f}{:>9.3f}\n", name, metrics.hits_at_1, metrics.hits_at_10,
                        metrics.mrr);
  };
  const auto rows = [&](const std::string& pool, const Alignment& alignment) {
    const std::string_view decoder = enum_name(run.options.deciding.decoder);
    row(fmt::format("{}, {}, right to left", pool, decoder), alignment.evaluation.right_to_left);
    row(fmt::format("{}, {}, left to right", pool, decoder), alignment.evaluation.left_to_right);
  };
  const bool compare = run.options.deciding.compare;
  const bool open = run.options.deciding.pool == CandidatePool::open;
  if (!open || compare) {
    rows("closed", run.closed);
    if (run.closed.structure.right_to_left.count > 0 && run.options.deciding.decoder != Decoder::csls) {
      row("closed, structure part, csls", run.closed.structure.right_to_left);
    }
  }
  if (run.closed.names) row("closed, names alone, csls", run.closed.names->right_to_left);
  if (run.structure_only) row("closed, structure alone, once", run.structure_only->right_to_left);
  if (open || compare) rows("open", run.open);
  return text;
}

std::string summary(const Run& run, const LoadedPair& pair, const AlignVerb& verb) {
  std::string text;
  const Decisions& decisions = run.decisions;
  if (!pair.links.test.empty()) {
    text += evaluation_table(run);
    if (decisions.reliability.count > 0) {
      text += fmt::format("links: precision {:.3f}, recall {:.3f}; confidences off by {:.3f} on average\n",
                          decisions.verdicts.links.precision, decisions.verdicts.links.recall,
                          decisions.reliability.expected_error);
    }
  }
  text += fmt::format("{} links found from {} seeds", with_commas(decisions.links.size()),
                      with_commas(pair.links.train.size()));
  if (!decisions.none.empty()) {
    text += fmt::format(", {} entities without counterpart", with_commas(decisions.none.size()));
  }
  text += fmt::format("\n{:.1f} s (load {:.1f}, train {:.1f}, match {:.1f}, confidence {:.1f}), {} at most\n",
                      run.seconds.total, run.seconds.load, run.seconds.train, run.seconds.match,
                      run.seconds.confidence, human_bytes(run.peak_memory_bytes));
  const bool open = run.options.deciding.pool == CandidatePool::open;
  return text + fmt::format("{}: {}links.tsv, {}relations.tsv, {}run.json{}\n", printable(verb.out),
                            verb.no_report ? "" : "report.html, ", open ? "unmatched.tsv, " : "",
                            run.options.deciding.reasons > 0 ? "evidence.jsonl, " : "",
                            run.model.entity_count > 0 ? ", model.dovetail" : "");
}

void align(const AlignVerb& verb, const CommonOptions& common) {
  OutputFolder target(verb.out, verb.force);  // before the work, not after it
  TerminalObserver observer(common.quiet);
  AlignOptions options = verb.options;
  options.threads = common.threads;
  options.scratch = target.working_path();
  const auto begin = std::chrono::steady_clock::now();
  const LoadedPair pair = verb.input.load(verb.inputs, verb.input.load_options(common), observer);
  const double load = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  Run run = run_alignment(pair, options, observer);
  run.seconds.load = load;
  run.seconds.total += load;
  write_run(run, pair, target, !verb.no_report);
  observer.clear();
  if (!common.quiet) fmt::print("{}", fitted(summary(run, pair, verb), STDOUT_FILENO));
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
    const auto set = [verb, name](const std::string& text) { set_parameter(verb->options, name, text); };
    CLI::Option* added = nullptr;
    if constexpr (std::is_enum_v<Value>) {
      std::vector<std::string> names;
      for (const auto& known : EnumNames<Value>::kNames) names.emplace_back(known.second);
      added = sub->add_option_function<std::string>(option, set, help)
                  ->check(one_of(names))
                  ->default_str(std::string(enum_name(value)))
                  ->type_name("KIND");
    } else if constexpr (std::is_same_v<Value, std::filesystem::path>) {
      added = sub->add_option(option, value, help)->type_name("FILE");
    } else if constexpr (std::is_same_v<Value, Bytes>) {
      added = sub->add_option_function<std::string>(option, set, help)->default_str("0")->type_name("SIZE");
    } else if (&value == static_cast<const void*>(&verb->options.encoder.dimension)) {
      added = sub->add_option_function<std::string>(option, set, help)
                  ->default_str(fmt::format("{}", value))
                  ->type_name("NUMBER");
    } else {
      added =
          sub->add_option(option, value, help)->type_name(std::is_same_v<Value, bool> ? kYesOrNo : "NUMBER");
      if constexpr (std::is_integral_v<Value> && !std::is_same_v<Value, bool>) added->check(whole_number());
      added->capture_default_str();
    }
    added->group(room == std::string_view("what") ? "What is found" : fmt::format("Method: {}", room));
  });
  verb->input.add_to(*sub);
  sub->footer(
      "Examples:\n"
      "  dovetail align dbp15k/zh_en --out zh\n"
      "  dovetail align left.nt.gz right.ttl --links seeds.tsv --out links\n"
      "  dovetail align left.nt right.nt --min-confidence 0.9 --out sure\n"
      "  dovetail align pair --config alignment/run.json --seed 2 --out again\n"
      "  dovetail align pair --paper --mode semi --seed 3 --out paper");
  sub->callback([verb, &common] { align(*verb, common); });
}
