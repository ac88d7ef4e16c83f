#pragma once

#include <dovetail/io.h>
#include <dovetail/observer.h>

#include <array>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/text_input.h"

namespace dovetail {

/// The rows of a TSV or CSV file. In CSV a field may be quoted ("a ""b"", c") and then hold commas and line
/// ends; TSV knows no quotes; between other separators than these and semicolons a quotation mark that does
/// not close before one is a plain character. Empty lines are passed over.
class TableReader {
 public:
  TableReader(const std::filesystem::path& path, char separator, Observer& observer);

  /// The next row; the views are valid until the next call. False at the end.
  bool next(std::vector<std::string_view>& fields);
  /// Where the row that next() gave last begins.
  [[nodiscard]] std::uint64_t line() const { return row_line_; }
  [[noreturn]] void fail(const std::string& problem) const { input_.fail(row_line_, problem); }
  [[nodiscard]] const std::string& name() const { return input_.name(); }

 private:
  /// Reads one row at the front of rest_; false if the block ends within a quoted field.
  bool parse_row(std::vector<std::string_view>& fields);
  /// Whether the quotation mark at `at` begins a quoted field: between bars and the like it may be a plain
  /// character, as in 5" bolts.
  [[nodiscard]] bool closes_quote(std::size_t at) const;
  bool parse_quoted(std::size_t& at, std::string_view& field);

  TextInput input_;
  char separator_;
  std::string_view rest_;
  std::uint64_t line_ = 1;
  std::uint64_t row_line_ = 1;
  std::deque<std::string> unquoted_;  // the fields of the current row that held quotes; views of them stay
};

/// A column that a table of some kind has, with the names it goes by in headers.
struct ColumnRole {
  const char* name;
  std::vector<std::string_view> synonyms;
  bool optional = false;
};

/// Whether two names of columns are the same but for the case of their letters.
[[nodiscard]] bool same_name(std::string_view a, std::string_view b);

/// Finds the columns of the given roles. `first_row` is the file's first row; `is_header` says afterwards
/// whether it was a header and so is no data. A role that is optional and not there gets no number.
[[nodiscard]] std::vector<std::optional<std::size_t>> find_columns(
    const TableReader& table, std::span<const std::string_view> first_row, const TableOptions& options,
    std::span<const ColumnRole> roles, bool& is_header);

}  // namespace dovetail
