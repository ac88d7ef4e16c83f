#include "formats/table_shape.h"

#include <dovetail/observer.h>

#include <algorithm>
#include <limits>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "common/text.h"
#include "formats/format.h"
#include "formats/text_input.h"

namespace dovetail {

namespace {

constexpr std::size_t kLook = 1 << 16;
constexpr std::size_t kLines = 200;
// So many rows without a repetition tell three columns of a table from triples: surely, and rather.
constexpr std::size_t kEnough = 8, kSome = 3;

using Cells = std::vector<std::string>;

/// Fields, as TableReader cuts them if `quotes` are rightly said to count.
std::vector<Cells> rows_of(std::string_view text, char separator, bool quotes, bool cut) {
  std::vector<Cells> rows;
  Cells row(1);
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

bool same_width(const std::vector<Cells>& rows) {
  return std::ranges::all_of(rows, [&](const Cells& row) { return row.size() == rows[0].size(); });
}

bool is_number_or_empty(std::string_view text) {
  return text.empty() || is_number(text);
}

/// Whether the first line can name columns: names that are different, none of them a number, an IRI in
/// brackets or a literal. One may be empty: that of a row's number, as some programs write it.
bool names_columns(const Cells& first) {
  std::set<std::string_view> seen;
  const bool named = std::ranges::all_of(first, [&](const std::string& name) {
    return !is_number(name) && !name.starts_with('<') && !name.starts_with('"') && seen.insert(name).second;
  });
  return named && (first.size() > 1 || !first[0].empty());
}

/// Whether a column that the first line names has nothing but numbers below.
bool numbers_below(const std::vector<Cells>& rows) {
  for (std::size_t column = 0; rows.size() > 1 && column < rows[0].size(); ++column) {
    const auto cell = [&](const Cells& row) { return std::string_view(row[column]); };
    const bool numbers = std::ranges::all_of(rows.begin() + 1, rows.end(), is_number_or_empty, cell);
    const bool any = std::ranges::any_of(rows.begin() + 1, rows.end(), is_number, cell);
    if (numbers && any && !is_number(rows[0][column])) return true;
  }
  return false;
}

/// Whether a text has what most identifiers have and hardly a title.
bool like_identifier(std::string_view text) {
  return text.find_first_of("0123456789:/") != std::string_view::npos;
}

/// Whether the first line is a line of titles, whatever they are: numbers stand below words, or nothing in it
/// is like an identifier and everything below it is.
bool titled(const std::vector<Cells>& rows) {
  if (rows.size() < 2 || !names_columns(rows[0])) return false;
  if (std::ranges::any_of(rows[0], [](const std::string& title) {
        return title.find("://") != std::string::npos || title.starts_with("_:");
      })) {
    return false;
  }
  if (numbers_below(rows)) return true;
  const auto all_like = [](const Cells& row) { return std::ranges::all_of(row, like_identifier); };
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
bool names_triples(const Cells& first) {
  static const std::set<std::string> kHeads = {"head", "subject", "source",    "from",
                                               "h",    "s",       ":start_id", "node1"};
  static const std::set<std::string> kTails = {"tail", "object", "target",  "to",
                                               "t",    "o",      ":end_id", "node2"};
  const auto any = [&](const std::set<std::string>& names) {
    return std::ranges::any_of(first, [&](const std::string& name) { return names.contains(lower(name)); });
  };
  return any(kHeads) && any(kTails);
}

std::set<std::string_view> cells_of(const std::vector<Cells>& rows, std::size_t column, std::size_t from) {
  std::set<std::string_view> cells;
  for (std::size_t n = from; n < rows.size(); ++n) cells.insert(rows[n][column]);
  return cells;
}

/// Triples without a header go on as they begin: a head, a relation or a tail of the first line comes again,
/// or something is the tail of one line and the head of another.
bool goes_on_like_triples(const std::vector<Cells>& rows) {
  for (std::size_t column = 0; column < 3; ++column) {
    if (cells_of(rows, column, 1).contains(rows[0][column])) return true;
  }
  const std::set<std::string_view> heads = cells_of(rows, 0, 0), tails = cells_of(rows, 2, 0);
  return std::ranges::any_of(heads, [&](std::string_view head) { return tails.contains(head); });
}

/// What no file of triples has: an empty cell, nothing but numbers in a column, relations of several words.
bool looks_like_cells(const std::vector<Cells>& rows) {
  const auto below = std::span(rows).subspan(1);
  const bool empty = std::ranges::any_of(
      below, [](const Cells& row) { return row[0].empty() || row[1].empty() || row[2].empty(); });
  const auto several_words =
      std::ranges::count_if(below, [](const Cells& row) { return row[1].find(' ') != std::string::npos; });
  return empty || numbers_below(rows) || 2 * static_cast<std::size_t>(several_words) > below.size();
}

/// Three columns may be triples without a header. Of a file that was cut off, one line may be all there is to
/// see.
Likeness likeness_of(const std::vector<Cells>& rows, bool cut) {
  if (rows[0].size() < 2 || !names_columns(rows[0]) || names_triples(rows[0])) return Likeness::triples;
  if (rows.size() < 2 && (!cut || rows[0].size() == 3)) return Likeness::triples;
  if (rows[0].size() != 3) return Likeness::table;
  if (lower(rows[0][0]) == "id" || rows[0][0].empty()) return Likeness::table;
  if (goes_on_like_triples(rows)) return Likeness::triples;
  if (looks_like_cells(rows)) return Likeness::table;
  const std::size_t below = rows.size() - 1;
  const bool distinct = cells_of(rows, 0, 1).size() == below && 2 * cells_of(rows, 1, 1).size() > below;
  if (distinct && below >= kEnough) return Likeness::table;
  return distinct && below >= kSome ? Likeness::rather_table : Likeness::rather_triples;
}

}  // namespace

TableShape table_shape(std::string_view beginning, char usual) {
  const bool cut = beginning.size() >= kLook;
  TableShape best{usual, 1, false, Likeness::triples};
  for (const char separator : {usual, ',', ';', '\t', '|', '%', '#'}) {
    std::vector<Cells> rows = rows_of(beginning, separator, separator != '\t', cut);
    if (!rows.empty() && !same_width(rows)) rows = rows_of(beginning, separator, false, cut);
    if (rows.empty() || rows[0].size() <= best.columns || !same_width(rows)) continue;
    // What the format says is believed if it makes columns at all.
    if (separator != usual && best.columns > 1 && best.separator == usual) continue;
    best = {separator, rows[0].size(), titled(rows), likeness_of(rows, cut)};
  }
  return best;
}

TableShape table_shape_of(const std::filesystem::path& path, char usual) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return {usual, 1, false, Likeness::triples};
  class : public Observer {
  } quiet;
  TextInput input(path, quiet);
  std::string_view beginning = input.peek(kLook);
  if (std::ranges::count(beginning, '\n') < 2) {  // rows that are wide: what was read goes to the end of one
    beginning = input.peek(std::numeric_limits<std::size_t>::max());
  }
  return table_shape(beginning, usual);
}

}  // namespace dovetail
