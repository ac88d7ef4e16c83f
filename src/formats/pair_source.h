#pragma once

#include <dovetail/io.h>

#include <nlohmann/json_fwd.hpp>
#include <optional>

namespace dovetail {

/// Where a pair came from, for run.json: files, how they are read, and a fingerprint of what was in them;
/// null for a pair that came from no file.
[[nodiscard]] nlohmann::json inputs_json(const LoadedPair& pair);

/// The same without the fingerprint.
[[nodiscard]] nlohmann::json source_json(const PairSource& source);

/// The same back; nothing for null. Throws nlohmann's exceptions, or ParameterError, where it is something
/// else.
[[nodiscard]] std::optional<PairSource> source_of_json(const nlohmann::json& inputs);

}  // namespace dovetail
