// Hits@1, Hits@10 and MRR of every mode, mean and standard deviation over seeds, beside the figures to reach;
// closed world, right to left, and how well confidences are calibrated.
#include <dovetail/align.h>
#include <dovetail/io.h>
#include <dovetail/run.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <map>
#include <string>
#include <vector>

namespace dovetail {
namespace {

using Figures = std::vector<double>;

Figures figures(const RankMetrics& metrics) {
  return {metrics.hits_at_1, metrics.hits_at_10, metrics.mrr};
}

/// Figures to reach: Hits@1, Hits@10, MRR, as far as there are any.
struct Target {
  const char* folder;
  std::map<std::string, Figures> figures;
};

const std::vector<Target> kTargets = {
    {"dbp15k/zh_en",
     {{"basic, csls", {.702, .924, .781}},
      {"paper strategy, csls", {.800, .937, .850}},
      {"restart, csls", {.818, .938, .860}},
      {"restart, sinkhorn", {.83}},
      {"best, sinkhorn", {.875, .956, .905}},
      {"best, open, sinkhorn", {.860, .948, .892}},
      {"names, sinkhorn", {.98, .99, .98}}}},
    {"dbp15k/fr_en",
     {{"basic, csls", {.731, .941, .807}},
      {"paper strategy, csls", {.820, .950, .868}},
      {"restart, csls", {.825, .950, .871}},
      {"restart, sinkhorn", {.85}},
      {"best, sinkhorn", {.910, .978, .936}},
      {"best, open, sinkhorn", {.891, .974, .922}},
      {"names, sinkhorn", {.998, .998, .996}}}},
    {"srprs/fr_en",
     {{"basic, csls", {.441, .741, .542}},
      {"paper strategy, csls", {.475, .744, .565}},
      {"restart, csls", {.482, .740, .568}},
      {"restart, sinkhorn", {.486}},
      {"best, sinkhorn", {.500, .746, .582}},
      {"names, sinkhorn", {.99, .995, .99}}}},
    {"openea/D_Y_15K_V1", {}},
    {"contea/ZH-EN/base", {}},
};

/// What was measured under one name, by seed.
class Table {
 public:
  void add(const std::string& name, const Figures& values) {
    if (!rows_.contains(name)) order_.push_back(name);
    rows_[name].push_back(values);
  }

  void print(const Target& target) const {
    for (const std::string& name : order_) {
      std::string text = fmt::format("  {:<38}", name);
      const auto& runs = rows_.at(name);
      const auto wanted = target.figures.find(name);
      for (std::size_t f = 0; f < runs[0].size(); ++f) {
        double mean = 0, square = 0;
        for (const Figures& run : runs) mean += run[f] / static_cast<double>(runs.size());
        for (const Figures& run : runs) square += (run[f] - mean) * (run[f] - mean);
        const double deviation =
            std::sqrt(square / std::max<double>(1, static_cast<double>(runs.size()) - 1));
        text += fmt::format(" {:.4f} +-{:.4f}", mean, deviation);
        const bool asked = wanted != target.figures.end() && f < wanted->second.size();
        text += asked ? fmt::format(" ({:.3f})", wanted->second[f]) : std::string(8, ' ');
      }
      fmt::print("{}\n", text);
    }
    fmt::print("\n");
    std::fflush(stdout);
  }

 private:
  std::vector<std::string> order_;
  std::map<std::string, std::vector<Figures>> rows_;
};

Run align(const LoadedPair& pair, std::uint64_t seed, std::size_t threads, Mode mode, Strategy strategy,
          CandidatePool pool, bool calibrate, bool compare) {
  AlignOptions options;
  options.mode = mode;
  options.semi.strategy = strategy;
  options.deciding.pool = pool;
  options.deciding.calibrate = calibrate;
  options.deciding.compare = compare;
  options.seed = seed;
  options.threads = threads;
  Observer observer;
  return run_alignment(pair, options, observer);
}

void add_run(const std::string& name, const Run& run, Table& table) {
  const Alignment& alignment = run.options.deciding.pool == CandidatePool::test ? run.closed : run.open;
  if (const Evaluation* const structure = alignment.of_signal("structure")) {
    table.add(name + ", csls", figures(structure->right_to_left));
  }
  if (run.options.deciding.decoder != Decoder::csls) {
    table.add(name + ", sinkhorn", figures(alignment.evaluation.right_to_left));
  }
  if (run.options.deciding.calibrate) {
    table.add(name + ", calibration error", {run.decisions.reliability.expected_error});
  }
}

const std::vector<std::pair<std::string, Strategy>> kStrategies = {{"paper strategy", Strategy::paper},
                                                                   {"restart", Strategy::restart},
                                                                   {"rules alone", Strategy::rules},
                                                                   {"best", Strategy::best}};

struct Asked {
  std::string data;
  std::uint64_t seeds = 5;
  std::size_t threads = 0;
  std::vector<std::string> folders, modes;  ///< empty: all
};

bool is_asked(const std::vector<std::string>& some, const std::string& name) {
  return some.empty() || std::ranges::find(some, name) != some.end();
}

void measure(const Target& target, const Asked& asked) {
  Table table;
  Observer observer;
  const auto wanted = [&](const std::string& mode) { return is_asked(asked.modes, mode); };
  for (std::uint64_t seed = 1; seed <= asked.seeds; ++seed) {
    LoadOptions load;
    load.split.seed = seed;
    load.fold = static_cast<int>(seed);
    LoadedPair pair = load_folder(asked.data + "/" + target.folder, load, observer);
    const auto run = [&](Mode mode, Strategy strategy, CandidatePool pool, bool calibrate) {
      return align(pair, seed, asked.threads, mode, strategy, pool, calibrate, mode == Mode::basic);
    };
    if (wanted("basic")) {
      const Run basic = run(Mode::basic, Strategy::best, CandidatePool::test, true);
      add_run("basic", basic, table);
      table.add("basic, csls, left to right", figures(basic.closed.evaluation.left_to_right));
      table.add("basic, csls, open", figures(basic.open.evaluation.right_to_left));
    }
    for (const auto& [name, strategy] : kStrategies) {
      if (!wanted(name)) continue;
      const bool best = strategy == Strategy::best || strategy == Strategy::restart;
      add_run(name, run(Mode::semi, strategy, CandidatePool::test, best), table);
      if (best) add_run(name + ", open", run(Mode::semi, strategy, CandidatePool::open, false), table);
    }
    if (pair.graphs.left().label_count() == 0 || !wanted("names")) continue;
    const Run names = run(Mode::names, Strategy::best, CandidatePool::test, true);
    add_run("names", names, table);
    table.add("names, the paper's plain ls + ss", figures(names.closed.plain_sum->right_to_left));
    table.add("names alone, csls", figures(names.closed.of_signal("names")->right_to_left));
    pair.links.train.clear();
    add_run("names, no seeds", run(Mode::names, Strategy::best, CandidatePool::test, false), table);
  }
  fmt::print("{}\n", target.folder);
  table.print(target);
}

}  // namespace
}  // namespace dovetail

int main(int argc, char** argv) {
  CLI::App app{"Hits@1, Hits@10 and MRR of every mode"};
  dovetail::Asked asked;
  app.add_option("DATA", asked.data, "Folder with the benchmark data")->required();
  app.add_option("--seeds", asked.seeds);
  app.add_option("--threads", asked.threads);
  app.add_option("--folder", asked.folders, "Of the data, several if wanted");
  app.add_option("--mode", asked.modes, "basic, paper strategy, restart, rules alone, best, names");
  CLI11_PARSE(app, argc, argv);
  fmt::print(
      "{} seeds, closed world unless said, right to left unless said; (figure to reach)\n{:<40} "
      "{:<24}{:<24}MRR\n",
      asked.seeds, "", "Hits@1", "Hits@10");
  for (const auto& target : dovetail::kTargets) {
    if (dovetail::is_asked(asked.folders, target.folder)) dovetail::measure(target, asked);
  }
}
