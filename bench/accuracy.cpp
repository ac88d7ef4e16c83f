// Hits@1, Hits@10 and MRR of every mode, mean and standard deviation over seeds, beside the figures to reach;
// closed world, right to left, and how well confidences are calibrated.
// usage: bench_accuracy DATA_FOLDER [SEEDS [THREADS [FOLDER...]]]
#include <dovetail/align.h>
#include <dovetail/io.h>
#include <dovetail/run.h>

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
      {"best strategy, csls", {.818, .938, .860}},
      {"best strategy, sinkhorn", {.83}},
      {"names, sinkhorn", {.970, .99, .98}}}},
    {"dbp15k/fr_en",
     {{"basic, csls", {.731, .941, .807}},
      {"paper strategy, csls", {.820, .950, .868}},
      {"best strategy, csls", {.825, .950, .871}},
      {"best strategy, sinkhorn", {.85}},
      {"names, sinkhorn", {.995, .998, .996}}}},
    {"srprs/fr_en",
     {{"basic, csls", {.441, .741, .542}},
      {"paper strategy, csls", {.475, .744, .565}},
      {"best strategy, csls", {.482, .740, .568}},
      {"best strategy, sinkhorn", {.486}},
      {"names, sinkhorn", {.985, .995, .99}}}},
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
  table.add(name + ", csls", figures(alignment.structure.right_to_left));
  if (run.options.deciding.decoder != Decoder::csls) {
    table.add(name + ", sinkhorn", figures(alignment.evaluation.right_to_left));
  }
  if (run.options.deciding.calibrate) {
    table.add(name + ", calibration error", {run.decisions.reliability.expected_error});
  }
}

void measure(const std::string& data, const Target& target, std::uint64_t seeds, std::size_t threads) {
  Table table;
  Observer observer;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    LoadOptions load;
    load.split.seed = seed;
    load.fold = static_cast<int>(seed);
    LoadedPair pair = load_folder(data + "/" + target.folder, load, observer);
    const auto run = [&](Mode mode, Strategy strategy, CandidatePool pool, bool calibrate) {
      return align(pair, seed, threads, mode, strategy, pool, calibrate, mode == Mode::basic);
    };
    const Run basic = run(Mode::basic, Strategy::best, CandidatePool::test, true);
    add_run("basic", basic, table);
    table.add("basic, csls, left to right", figures(basic.closed.evaluation.left_to_right));
    table.add("basic, csls, open", figures(basic.open.evaluation.right_to_left));
    add_run("paper strategy", run(Mode::semi, Strategy::paper, CandidatePool::test, false), table);
    add_run("best strategy", run(Mode::semi, Strategy::best, CandidatePool::test, true), table);
    add_run("best strategy, open", run(Mode::semi, Strategy::best, CandidatePool::open, false), table);
    if (pair.graphs.left().label_count() == 0) continue;
    const Run names = run(Mode::names, Strategy::best, CandidatePool::test, true);
    add_run("names", names, table);
    table.add("names, the paper's plain ls + ss", figures(names.closed.plain_sum->right_to_left));
    table.add("names alone, csls", figures(names.closed.names->right_to_left));
    pair.links.train.clear();
    add_run("names, no seeds", run(Mode::names, Strategy::best, CandidatePool::test, false), table);
  }
  fmt::print("{}\n", target.folder);
  table.print(target);
}

}  // namespace
}  // namespace dovetail

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: bench_accuracy DATA_FOLDER [SEEDS [THREADS [FOLDER...]]]\n");
    return 2;
  }
  const std::uint64_t seeds = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 5;
  const std::size_t threads = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 0;
  const std::vector<std::string> asked(argv + std::min(argc, 4), argv + argc);
  fmt::print(
      "{} seeds, closed world unless said, right to left unless said; (figure to reach)\n{:<40} "
      "{:<24}{:<24}MRR\n",
      seeds, "", "Hits@1", "Hits@10");
  for (const auto& target : dovetail::kTargets) {
    if (asked.empty() || std::ranges::find(asked, target.folder) != asked.end()) {
      dovetail::measure(argv[1], target, seeds, threads);
    }
  }
}
