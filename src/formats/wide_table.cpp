#include "formats/wide_table.h"

#include <dovetail/errors.h>

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "common/text.h"
#include "formats/graph_reader.h"
#include "formats/name_limit.h"
#include "formats/table.h"
#include "graph/literal.h"

namespace dovetail {

namespace {

using Row = std::vector<std::string_view>;

std::string lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return out;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

std::optional<std::size_t> column_called(const std::vector<std::string>& header, std::string_view name) {
  for (std::size_t i = 0; i < header.size(); ++i) {
    if (lower(header[i]) == lower(name)) return i;
  }
  return std::nullopt;
}

/// The first column whose cells are all there and all different.
std::optional<std::size_t> distinct_column(const std::filesystem::path& path, char separator,
                                           std::size_t width, Observer& observer) {
  std::vector<std::unordered_set<std::string>> seen(width);
  std::vector<bool> distinct(width, true);
  TableReader table(path, separator, observer);
  Row row;
  bool header = true;
  while (table.next(row)) {
    for (std::size_t i = 0; !header && i < std::min(row.size(), width); ++i) {
      if (distinct[i]) distinct[i] = !is_empty_cell(row[i]) && seen[i].emplace(row[i]).second;
      if (!distinct[i]) seen[i].clear();
    }
    header = false;
  }
  const auto found = std::ranges::find(distinct, true);
  return found == distinct.end() ? std::nullopt
                                 : std::optional(static_cast<std::size_t>(found - distinct.begin()));
}

class WideTable {
 public:
  WideTable(const std::filesystem::path& path, char separator, const WideTableOptions& options,
            GraphBuilder& builder, Observer& observer)
      : table_(path, separator, observer), options_(options), builder_(builder) {
    Row row;
    if (!table_.next(row)) table_.fail("no line with content; expected a header");
    for (const std::string_view name : row) {
      check_name(table_.name(), table_.line(), name);
      header_.emplace_back(trimmed(name));
    }
    id_ = find_id(path, separator, observer);
    for (const std::string& relation : options.relation_columns) {
      if (!column_called(header_, relation)) fail_without("relation", relation);
    }
    observer.note(fmt::format("{}: a table of entities, {} columns; {}", path.filename().string(),
                              header_.size(),
                              id_ ? fmt::format("ids are in the column {}", shown(header_[*id_]))
                                  : std::string("ids are row numbers")));
  }

  void read() {
    Row row;
    for (std::uint64_t number = 1; table_.next(row); ++number) {
      if (row.size() != header_.size()) {
        table_.fail(fmt::format("found {} column{}; expected {} as in the header", row.size(),
                                plural(row.size()), header_.size()));
      }
      add(row, number);
    }
  }

 private:
  [[noreturn]] void fail_without(const char* role, const std::string& column) const {
    table_.fail(fmt::format("found no column {}; expected the {} column; the header has {}", shown(column),
                            role, fmt::join(header_, ", ")));
  }

  [[nodiscard]] std::optional<std::size_t> find_id(const std::filesystem::path& path, char separator,
                                                   Observer& observer) const {
    if (!options_.id_column.empty()) {
      const auto chosen = column_called(header_, options_.id_column);
      if (!chosen) fail_without("id", options_.id_column);
      return chosen;
    }
    if (const auto called = column_called(header_, "id")) return called;
    return distinct_column(path, separator, header_.size(), observer);
  }

  void add(const Row& row, std::uint64_t number) {
    const std::string row_number = id_ ? std::string() : fmt::format("{}", number);
    const std::string_view id = id_ ? trimmed(row[*id_]) : std::string_view(row_number);
    if (id.empty())
      table_.fail(fmt::format("the id is empty; expected one in the column {}", shown(header_[*id_])));
    check_name(table_.name(), table_.line(), id);
    if (!ids_.emplace(id).second) {
      table_.fail(
          fmt::format("found the id {} a second time; expected one row an entity; choose another column "
                      "with --id-column",
                      shown(id)));
    }
    const std::uint32_t entity = builder_.entity(id);
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (id_ && i == *id_) continue;
      for_each_value(row[i], [&](std::string_view value) { add_value(entity, header_[i], value); });
    }
  }

  template <typename Body>
  void for_each_value(std::string_view cell, const Body& body) const {
    const std::string& separator = options_.multi_value;
    while (true) {
      const std::size_t end = separator.empty() ? cell.npos : cell.find(separator);
      const std::string_view value = trimmed(cell.substr(0, end));
      if (!is_empty_cell(value)) body(value);
      if (end == cell.npos) return;
      cell.remove_prefix(end + separator.size());
    }
  }

  void add_value(std::uint32_t entity, const std::string& column, std::string_view value) {
    if (std::ranges::find(options_.relation_columns, column) != options_.relation_columns.end()) {
      check_name(table_.name(), table_.line(), value);
      builder_.triple(entity, builder_.relation(column), builder_.entity(value));
      return;
    }
    add_literal(builder_, entity, column, make_literal(value, "", ""), {table_.name(), table_.line()});
  }

  TableReader table_;
  const WideTableOptions& options_;
  GraphBuilder& builder_;
  std::vector<std::string> header_;
  std::optional<std::size_t> id_;
  std::unordered_set<std::string> ids_;
};

}  // namespace

bool is_empty_cell(std::string_view cell) {
  cell = trimmed(cell);
  if (cell.size() > 4) return false;
  const std::string small = lower(cell);
  return small.empty() || small == "null" || small == "n/a" || small == "-";
}

void read_wide_table(const std::filesystem::path& path, char separator, const WideTableOptions& options,
                     GraphBuilder& builder, Observer& observer) {
  WideTable(path, separator, options, builder, observer).read();
}

}  // namespace dovetail
