#pragma once

#include <filesystem>

namespace dovetail {

/// Throws InputError for a file of a kind that is not read (Parquet, spreadsheets, JSON-LD, JSON that is not
/// one object a line), with the command that converts it.
void refuse_foreign(const std::filesystem::path& path);

/// Whether a file begins like JSON Lines: a whole object in its first line.
[[nodiscard]] bool is_json_lines(const std::filesystem::path& path);

}  // namespace dovetail
