#pragma once

#include <dovetail/align.h>
#include <dovetail/io.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace dovetail {

/// How a run keeps to an amount of memory.
struct MemoryPlan {
  std::size_t dimension = 0;
  Sampling sampling = Sampling::none;
  bool vectors_in_files = false;
  std::size_t batch_size = 0;
  std::size_t candidates = 0;
  /// That it takes at most, by the model that docs/large-graphs.md compares with runs.
  std::uint64_t bytes = 0;
};

/// What a run will do: everything automatic settled before anything runs.
struct Plan {
  AlignOptions options;                       ///< nothing in them is automatic any longer
  std::vector<std::string> signals;           ///< that are used, in the order in which they are combined
  std::size_t trainings = 0;                  ///< at most; 0 where rules alone are used
  std::size_t left_pool = 0, right_pool = 0;  ///< entities that are looked at
  std::size_t candidates = 0;                 ///< that the search looks for, for each of them
  MemoryPlan memory;
};

/// The plan for a pair: a function of pair and options alone. Throws ParameterError where options exclude
/// each other, or where one that must count (`AlignOptions::must_count`) has no effect, with the option that
/// rules it out; SystemError where memory does not suffice.
[[nodiscard]] Plan settle(const LoadedPair& pair, const AlignOptions& options, Observer& observer);

/// For a person: a line for each thing that is settled, then the options that have an effect.
[[nodiscard]] std::string plan_text(const Plan& plan);
/// For a program: an object in JSON.
[[nodiscard]] std::string plan_json(const Plan& plan);

}  // namespace dovetail
