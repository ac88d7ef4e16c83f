#pragma once

#include <cstddef>
#include <filesystem>
#include <string_view>

namespace dovetail {

/// How the text of a table is laid out, by its first lines.
struct TableShape {
  char separator;       ///< between columns
  std::size_t columns;  ///< in each of the lines
  bool titled;          ///< the first line is unlike all others, as a line of titles is
  bool wide;            ///< one row an entity, with a header; else triples or links
};

/// Looks at the beginning of a table. Of several separators that all lines have equally often, the one with
/// most columns; `usual`, the one that the format says, where nothing else fits better.
[[nodiscard]] TableShape table_shape(std::string_view beginning, char usual);

/// The same of a file; a pipe, which cannot be read twice, is triples with the usual separator.
[[nodiscard]] TableShape table_shape_of(const std::filesystem::path& path, char usual);

/// Throws InputError for a file in UTF-16, which spreadsheets write, with the command that converts it.
void refuse_utf16(const std::filesystem::path& path);

}  // namespace dovetail
