#include "formats/table_shape.h"

#include <dovetail/errors.h>
#include <dovetail/observer.h>

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <set>
#include <string>
#include <vector>

#include "common/text.h"
#include "formats/byte_source.h"
#include "formats/format.h"
#include "formats/text_input.h"

namespace dovetail {

namespace {

constexpr std::size_t kLook = 1 << 16;
constexpr std::size_t kLines = 200;
constexpr std::size_t kEnough = 8;  // rows that tell three columns of a table from triples by repetitions

using Row = std::vector<std::string>;

/// Fields, as TableReader cuts them if `quotes` are rightly said to count.
std::vector<Row> rows_of(std::string_view text, char separator, bool quotes, bool cut) {
  std::vector<Row> rows;
  Row row(1);
  bool quoted = false;
  for (std::size_t i = 0; i < text.size() && rows.size() < kLines; ++i) {
    const char c = text[i];
    if (quotes && c == '"' && (quoted || row.back().empty())) {
      quoted = !quoted;
    } else if (!quoted && c == separator) {
      row.emplace_back();
    } else if (!quoted && c == '\n') {
      if (row.back().ends_with('\r')) row.back().pop_back();
      if (row.size() > 1 || !row[0].empty()) rows.push_back(std::move(row));
      row.assign(1, {});
    } else {
      row.back() += c;
    }
  }
  // The last line of a part of a file is a part of a line.
  if (!cut && rows.size() < kLines && (row.size() > 1 || !row[0].empty())) rows.push_back(std::move(row));
  return rows;
}

bool is_number(std::string_view text) {
  return parse_number(text).has_value();
}

bool same_width(const std::vector<Row>& rows) {
  return std::ranges::all_of(rows, [&](const Row& row) { return row.size() == rows[0].size(); });
}

/// Whether the first line can name columns: all names there, different, none of them a number, an IRI in
/// brackets or a literal.
bool names_columns(const Row& first) {
  std::set<std::string_view> seen;
  return std::ranges::all_of(first, [&](const std::string& name) {
    return !name.empty() && !is_number(name) && name[0] != '<' && name[0] != '"' && seen.insert(name).second;
  });
}

bool numbers_below(const std::vector<Row>& rows) {
  for (std::size_t column = 0; rows.size() > 1 && column < rows[0].size(); ++column) {
    const bool all = std::ranges::all_of(rows.begin() + 1, rows.end(), [&](const Row& row) {
      return column < row.size() && is_number(row[column]);
    });
    if (all && !is_number(rows[0][column])) return true;
  }
  return false;
}

/// Whether a text has what most identifiers have and hardly a title.
bool like_identifier(std::string_view text) {
  return text.find_first_of("0123456789:/") != std::string_view::npos;
}

/// Whether the first line is a line of titles, whatever they are: numbers stand below words, or nothing in it
/// is like an identifier and everything below it is.
bool titled(const std::vector<Row>& rows) {
  if (rows.size() < 2 || !names_columns(rows[0])) return false;
  if (std::ranges::any_of(rows[0], [](const std::string& title) {
        return title.find("://") != std::string::npos || title.starts_with("_:");
      })) {
    return false;
  }
  if (numbers_below(rows)) return true;
  const auto all_like = [](const Row& row) { return std::ranges::all_of(row, like_identifier); };
  return std::ranges::none_of(rows[0], like_identifier) && rows.size() > 2 &&
         std::ranges::all_of(rows.begin() + 1, rows.end(), all_like);
}

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return text;
}

/// A header of triples says so: see graph_reader's names of columns. `type` and `label` are too common in
/// tables to count.
bool names_triples(const Row& first) {
  static const std::set<std::string> kHeads = {"head", "subject", "source",    "from",
                                               "h",    "s",       ":start_id", "node1"};
  static const std::set<std::string> kTails = {"tail", "object", "target",  "to",
                                               "t",    "o",      ":end_id", "node2"};
  const auto any = [&](const std::set<std::string>& names) {
    return std::ranges::any_of(first, [&](const std::string& name) { return names.contains(lower(name)); });
  };
  return any(kHeads) && any(kTails);
}

std::size_t different(const std::vector<Row>& rows, std::size_t column) {
  std::set<std::string_view> seen;
  for (std::size_t n = 1; n < rows.size(); ++n) seen.insert(rows[n][column]);
  return seen.size();
}

/// Three columns may be triples without a header: then the one in the middle has the same few relations again
/// and again, or an entity has several rows.
bool is_wide(const std::vector<Row>& rows) {
  if (rows.size() < 2 || rows[0].size() < 2 || !names_columns(rows[0]) || names_triples(rows[0]))
    return false;
  if (rows[0].size() != 3) return true;
  if (lower(rows[0][0]) == "id" || numbers_below(rows)) return true;
  const std::size_t below = rows.size() - 1;
  return below >= kEnough && different(rows, 0) == below && 2 * different(rows, 1) > below;
}

}  // namespace

void refuse_utf16(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return;
  ByteSource source(path);
  std::array<char, 2> first{};
  if (source.read(first) < 2) return;
  const bool little = first[0] == '\xFF' && first[1] == '\xFE',
             big = first[0] == '\xFE' && first[1] == '\xFF';
  if (!little && !big) return;
  throw InputError(
      path.string(), 1,
      fmt::format("found UTF-16; expected UTF-8; convert it: iconv -f UTF-16 -t UTF-8 {} > utf8.csv",
                  path.string()));
}

TableShape table_shape(std::string_view beginning, char usual) {
  const bool cut = beginning.size() >= kLook;
  TableShape best{usual, 1, false, false};
  for (const char separator : {usual, ',', ';', '\t', '|', '%', '#'}) {
    std::vector<Row> rows = rows_of(beginning, separator, separator != '\t', cut);
    if (!rows.empty() && !same_width(rows)) rows = rows_of(beginning, separator, false, cut);
    if (rows.empty() || rows[0].size() <= best.columns || !same_width(rows)) continue;
    // What the format says is believed if it makes columns at all.
    if (separator != usual && best.columns > 1 && best.separator == usual) continue;
    best = {separator, rows[0].size(), titled(rows), is_wide(rows)};
  }
  return best;
}

TableShape table_shape_of(const std::filesystem::path& path, char usual) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return {usual, 1, false, false};
  class : public Observer {
  } quiet;
  TextInput input(path, quiet);
  return table_shape(input.peek(kLook), usual);
}

}  // namespace dovetail
