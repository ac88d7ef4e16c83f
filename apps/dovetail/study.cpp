#include <dovetail/errors.h>
#include <dovetail/generate.h>
#include <dovetail/pair_writer.h>
#include <dovetail/study.h>
#include <dovetail/text.h>

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <memory>

#include "inputs.h"
#include "terminal.h"
#include "verbs.h"

using namespace dovetail;
namespace fs = std::filesystem;

namespace {

struct StudyVerb {
  std::string study;
  std::vector<std::string> inputs;
  InputOptions input;
  std::string out;
  std::string runs;
  std::vector<std::string> set, vary;
  std::vector<std::uint64_t> sizes = {1000, 2000, 5000, 10000, 20000};
  StudyOptions options;
  std::string command;
};

constexpr Range kSeeds = {1, 1000};
constexpr Range kFirstSeed = {0, 0x1p63};  // those that follow it have 64 bits too

/// KEY=VALUE
Setting parse_setting(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw ParameterError(fmt::format("{} is no setting; expected KEY=VALUE", shown(text)));
  }
  return {text.substr(0, equals), text.substr(equals + 1)};
}

StudyPlan make_plan(const StudyVerb& verb) {
  if (verb.study != "vary") {
    if (!verb.vary.empty()) throw ParameterError("--vary belongs to the study named vary");
    return study_plan(verb.study);
  }
  if (verb.vary.empty()) throw ParameterError("vary needs to be told what: --vary KEY=V1,V2,...");
  std::vector<Sweep> sweeps;
  for (const std::string& text : verb.vary) {
    const Setting setting = parse_setting(text);
    sweeps.push_back({setting.key, CLI::detail::split(setting.value, ',')});
  }
  return sweep_plan(sweeps);
}

/// The last two parts of a path: dbp15k/zh_en.
std::string data_name(const std::string& input) {
  const fs::path path = fs::absolute(input).lexically_normal();
  const fs::path folder = path.filename().empty() ? path.parent_path() : path;
  return (folder.parent_path().filename() / folder.filename()).string();
}

std::vector<StudyData> given_data(const StudyVerb& verb, const CommonOptions& common, Observer& observer) {
  if (verb.inputs.empty()) throw ParameterError("a study needs data: a folder, or LEFT RIGHT --links LINKS");
  std::vector<std::vector<std::string>> pairs;
  if (verb.inputs.size() == 2 &&
      std::ranges::all_of(verb.inputs, [](const std::string& path) { return fs::is_regular_file(path); })) {
    pairs.push_back(verb.inputs);
  } else {
    for (const std::string& folder : verb.inputs) pairs.push_back({folder});
  }
  std::vector<StudyData> data;
  for (const std::vector<std::string>& inputs : pairs) {
    LoadOptions options = verb.input.load_options(common);
    options.types_as_entities = true;  // as published results do
    data.push_back(
        {.name = data_name(inputs[0]),
         .load = [&verb, &observer, inputs, options] { return verb.input.load(inputs, options, observer); },
         .fingerprint = std::nullopt});
  }
  return data;
}

/// Pairs of growing size, made below the study's folder when they are needed.
std::vector<StudyData> generated_data(const StudyVerb& verb, const CommonOptions& common,
                                      Observer& observer) {
  std::vector<StudyData> data;
  for (const std::uint64_t size : verb.sizes) {
    GenerateOptions generate;
    generate.entities = size;
    generate.split.seed_ratio = 0.3;
    generate = resolve_options(generate);
    const fs::path folder = fs::path(verb.out) / "data" / fmt::format("{}", size);
    const LoadOptions options = verb.input.load_options(common);
    data.push_back({.name = fmt::format("{} entities", with_commas(size)),
                    .load =
                        [generate, folder, options, &observer] {
                          if (!fs::exists(folder)) {
                            fs::create_directories(folder.parent_path());
                            const auto writer = make_pair_writer(folder, Format::ntriples, {}, observer);
                            generate_pair(generate, *writer, observer);
                            writer->commit();
                          }
                          return load_folder(folder, options, observer);
                        },
                    .fingerprint = size,  // the same size is the same pair, on every machine
                    .size = static_cast<double>(size)});
  }
  return data;
}

void study(StudyVerb& verb, const CommonOptions& common) {
  TerminalObserver observer(common.quiet);
  const StudyPlan plan = make_plan(verb);
  if (plan.by_size && !verb.inputs.empty()) {
    throw ParameterError(fmt::format("{} generates its own data; give --sizes instead of INPUT", plan.name));
  }
  for (const std::string& text : verb.set) verb.options.settings.push_back(parse_setting(text));
  verb.options.threads = common.threads;
  const std::vector<StudyData> data =
      plan.by_size ? generated_data(verb, common, observer) : given_data(verb, common, observer);
  std::vector<fs::path> inputs(verb.inputs.begin(), verb.inputs.end());
  for (const std::string& file : {verb.input.links, verb.input.names}) inputs.emplace_back(file);
  StudyFolder target(verb.out, inputs, observer);  // before the work, not after it
  const std::unique_ptr<RunStore> store =
      verb.runs.empty() ? folder_store(target.path() / "runs") : folder_store(verb.runs, inputs);
  Study done = run_study(plan, data, verb.options, *store, observer);
  done.command = verb.command;
  target.write(done);
  observer.clear();
  const auto kept = std::ranges::count_if(done.runs, &StudyRun::from_store);
  const auto failed =
      std::ranges::count_if(done.runs, [](const StudyRun& run) { return !run.error.empty(); });
  if (!common.quiet) {
    print_summary(fmt::format(
        "{}{} runs: {} done, {} kept from before, {} failed\n{}: study.html, study.md, study.csv, "
        "study.json\n",
        printable_lines(study_text(done)), done.runs.size(),
        static_cast<std::ptrdiff_t>(done.runs.size()) - kept - failed, kept, failed, printable(verb.out)));
  }
  if (failed > 0) {
    throw Error(
        fmt::format("{} of {} runs failed; the same command tries these again", failed, done.runs.size()));
  }
}

/// As it was typed, for the reader who wants to repeat it.
std::string command_line(const std::vector<std::string>& words) {
  std::string text = "dovetail";
  for (const std::string& word : words) {
    const bool plain = !word.empty() && word.find_first_of(" \t\n\"'\\$&|;<>()*?#~`") == std::string::npos;
    text += plain ? " " + word : fmt::format(" '{}'", word);
  }
  return text;
}

std::string studies_help() {
  std::string text = "Studies:\n";
  for (const StudyName& name : study_names()) text += fmt::format("  {:<12}{}\n", name.name, name.help);
  return text + fmt::format("  {:<12}{}\n", "vary", "Whatever --vary says, crossed");
}

}  // namespace

void add_study(CLI::App& app, CommonOptions& common, const std::vector<std::string>& words) {
  auto verb = std::make_shared<StudyVerb>();
  verb->command = command_line(words);
  CLI::App* sub = app.add_subcommand("study", "Measure methods and parameters over seeds");
  sub->group("Verbs");
  set_usage(*sub,
            "Usage: dovetail study STUDY FOLDER... --out OUT [OPTIONS]\n"
            "       dovetail study STUDY LEFT RIGHT --links LINKS --out OUT [OPTIONS]");
  std::vector<std::string> names;
  for (const StudyName& name : study_names()) names.emplace_back(name.name);
  names.emplace_back("vary");
  sub->add_option("STUDY", verb->study, "Which one; see below")
      ->required()
      ->check(one_of(names))
      ->type_name("");
  sub->add_option("INPUT", verb->inputs, "Folders, or two graph files: LEFT RIGHT")->type_name("");
  sub->add_option("-o,--out", verb->out, "Folder for results; runs in it are\nnot done again")
      ->required()
      ->type_name("OUT");
  sub->add_option("--runs", verb->runs, "Folder where runs are kept, for\nseveral studies (OUT/runs)")
      ->type_name("DIR");
  add_number(*sub, "--seeds", verb->options.seeds, kSeeds, "Runs of each, with seeds of their own")
      ->default_str(fmt::format("{}", verb->options.seeds));
  add_number(*sub, "--seed", verb->options.first_seed, kFirstSeed, "The first of them")
      ->default_str(fmt::format("{}", verb->options.first_seed));
  sub->add_option("--set", verb->set, "Base of all runs: any option of align,\nor preset=paper, gcn-align")
      ->type_name("KEY=VALUE")
      ->take_all();
  sub->add_option("--vary", verb->vary, "For vary: values of a key, crossed with\nthose of other --vary")
      ->type_name("KEY=V1,V2,...")
      ->take_all();
  add_number_by(*sub, "--against", NumberKind::real, kShare, "Test the mean Hits@1 against this one",
                "NUMBER", [verb](const std::string& name, const std::string& text) {
                  verb->options.against = read_real_number(name, text, kShare);
                });
  add_number_by(*sub, "--sizes", NumberKind::whole, kGeneratedEntities,
                "For scale: entities a side\n(1000,2000,5000,10000,20000)", "N,N,...",
                [verb](const std::string& name, const std::string& text) {
                  verb->sizes.clear();
                  for (const std::string& size : CLI::detail::split(text, ',')) {
                    verb->sizes.push_back(read_whole_number(name, size, kGeneratedEntities));
                  }
                });
  verb->input.add_to(*sub);
  sub->footer(studies_help() +
              "\nRuns are of mode basic unless the study or --set says otherwise. A study that\n"
              "was stopped goes on where it was; one that is repeated returns at once.\n"
              "\nExamples:\n"
              "  dovetail study runs dbp15k/zh_en --seeds 5 --against 0.702 --out runs\n"
              "  dovetail study ablation dbp15k/zh_en dbp15k/fr_en --seeds 5 --out ablation\n"
              "  dovetail study vary pair --vary depth=1,2,3 --vary dropout=0,0.3 --out depth\n"
              "  dovetail study scale --sizes 1000,10000,100000 --out scale");
  sub->callback([verb, &common] { study(*verb, common); });
}
