#pragma once

#include <dovetail/beliefs.h>
#include <dovetail/deciding.h>
#include <dovetail/encoder.h>
#include <dovetail/matching.h>
#include <dovetail/names.h>
#include <dovetail/rules.h>
#include <dovetail/strategy.h>
#include <dovetail/training.h>
#include <dovetail/values.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace dovetail {

/// An amount of memory. As text 512M, 8G or a plain number.
struct Bytes {
  std::uint64_t count = 0;
  bool operator==(const Bytes&) const = default;
};

struct AlignOptions {
  Mode mode = Mode::automatic;
  EncoderOptions encoder;
  SamplingOptions sampling;
  LossOptions loss;
  TrainingOptions training;
  MatchingOptions matching;
  SemiOptions semi;
  NameOptions names;
  ValueOptions values;
  RuleOptions rules;
  BeliefOptions beliefs;
  DecidingOptions deciding;
  /// That a run may take; 0: what the machine has. Where all would not fit, steps are sampled, vectors lie in
  /// files of `scratch`, and fewer candidates are kept.
  Bytes memory;
  std::uint64_t seed = 1;   ///< of every random choice
  std::size_t threads = 0;  ///< 0: as many as the machine has
  /// Parameters that were set on purpose, by name: they count although their value may be the default.
  std::vector<std::string> given;
  /// Of these, parameters for which it is an error to have no effect: settle() refuses them.
  std::vector<std::string> must_count;
  std::filesystem::path scratch;  ///< folder for files that go with the run; empty: the system's for such
};

/// Options that do what the paper says and nothing else.
[[nodiscard]] AlignOptions paper_options();
/// The baseline that the paper starts from, its equations 1 and 2: two layers of graph convolution, and a
/// triplet loss with uniform negatives, as GCN-Align trains on structure.
[[nodiscard]] AlignOptions gcn_align_options();

}  // namespace dovetail
