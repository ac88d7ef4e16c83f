#pragma once

#include <dovetail/io.h>

#include <nlohmann/json_fwd.hpp>
#include <string>

/// A loaded pair in numbers, for people.
[[nodiscard]] std::string describe_text(const dovetail::LoadedPair& pair);
/// The same for programs.
[[nodiscard]] nlohmann::json describe_json(const dovetail::LoadedPair& pair);
