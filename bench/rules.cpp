// What rules alone cost as graphs grow: seconds of one thread, memory of the whole process so far, and
// the exponent of growth from one size to the next.
// usage: bench_rules FOLDER..., of growing size
#include <dovetail/io.h>
#include <dovetail/run.h>

#include <cmath>
#include <fmt/format.h>
#include <string>

#include "common/text.h"
#include "unit.h"

namespace dovetail {
namespace {

struct Point {
  double triples, seconds;
};

Point measure(const std::string& folder) {
  Observer observer;
  const LoadedPair pair = load_folder(folder, {}, observer);
  AlignOptions options;
  options.mode = Mode::semi;
  options.semi.strategy = Strategy::rules;
  options.deciding.calibrate = false;
  options.deciding.compare = false;
  options.threads = 1;
  const Run run = run_alignment(pair, options, observer);
  const std::uint64_t memory = peak_memory_bytes();  // before the unit, which takes 200 MB
  const double unit = measure_unit();
  const Point point{
      static_cast<double>(pair.graphs.left().triple_count() + pair.graphs.right().triple_count()),
      run.seconds.train + run.closed.match_seconds};
  fmt::print("{:<32}{:>12} triples {:>8.1f} s = {:>6.1f} units, {:>10} at most, Hits@1 {:.4f}", folder,
             with_commas(static_cast<std::uint64_t>(point.triples)), point.seconds, point.seconds / unit,
             human_bytes(memory), run.closed.evaluation.right_to_left.hits_at_1);
  return point;
}

}  // namespace
}  // namespace dovetail

int main(int argc, char** argv) {
  dovetail::Point last{0, 0};
  for (int n = 1; n < argc; ++n) {
    const dovetail::Point point = dovetail::measure(argv[n]);
    if (last.triples > 0) {
      fmt::print(", exponent {:.2f}",
                 std::log(point.seconds / last.seconds) / std::log(point.triples / last.triples));
    }
    fmt::print("\n");
    std::fflush(stdout);
    last = point;
  }
}
