#include "formats/entity_rows.h"

#include <dovetail/errors.h>

#include <algorithm>
#include <fmt/format.h>

#include "common/text.h"
#include "formats/format.h"
#include "formats/name_limit.h"
#include "formats/wide_table.h"
#include "graph/literal.h"

namespace dovetail {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

std::string lower_case(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return out;
}

Reference reference_of(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == text.npos) return {std::string(text), {}};
  return {std::string(text.substr(0, equals)), std::string(text.substr(equals + 1))};
}

std::string id_prefix(const std::filesystem::path& table) {
  std::string name = table.filename().string();
  return name.substr(0, name.find('.')) + "/";
}

bool is_empty_cell(std::string_view cell) {
  cell = trimmed(cell);
  if (cell.size() > 4) return false;
  const std::string small = lower_case(cell);
  return small.empty() || small == "null" || small == "n/a" || small == "-";
}

EntityRows::EntityRows(const LoadOptions& options, GraphBuilder& builder)
    : options_(options), builder_(builder) {
  for (const std::string& text : options.wide_table.relation_columns) {
    references_.push_back(reference_of(text));
  }
}

EntityRows::Column EntityRows::column(const std::string& name, const std::string& prefix) const {
  Column column;
  column.name = name;
  const std::string small = lower_case(name);
  for (const Reference& reference : references_) {
    if (lower_case(reference.column) != small) continue;
    column.use = Column::Use::relation;
    column.of_other = !reference.file.empty();
    column.prefix = column.of_other ? id_prefix(reference.file) : prefix;
    (void)builder_.relation(name);  // so that the column is known to be there
    return column;
  }
  if (!options_.types_as_entities && small == "type") column.use = Column::Use::type;
  return column;
}

std::uint32_t EntityRows::row(const std::string& prefix, std::string_view id, const Place& place) {
  check_name(place.file, place.line, id);
  const std::uint32_t entity = builder_.entity(prefix.empty() ? std::string(id) : prefix + std::string(id));
  if (seen_.size() <= entity) seen_.resize(entity + std::size_t{1}, false);
  if (seen_[entity]) {
    throw InputError(std::string(place.file), place.line,
                     fmt::format("found the id {} a second time; expected one row an entity; choose another "
                                 "column with --id-column, or read it as triples with --form triples",
                                 shown(id)));
  }
  seen_[entity] = true;
  return entity;
}

void EntityRows::cell(std::uint32_t entity, const Column& column, std::string_view text, const Place& place) {
  const std::string& separator = options_.wide_table.multi_value;
  while (true) {
    const std::size_t end = separator.empty() ? text.npos : text.find(separator);
    const std::string_view one = trimmed(text.substr(0, end));
    if (!is_empty_cell(one)) value(entity, column, one, place);
    if (end == text.npos) return;
    text.remove_prefix(end + separator.size());
  }
}

void EntityRows::value(std::uint32_t entity, const Column& column, std::string_view text,
                       const Place& place) {
  if (column.use == Column::Use::id) return;
  if (column.use == Column::Use::relation) {
    check_name(place.file, place.line, text);
    const std::uint32_t relation = builder_.relation(column.name);
    if (column.of_other) {
      pending_.push_back(
          {entity, relation, target_index_.find_or_append(targets_, column.prefix + std::string(text))});
    } else {
      builder_.triple(entity, relation, builder_.entity(column.prefix + std::string(text)));
    }
    return;
  }
  if (column.use == Column::Use::type) builder_.type(entity, text);
  add_literal(builder_, entity, column.name, make_literal(text, "", ""), place);
}

EntityRows::Missing EntityRows::relate() {
  Missing missing;
  for (const Pending& one : pending_) {
    const auto tail = builder_.find(targets_[one.target]);
    if (tail && *tail < seen_.size() && seen_[*tail]) {
      builder_.triple(one.head, one.relation, *tail);
    } else if (missing.count++ == 0) {
      missing.first = targets_[one.target];
    }
  }
  pending_.clear();
  return missing;
}

}  // namespace dovetail
