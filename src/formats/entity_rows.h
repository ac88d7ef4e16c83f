#pragma once

#include <dovetail/graph_builder.h>
#include <dovetail/io.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/graph_reader.h"
#include "graph/string_index.h"

namespace dovetail {

/// A column of a table whose cells are ids of another table's rows.
struct Reference {
  std::string column;
  std::string file;  ///< beside the table; empty: the same table
};
/// "author=people.csv" or "cites".
[[nodiscard]] Reference reference_of(std::string_view text);

/// What comes before the ids of a table among several: its file's name without extensions, and a slash.
[[nodiscard]] std::string id_prefix(const std::filesystem::path& table);

/// Without spaces and tabs at its ends.
[[nodiscard]] std::string_view trimmed(std::string_view text);
/// ASCII letters in lower case.
[[nodiscard]] std::string lower_case(std::string_view text);

/// Makes entities, attributes, relations and classes of the rows of one or more tables.
class EntityRows {
 public:
  EntityRows(const LoadOptions& options, GraphBuilder& builder);

  /// What a column is for.
  struct Column {
    enum class Use : std::uint8_t { id, attribute, relation, type } use = Use::attribute;
    std::string name;
    std::string prefix;     ///< of the ids that a relation's cells hold
    bool of_other = false;  ///< whether these are another table's
  };
  /// `prefix` is that of the table's own ids.
  [[nodiscard]] Column column(const std::string& name, const std::string& prefix) const;

  /// Begins a row; throws InputError where a row before had the same id.
  std::uint32_t row(const std::string& prefix, std::string_view id, const Place& place);
  /// A cell, perhaps with several values.
  void cell(std::uint32_t entity, const Column& column, std::string_view text, const Place& place);
  /// One value, which is not empty.
  void value(std::uint32_t entity, const Column& column, std::string_view text, const Place& place);

  /// Makes the relations to rows of other tables; returns how many ids are of no row, and the first of these.
  struct Missing {
    std::uint64_t count = 0;
    std::string first;
  };
  Missing relate();

 private:
  struct Pending {
    std::uint32_t head, relation, target;  // target: in targets_
  };

  const LoadOptions& options_;
  GraphBuilder& builder_;
  std::vector<Reference> references_;
  std::vector<bool> seen_;  // by entity: whether it has a row
  std::vector<Pending> pending_;
  StringTable targets_;
  StringIndex target_index_;
};

}  // namespace dovetail
