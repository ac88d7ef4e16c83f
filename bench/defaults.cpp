// How the defaults were chosen: one parameter at a time, a fifth of the seed links held out of training and
// looked for among all entities that are in no link trained on. Test links are never looked at.
// usage: bench_defaults DATA_FOLDER [NAME=VALUE,VALUE,...]...
#include <dovetail/align.h>
#include <dovetail/io.h>
#include <dovetail/parameters.h>

#include <cmath>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <vector>

namespace dovetail {
namespace {

const std::vector<std::string> kFolders = {"dbp15k/zh_en", "dbp15k/fr_en", "srprs/fr_en"};
constexpr std::uint64_t kSeeds = 2;
const std::vector<std::string> kSweeps = {
    "epochs=4,8,12",
    "batch-size=512,0",
    "learning-rate=0.005,0.01",
    "dropout=0.1,0.3",
    "clip=0,1,1.5,2",
    "tie-seeds=0",
    "cosine-power=1,2",
    "standardise=0",
    "reflection=unit",
    "attention=none,three-part",
    "depth=1,3",
    "relation-feature=0",
    "sampling=attention",
};

AlignOptions with(std::string_view name, std::string_view text) {
  AlignOptions options;
  set_parameter(options, name, text);
  return options;
}

struct HeldOut {
  LoadedPair pair;
  std::vector<Link> held_out;
};

HeldOut hold_out(LoadedPair pair) {
  SeedLinks halves = split_links(pair.links.train, {.seed_ratio = 0.8, .valid_ratio = 0, .seed = 7});
  pair.links.train = std::move(halves.train);
  pair.links.valid.clear();
  return {std::move(pair), std::move(halves.test)};
}

void print_line(const std::string& name, const std::vector<HeldOut>& data, AlignOptions options) {
  fmt::print("| {} |", name);
  Observer observer;
  for (const HeldOut& set : data) {
    double hits = 0, mrr = 0, seconds = 0;
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
      options.seed = seed;
      options.threads = 1;
      TrainingReport report;
      const Model model = train(set.pair.graphs, set.pair.links, options, observer, &report);
      const Alignment found = match(set.pair.graphs, model, open_pools(set.pair.graphs, set.pair.links.train),
                                    set.held_out, options, observer);
      hits += found.evaluation.right_to_left.hits_at_1 / kSeeds;
      mrr += found.evaluation.right_to_left.mrr / kSeeds;
      seconds += report.seconds / kSeeds;
    }
    fmt::print(" {:.3f} / {:.3f} ({:.1f} s) |", hits, mrr, seconds);
    std::fflush(stdout);
  }
  fmt::print("\n");
}

void run(const std::string& folder, const std::vector<std::string>& sweeps) {
  Observer observer;
  std::vector<HeldOut> data;
  fmt::print("Hits@1 / MRR (seconds of training) on held-out seeds, mean of {} seeds\n\n| |", kSeeds);
  std::string rule = "|---|";
  for (const std::string& name : kFolders) {
    data.push_back(hold_out(load_folder(folder + "/" + name, {}, observer)));
    fmt::print(" {} |", name);
    rule += "---|";
  }
  fmt::print("\n{}\n", rule);
  print_line("defaults", data, {});
  for (const std::string& sweep : sweeps) {
    const std::size_t equals = sweep.find('=');
    const std::string name = sweep.substr(0, equals);
    std::size_t begin = equals + 1;
    while (begin <= sweep.size()) {
      const std::size_t end = std::min(sweep.find(',', begin), sweep.size());
      const std::string value = sweep.substr(begin, end - begin);
      print_line(fmt::format("{} {}", name, value), data, with(name, value));
      begin = end + 1;
    }
  }
}

}  // namespace
}  // namespace dovetail

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: bench_defaults DATA_FOLDER [NAME=VALUE,VALUE,...]...\n");
    return 2;
  }
  const std::vector<std::string> asked(argv + 2, argv + argc);
  dovetail::run(argv[1], asked.empty() ? dovetail::kSweeps : asked);
}
