// Many alignments in one process, each of other data: memory after the last must be what it was after the
// tenth, within 2%. usage: bench_soak RUNS FOLDER, which is made and removed again
#include <dovetail/errors.h>
#include <dovetail/generate.h>
#include <dovetail/run.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <malloc.h>
#include <sys/prctl.h>

#include "common/text.h"
#include "formats/pair_writer.h"
#include "resident.h"

namespace dovetail {
namespace {

constexpr int kSettled = 10;  // runs after which memory no longer grows

/// What is held, without what the C library keeps of memory that was given back.
std::uint64_t memory_now() {
  malloc_trim(0);
  return resident_bytes();
}

/// Ten kinds of data, and new ones of each kind in every round; sizes, names and strategies differ.
void align_one(int number, const std::filesystem::path& folder) {
  Observer quiet;
  GenerateOptions data;
  data.entities = 200 + 40 * static_cast<std::uint64_t>(number % kSettled);
  data.seed = static_cast<std::uint64_t>(number);
  data.labels = number % 2 == 0;
  data.split.seed_ratio = 0.3;
  const auto writer = make_pair_writer(folder / "pair", number % 3 == 0 ? Format::dbp15k : Format::ntriples,
                                       {.replace = true}, quiet);
  generate_pair(resolve_options(data), *writer, quiet);
  writer->commit();
  const LoadedPair pair = load_folder(folder / "pair", {}, quiet);
  AlignOptions options;
  options.seed = data.seed;
  options.encoder.dimension = 32;
  options.training.epochs = 2;
  if (number % 5 == 0) options.mode = Mode::basic;
  save_run(run_alignment(pair, options, quiet), pair, folder / "out", {.replace = true});
}

int soak(int runs, const std::filesystem::path& folder) {
  prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);  // huge pages come and go as the system likes, 2 MiB at a time
  std::filesystem::create_directories(folder);
  std::uint64_t settled = 0;
  for (int number = 1; number <= runs; ++number) {
    align_one(number, folder);
    if (number == kSettled) settled = memory_now();
    if (number % kSettled == 0) {
      fmt::print("after {:>4} runs {}\n", number, human_bytes(memory_now()));
      std::fflush(stdout);
    }
  }
  std::filesystem::remove_all(folder);
  const double growth = static_cast<double>(memory_now()) / static_cast<double>(settled) - 1;
  fmt::print("{:+.2f}% since the tenth; at most +2%\n", 100 * growth);
  return growth <= 0.02 ? 0 : 1;
}

}  // namespace
}  // namespace dovetail

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: bench_soak RUNS FOLDER\n");
    return 2;
  }
  return dovetail::soak(std::atoi(argv[1]), argv[2]);
}
