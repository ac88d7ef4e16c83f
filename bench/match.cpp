// What matching 10,500 x 10,500 entities with CSLS costs, 4-bit search beside exact search.
// usage: bench_match DATA_FOLDER
#include <dovetail/align.h>
#include <dovetail/io.h>

#include <fmt/format.h>
#include <string>
#include <vector>

#include "common/text.h"
#include "unit.h"

namespace dovetail {
namespace {

void run(const std::string& data) {
  Observer observer;
  const LoadedPair pair = load_folder(data + "/dbp15k/zh_en", {}, observer);
  AlignOptions options;
  const Model model = train(pair.graphs, pair.links, options, observer);
  const std::vector<Link>& test = pair.links.test;
  const Pools pools = closed_pools(test);
  fmt::print("matching {} x {}, CSLS, features included\n", pools.left.size(), pools.right.size());
  double one = 0;
  for (const auto& [search, threads] :
       {std::pair(Search::four_bit, 1), {Search::four_bit, 2}, {Search::exact, 1}}) {
    options.matching.search = search;
    options.threads = static_cast<std::size_t>(threads);
    const double unit = measure_unit();
    const Alignment alignment = match(pair.graphs, model, pools, test, options, observer);
    if (threads == 1) one = alignment.match_seconds;
    fmt::print(
        "{:<8} {} thread{}: {:.2f} s = {:.2f} units of {:.2f} s{}; Hits@1 {:.4f} right to left, {:.4f} left "
        "to "
        "right; ranks {:.2f} s\n",
        search == Search::exact ? "exact" : "4-bit", threads, plural(static_cast<std::uint64_t>(threads)),
        alignment.match_seconds, alignment.match_seconds / unit, unit,
        threads == 2 ? fmt::format(", x{:.2f}", one / alignment.match_seconds) : "",
        alignment.evaluation.right_to_left.hits_at_1, alignment.evaluation.left_to_right.hits_at_1,
        alignment.evaluation_seconds);
    std::fflush(stdout);
  }
  fmt::print("peak memory of all this {:.0f} MB\n", static_cast<double>(peak_memory_bytes()) / 1e6);
}

}  // namespace
}  // namespace dovetail

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: bench_match DATA_FOLDER\n");
    return 2;
  }
  dovetail::run(argv[1]);
}
