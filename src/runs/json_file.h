#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>

namespace dovetail {

/// Reads a JSON file. Throws InputError with the line where it is none.
[[nodiscard]] nlohmann::json read_json(const std::filesystem::path& path);

}  // namespace dovetail
