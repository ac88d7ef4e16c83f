#pragma once

#include <dovetail/align.h>
#include <dovetail/io.h>

#include <cstdint>
#include <filesystem>

namespace dovetail {

/// Seconds of wall time that each part of a run took.
struct RunSeconds {
  double load = 0;
  double train = 0;
  double match = 0;
  double total = 0;
};

/// One whole run: what was asked for, what came out, how it went.
struct Run {
  AlignOptions options;
  Model model;
  TrainingReport training;
  /// Ranked against every entity of the other side that is in no seed: what a user gets.
  Alignment open;
  /// Ranked among the test links' own entities, as the literature does; only if there are test links.
  Alignment closed;
  RunSeconds seconds;
  std::uint64_t peak_memory_bytes = 0;
};

/// Trains on the pair's seed links and ranks everything else. The caller fills in seconds.load.
[[nodiscard]] Run run_alignment(const LoadedPair& pair, const AlignOptions& options, Observer& observer);

/// Writes links.tsv, run.json and the model to a new folder, which appears when it is complete; one that
/// exists is an error unless `replace`.
void save_run(const Run& run, const LoadedPair& pair, const std::filesystem::path& folder, bool replace);

}  // namespace dovetail
