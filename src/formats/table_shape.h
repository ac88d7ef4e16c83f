#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string_view>

namespace dovetail {

/// What a table of a graph looks like: rows of entities below a header, or triples.
enum class Likeness : std::uint8_t { triples, rather_triples, rather_table, table };

/// How the text of a table is laid out, by its first lines.
struct TableShape {
  char separator;       ///< between columns
  std::size_t columns;  ///< in each of the lines
  bool titled;          ///< the first line is unlike all others, as a line of titles is
  Likeness likeness;
};

/// Whether a row is an entity.
[[nodiscard]] inline bool is_wide(Likeness likeness) {
  return likeness >= Likeness::rather_table;
}

/// Looks at the beginning of a table. Of several separators that all lines have equally often, the one with
/// most columns; `usual`, the one that the format says, where nothing else fits better.
[[nodiscard]] TableShape table_shape(std::string_view beginning, char usual);

/// The same of a file; a pipe, which cannot be read twice, is triples with the usual separator.
[[nodiscard]] TableShape table_shape_of(const std::filesystem::path& path, char usual);

}  // namespace dovetail
