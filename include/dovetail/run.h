#pragma once

#include <dovetail/align.h>
#include <dovetail/calibration.h>
#include <dovetail/io.h>
#include <dovetail/link_metrics.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace dovetail {

/// Seconds of wall time that each part of a run took.
struct RunSeconds {
  double load = 0;
  double train = 0;  ///< of semi-supervised training, the searches between its turns included
  double match = 0;
  double confidence = 0;
  double total = 0;
};

/// Two entities that were decided to be the same.
struct DecidedLink {
  EntityId left, right;
  float score;        ///< the decoder's
  float margin;       ///< how far it is ahead of the left entity's next candidate
  double confidence;  ///< how likely it is right
};

/// What was decided for the entities of the pools.
struct Decisions {
  std::vector<DecidedLink> links;
  /// Left entities that are held to have no counterpart; only where the pools are open.
  std::vector<EntityId> none;
  bool calibrated = false;  ///< whether confidences were fitted; else they are Sinkhorn's probabilities
  Calibration reliability;  ///< of the links whose truth is known; count 0 if none is
  Coverage at_95;           ///< of these, what can be kept at a precision of .95
  VerdictMetrics verdicts;  ///< of the links, against the test links
};

/// One whole run: what was asked for, what came out, how it went.
struct Run {
  AlignOptions options;  ///< with everything automatic settled
  Model model;
  TrainingReport training;
  /// Ranked against every entity of the other side that is in no seed: what a user gets.
  Alignment open;
  /// Ranked among the test links' own entities, as the literature does; only if there are test links.
  Alignment closed;
  /// Structure alone, trained once, ranked as `closed`: beside a run with names, if there are test links.
  std::optional<Evaluation> structure_only;
  Decisions decisions;
  RunSeconds seconds;
  std::uint64_t peak_memory_bytes = 0;
};

/// Trains on the pair's seed links and ranks everything else. The caller fills in seconds.load.
[[nodiscard]] Run run_alignment(const LoadedPair& pair, const AlignOptions& options, Observer& observer);

/// Writes links.tsv, run.json and the model to a new folder, which appears when it is complete; one that
/// exists is an error unless `replace`.
void save_run(const Run& run, const LoadedPair& pair, const std::filesystem::path& folder, bool replace);

}  // namespace dovetail
