// Loads a pair once and prints, as JSON, what that took: bench_load THREADS FOLDER | LEFT RIGHT
#include <dovetail/io.h>

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>

#include "common/text.h"

int main(int argc, char** argv) {
  if (argc < 3) {
    std::cerr << "usage: bench_load THREADS FOLDER | LEFT RIGHT\n";
    return 2;
  }
  dovetail::Observer quiet;
  dovetail::LoadOptions options;
  options.threads = std::strtoul(argv[1], nullptr, 10);
  const auto begin = std::chrono::steady_clock::now();
  const dovetail::LoadedPair pair = argc == 3 ? dovetail::load_folder(argv[2], options, quiet)
                                              : dovetail::load_files(argv[2], argv[3], {}, options, quiet);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const auto& left = pair.graphs.left();
  const auto& right = pair.graphs.right();
  const nlohmann::json figures = {
      {"seconds", seconds},
      {"triples", left.triple_count() + right.triple_count()},
      {"entities", pair.graphs.entity_count()},
      {"edge_bytes", left.edge_memory_bytes() + right.edge_memory_bytes()},
      {"string_bytes", left.string_memory_bytes() + right.string_memory_bytes()},
      {"peak_bytes", dovetail::peak_memory_bytes()},
  };
  std::cout << figures << "\n";
}
