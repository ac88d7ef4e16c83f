// What semi-supervised training and names cost on one thread, and the paper's claim about reviewing: Hits@1
// and seconds of its strategy beside its two baselines.
// usage: bench_semi DATA_FOLDER
#include <dovetail/io.h>
#include <dovetail/run.h>

#include <fmt/format.h>
#include <string>
#include <vector>

#include "unit.h"

namespace dovetail {
namespace {

void line(const LoadedPair& pair, const std::string& name, Mode mode, Strategy strategy) {
  AlignOptions options;
  options.mode = mode;
  options.semi.strategy = strategy;
  options.deciding.pool = CandidatePool::test;
  options.deciding.calibrate = false;
  options.deciding.compare = false;
  options.threads = 1;
  Observer observer;
  const double unit = measure_unit();
  const Run run = run_alignment(pair, options, observer);
  const double seconds = run.seconds.train + run.closed.match_seconds;
  const Evaluation* const structure = run.closed.of_signal("structure");
  const double csls = structure == nullptr ? 0 : structure->right_to_left.hits_at_1;
  fmt::print("{:<28} {:6.1f} s = {:5.1f} units  Hits@1 {:.4f}{}\n", name, seconds, seconds / unit,
             run.closed.evaluation.right_to_left.hits_at_1,
             csls > 0 ? fmt::format(" (csls {:.4f})", csls) : "");
  std::fflush(stdout);
}

void run(const std::string& data) {
  Observer observer;
  const LoadedPair pair = load_folder(data + "/dbp15k/zh_en", {}, observer);
  fmt::print("dbp15k/zh_en, one thread, training, all searches and matching of the test pool\n");
  line(pair, "basic", Mode::basic, Strategy::restart);
  line(pair, "rules alone", Mode::semi, Strategy::rules);
  line(pair, "best strategy: with rules", Mode::semi, Strategy::best);
  line(pair, "restart strategy", Mode::semi, Strategy::restart);
  line(pair, "paper's strategy", Mode::semi, Strategy::paper);
  line(pair, "  baseline: normal", Mode::semi, Strategy::normal);
  line(pair, "  baseline: no review", Mode::semi, Strategy::no_review);
  line(pair, "names", Mode::names, Strategy::best);
}

}  // namespace
}  // namespace dovetail

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: bench_semi DATA_FOLDER\n");
    return 2;
  }
  dovetail::run(argv[1]);
}
