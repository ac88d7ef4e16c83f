#include "formats/table.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <fmt/format.h>

#include "common/text.h"

namespace dovetail {

TableReader::TableReader(const std::filesystem::path& path, char separator, Observer& observer)
    : input_(path, observer, TextInput::Marks::of_file), separator_(separator) {}

bool TableReader::next(std::vector<std::string_view>& fields) {
  while (true) {
    if (rest_.empty()) {
      if (!input_.next_block(rest_)) return false;
      line_ = input_.block_line();
    }
    row_line_ = line_;
    // Where files were put together, a row may begin with a mark.
    while (rest_.starts_with(kByteOrderMark)) rest_.remove_prefix(kByteOrderMark.size());
    if (rest_.empty()) continue;
    while (!parse_row(fields)) {
      if (!input_.next_block(rest_, rest_.size())) {
        input_.fail(row_line_, "a field begins with a quotation mark that is never closed; expected \"...\"");
      }
    }
    const bool blank = fields.size() == 1 && fields[0].empty();
    if (!blank) return true;
  }
}

bool TableReader::parse_row(std::vector<std::string_view>& fields) {
  fields.clear();
  unquoted_.clear();
  std::size_t at = 0;
  while (true) {
    std::string_view field;
    const bool quoted = at < rest_.size() && rest_[at] == '"';
    if (quoted && (separator_ == ',' || separator_ == ';')) {
      if (!parse_quoted(at, field)) return false;
    } else if (quoted && separator_ != '\t' && closes_quote(at)) {
      (void)parse_quoted(at, field);
    } else {
      const std::size_t begin = at;
      while (at < rest_.size() && rest_[at] != separator_ && rest_[at] != '\n') ++at;
      field = rest_.substr(begin, at - begin);
    }
    const bool last = at >= rest_.size() || rest_[at] == '\n';
    if (last && field.ends_with('\r')) field.remove_suffix(1);
    fields.push_back(field);
    if (last) break;
    ++at;
  }
  at = std::min(at + 1, rest_.size());
  line_ += static_cast<std::uint64_t>(
      std::count(rest_.begin(), rest_.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
  rest_.remove_prefix(at);
  return true;
}

bool TableReader::closes_quote(std::size_t at) const {
  for (at = rest_.find('"', at + 1); at != std::string_view::npos; at = rest_.find('"', at + 2)) {
    if (at + 1 >= rest_.size() || rest_[at + 1] != '"') break;
  }
  if (at == std::string_view::npos) return false;
  at += at + 1 < rest_.size() && rest_[at + 1] == '\r' ? 2 : 1;
  return at >= rest_.size() || rest_[at] == separator_ || rest_[at] == '\n';
}

bool TableReader::parse_quoted(std::size_t& at, std::string_view& field) {
  const std::size_t begin = ++at;
  bool doubled = false;
  while (true) {
    at = rest_.find('"', at);
    if (at == std::string_view::npos) return false;
    if (at + 1 >= rest_.size() || rest_[at + 1] != '"') break;
    doubled = true;
    at += 2;
  }
  field = rest_.substr(begin, at - begin);
  ++at;
  if (at < rest_.size() && rest_[at] == '\r') ++at;
  if (at < rest_.size() && rest_[at] != separator_ && rest_[at] != '\n') {
    const auto line =
        row_line_ + static_cast<std::uint64_t>(std::count(rest_.data(), rest_.data() + at, '\n'));
    input_.fail(
        line, fmt::format("found {} after a closing quotation mark; expected a comma or the end of the line",
                          shown(rest_.substr(at, 10))));
  }
  if (doubled) {
    std::string& text = unquoted_.emplace_back();
    for (std::size_t i = 0; i < field.size(); ++i) {
      text += field[i];
      if (field[i] == '"') ++i;
    }
    field = text;
  }
  return true;
}

bool same_name(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

namespace {

/// The column of a header that bears one of the role's names; earlier names come first.
std::optional<std::size_t> named_column(std::span<const std::string_view> header, const ColumnRole& role) {
  for (const std::string_view name : role.synonyms) {
    for (std::size_t i = 0; i < header.size(); ++i) {
      if (same_name(header[i], name)) return i;
    }
  }
  return std::nullopt;
}

std::optional<std::size_t> column_number(std::string_view text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number == 0) return std::nullopt;
  return number - 1;
}

std::size_t chosen_column(const TableReader& table, std::span<const std::string_view> first_row,
                          const std::string& column) {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < first_row.size(); ++i) {
    if (same_name(first_row[i], column)) found = i;
  }
  if (!found) found = column_number(column);
  if (!found || *found >= first_row.size()) {
    table.fail(fmt::format("found {} columns, none called or numbered {}; expected one", first_row.size(),
                           shown(column)));
  }
  return *found;
}

}  // namespace

std::vector<std::optional<std::size_t>> find_columns(const TableReader& table,
                                                     std::span<const std::string_view> first_row,
                                                     const TableOptions& options,
                                                     std::span<const ColumnRole> roles, bool& is_header) {
  std::vector<std::optional<std::size_t>> columns;
  std::size_t named = 0;
  std::size_t required = 0;
  for (const ColumnRole& role : roles) {
    columns.push_back(named_column(first_row, role));
    required += role.optional ? 0 : 1;
    named += !role.optional && columns.back() ? 1 : 0;
  }
  is_header = options.header.value_or(named == required);
  if (!options.columns.empty()) {
    if (options.columns.size() < required || options.columns.size() > roles.size()) {
      table.fail(fmt::format("{} columns were chosen; expected {}", options.columns.size(), required));
    }
    for (std::size_t i = 0; i < columns.size(); ++i) {
      columns[i] = i < options.columns.size()
                       ? std::optional(chosen_column(table, first_row, options.columns[i]))
                       : std::nullopt;
    }
    for (std::size_t i = 1; i < options.columns.size(); ++i) {
      const auto before = std::span(columns).first(i);
      if (std::ranges::find(before, columns[i]) == before.end()) continue;
      table.fail(
          fmt::format("column {} was chosen twice; expected {} different ones", *columns[i] + 1, required));
    }
    // Columns chosen by name can only come from a header.
    const bool by_name = std::any_of(options.columns.begin(), options.columns.end(),
                                     [](const std::string& column) { return !column_number(column); });
    if (by_name && !options.header) is_header = true;
  } else if (named < required) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      columns[i] = i < first_row.size() || !roles[i].optional ? std::optional(i) : std::nullopt;
    }
  }
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i] && *columns[i] >= first_row.size()) {
      table.fail(fmt::format(
          "found {} column{}; expected {}{}", first_row.size(), plural(first_row.size()), required,
          required == 3 ? " (head, relation, tail); if a row is an entity, say --form table"
                        : " (left, right) and perhaps a score"));
    }
  }
  return columns;
}

}  // namespace dovetail
