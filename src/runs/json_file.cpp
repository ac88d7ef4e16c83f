#include "runs/json_file.h"

#include <dovetail/errors.h>
#include <dovetail/files.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

namespace dovetail {

nlohmann::json read_json(const std::filesystem::path& path) {
  const std::string text = read_whole(path);
  try {
    return nlohmann::json::parse(text);
  } catch (const nlohmann::json::parse_error& error) {
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(error.byte, text.size()));
    const auto line = static_cast<std::uint64_t>(std::count(text.begin(), end, '\n')) + 1;
    throw InputError(path.string(), line, "found no JSON; expected it to go on here as JSON does");
  }
}

}  // namespace dovetail
