#pragma once

#include <dovetail/evaluation.h>
#include <dovetail/io.h>

#include <nlohmann/json_fwd.hpp>
#include <vector>

namespace dovetail {

/// A loaded pair in numbers, as `inspect --json` and run.json show it.
[[nodiscard]] nlohmann::json pair_json(const LoadedPair& pair);

/// Hits@1 by degree, as records of runs and of studies have it.
[[nodiscard]] nlohmann::json degrees_json(const std::vector<DegreeHits>& degrees);

}  // namespace dovetail
