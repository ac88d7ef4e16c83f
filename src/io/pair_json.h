#pragma once

#include <dovetail/io.h>

#include <nlohmann/json_fwd.hpp>

namespace dovetail {

/// A loaded pair in numbers, as `inspect --json` and run.json show it.
[[nodiscard]] nlohmann::json pair_json(const LoadedPair& pair);

}  // namespace dovetail
