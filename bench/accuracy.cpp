// Hits@1, Hits@10 and MRR of PSR basic, mean and standard deviation over seeds, beside the paper's figures.
// usage: bench_accuracy DATA_FOLDER [SEEDS [THREADS]]
#include <dovetail/align.h>
#include <dovetail/io.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <string>
#include <vector>

namespace dovetail {
namespace {

struct Target {
  const char* folder;
  std::array<double, 3> paper;
};
constexpr Target kTargets[] = {{"dbp15k/zh_en", {.702, .924, .781}},
                               {"dbp15k/fr_en", {.731, .941, .807}},
                               {"srprs/fr_en", {.441, .741, .542}}};

using Figures = std::array<double, 3>;

Figures figures(const RankMetrics& metrics) {
  return {metrics.hits_at_1, metrics.hits_at_10, metrics.mrr};
}

/// "Hits@1 Hits@10 MRR", each as mean +- deviation.
std::string summary(const std::vector<Figures>& runs) {
  std::string text;
  for (std::size_t f = 0; f < 3; ++f) {
    double mean = 0, square = 0;
    for (const Figures& run : runs) mean += run[f] / static_cast<double>(runs.size());
    for (const Figures& run : runs) square += (run[f] - mean) * (run[f] - mean);
    const double deviation = std::sqrt(square / std::max<double>(1, static_cast<double>(runs.size()) - 1));
    text += fmt::format("{:.4f} +-{:.4f}  ", mean, deviation);
  }
  return text;
}

void run(const std::string& data, const Target& target, std::uint64_t seeds, std::size_t threads) {
  std::vector<Figures> to_left, to_right;
  Observer observer;
  double train_seconds = 0, match_seconds = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    LoadOptions load;
    load.split.seed = seed;
    const LoadedPair pair = load_folder(data + "/" + target.folder, load, observer);
    AlignOptions options;
    options.seed = seed;
    options.threads = threads;
    TrainingReport report;
    const Model model = train(pair.graphs, pair.links, options, observer, &report);
    const std::vector<Link>& test = pair.links.test;
    const Alignment alignment = match(pair.graphs, model, closed_pools(test), test, options, observer);
    to_left.push_back(figures(alignment.evaluation.right_to_left));
    to_right.push_back(figures(alignment.evaluation.left_to_right));
    train_seconds += report.seconds / static_cast<double>(seeds);
    match_seconds += alignment.match_seconds / static_cast<double>(seeds);
  }
  fmt::print("{:<14} right to left  {} ({:.1f} s training, {:.1f} s matching)\n", target.folder,
             summary(to_left), train_seconds, match_seconds);
  fmt::print("{:<14} left to right  {}\n", "", summary(to_right));
  fmt::print("{:<14} paper          {:.4f}          {:.4f}          {:.4f}\n\n", "", target.paper[0],
             target.paper[1], target.paper[2]);
  std::fflush(stdout);
}

}  // namespace
}  // namespace dovetail

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: bench_accuracy DATA_FOLDER [SEEDS [THREADS]]\n");
    return 2;
  }
  const std::uint64_t seeds = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 5;
  const std::size_t threads = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 0;
  fmt::print("PSR basic, {} seeds, closed world, CSLS\n{:<30}Hits@1           Hits@10          MRR\n", seeds,
             "");
  for (const auto& target : dovetail::kTargets) dovetail::run(argv[1], target, seeds, threads);
}
