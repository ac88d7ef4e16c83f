#include "formats/wide_table.h"

#include <dovetail/errors.h>

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>
#include <set>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "common/percent.h"
#include "common/text.h"
#include "formats/entity_rows.h"
#include "formats/format.h"
#include "formats/table.h"
#include "formats/table_shape.h"
#include "graph/naming.h"

namespace dovetail {

namespace {

namespace fs = std::filesystem;
using Row = std::vector<std::string_view>;

char usual_separator(Format format) {
  return format == Format::tsv ? '\t' : ',';
}

/// By name or else by number.
std::optional<std::size_t> chosen_column(const std::vector<std::string>& header, std::string_view chosen) {
  for (std::size_t i = 0; i < header.size(); ++i) {
    if (lower_case(header[i]) == lower_case(chosen)) return i;
  }
  const auto number = parse_number(chosen);
  for (std::size_t i = 0; number && i < header.size(); ++i) {
    if (*number == static_cast<double>(i + 1)) return i;
  }
  return std::nullopt;
}

/// A column whose cells are all there and all different, and whether they are words rather than codes.
struct DistinctColumn {
  std::size_t column;
  bool words;
};

bool is_of_words(std::string_view cell) {
  return cell.find(' ') != cell.npos;
}

/// The first one of a table.
std::optional<DistinctColumn> distinct_column(TableReader& table, bool header, std::size_t width) {
  std::vector<std::unordered_set<std::string>> seen(width);
  std::vector<bool> distinct(width, true);
  std::vector<std::size_t> words(width, 0);
  std::size_t rows = 0;
  Row row;
  if (header) (void)table.next(row);
  for (; table.next(row); ++rows) {
    for (std::size_t i = 0; i < std::min(row.size(), width); ++i) {
      if (!distinct[i]) continue;
      distinct[i] = !is_empty_cell(row[i]) && seen[i].emplace(row[i]).second;
      words[i] += is_of_words(row[i]) ? 1 : 0;
      if (!distinct[i]) seen[i].clear();
    }
  }
  const auto found = std::ranges::find(distinct, true);
  if (found == distinct.end()) return std::nullopt;
  const auto column = static_cast<std::size_t>(found - distinct.begin());
  return DistinctColumn{column, 2 * words[column] > rows};
}

/// One table among those that are read together.
class WideTable {
 public:
  WideTable(const fs::path& path, const LoadOptions& options, Side side, std::string prefix, EntityRows& rows,
            Observer& observer)
      : path_(path),
        separator_(table_shape_of(path, usual_separator(format_of(path, options))).separator),
        options_(options),
        prefix_(std::move(prefix)),
        rows_(rows),
        observer_(observer),
        table_(path, separator_, observer) {
    if (!table_.next(row_)) table_.fail("no line with content; expected a header");
    has_header_ = options.graph_table.header.value_or(true);
    for (std::size_t i = 0; i < row_.size(); ++i) {
      const std::string_view name = has_header_ ? trimmed(row_[i]) : std::string_view{};
      header_.push_back(name.empty() ? fmt::format("column {}", i + 1) : std::string(name));
      columns_.push_back(rows_.column(header_[i], prefix_));
    }
    find_id(side);
  }

  [[nodiscard]] std::string_view ids() const {
    return id_ ? std::string_view(header_[*id_]) : std::string_view{};
  }
  [[nodiscard]] std::size_t width() const { return header_.size(); }
  [[nodiscard]] bool has_column(std::string_view name) const {
    return std::ranges::any_of(header_,
                               [&](const std::string& own) { return lower_case(own) == lower_case(name); });
  }

  /// Hands each entity that a row makes to `each`.
  template <typename Each>
  void read(const Each& each) {
    std::uint64_t number = 1;
    for (bool more = !has_header_ || table_.next(row_); more; more = table_.next(row_), ++number) {
      if (row_.size() != header_.size()) {
        table_.fail(fmt::format(
            "found {} column{}; expected {} as in the {}; if these are triples, say "
            "--form triples",
            row_.size(), plural(row_.size()), header_.size(), has_header_ ? "header" : "first row"));
      }
      each(add(number));
    }
  }

 private:
  static Format format_of(const fs::path& path, const LoadOptions& options) {
    return options.graph_format == Format::automatic ? recognise_graph(path) : options.graph_format;
  }

  void find_id(Side side) {
    const std::vector<std::string>& chosen = options_.wide_table.id_columns;
    if (!chosen.empty()) {
      const std::string& name = side == Side::right && chosen.size() > 1 ? chosen[1] : chosen[0];
      id_ = chosen_column(header_, name);
      // Of several tables, one may do without the column that was chosen for others.
      if (!id_ && prefix_.empty()) {
        table_.fail(fmt::format("found no column {}; expected the id column; the header has {}", shown(name),
                                fmt::join(header_, ", ")));
      }
    }
    if (!id_) id_ = chosen_column(header_, "id");
    if (!id_ && !is_pipe(path_)) {
      TableReader again(path_, separator_, observer_);
      if (const auto found = distinct_column(again, has_header_, header_.size())) {
        id_ = found->column;
        if (found->words) return;  // a title, which is evidence as well
      }
    }
    if (id_) columns_[*id_].use = EntityRows::Column::Use::id;
  }

  std::uint32_t add(std::uint64_t number) {
    const std::string row_number = id_ ? std::string() : fmt::format("{}", number);
    const std::string_view id = id_ ? trimmed(row_[*id_]) : std::string_view(row_number);
    if (id.empty()) {
      table_.fail(
          fmt::format("the id is empty; expected one in the column {}; choose another column with "
                      "--id-column",
                      shown(header_[*id_])));
    }
    const Place place = {table_.name(), table_.line()};
    const std::uint32_t entity = rows_.row(prefix_, id, place);
    for (std::size_t i = 0; i < row_.size(); ++i) rows_.cell(entity, columns_[i], row_[i], place);
    return entity;
  }

  const fs::path& path_;
  char separator_;
  const LoadOptions& options_;
  std::string prefix_;
  EntityRows& rows_;
  Observer& observer_;
  TableReader table_;
  Row row_;  // the first one, until read()
  bool has_header_ = true;
  std::vector<std::string> header_;
  std::vector<EntityRows::Column> columns_;
  std::optional<std::size_t> id_;
};

/// Tables that are read together; what they refer to is found on the way.
class TableSet {
 public:
  TableSet(const LoadOptions& options, Side side, GraphBuilder& builder, Observer& observer)
      : options_(options), side_(side), builder_(builder), observer_(observer), rows_(options, builder) {}

  void add(const fs::path& path, std::string prefix) {
    if (known_.insert(path.filename().string()).second) waiting_.push_back({path, std::move(prefix)});
  }

  /// `classes`: each table's name is the class of its rows.
  void read(bool classes) {
    for (std::size_t n = 0; n < waiting_.size(); ++n) read_one(waiting_[n], classes);
    if (const EntityRows::Missing missing = rows_.relate(); missing.count > 0) {
      observer_.warning(fmt::format("{}: {} id{} of other tables {} no row there, the first {}; left out",
                                    waiting_[0].path.string(), with_commas(missing.count),
                                    plural(missing.count), missing.count == 1 ? "has" : "have",
                                    shown(missing.first)));
    }
  }

 private:
  struct Waiting {
    fs::path path;
    std::string prefix;
  };

  void read_one(const Waiting given, bool classes) {  // a copy, for the list grows
    WideTable table(given.path, options_, side_, given.prefix, rows_, observer_);
    for (const std::string& text : options_.wide_table.relation_columns) {
      const Reference reference = reference_of(text);
      if (reference.file.empty() || !table.has_column(reference.column)) continue;
      const fs::path other = given.path.parent_path() / reference.file;
      if (!fs::is_regular_file(other)) {
        throw InputError(other.string(), 0,
                         fmt::format("there is no such table; expected the rows that the column {} of {} "
                                     "refers to",
                                     shown(reference.column), given.path.filename().string()));
      }
      add(other, id_prefix(reference.file));
    }
    observer_.note(fmt::format(
        "{}: a table, one row an entity, {} columns; {}", given.path.filename().string(), table.width(),
        table.ids().empty() ? std::string("ids are row numbers")
                            : fmt::format("ids are in the column {}", shown(table.ids()))));
    const std::string name = given.prefix.substr(0, given.prefix.find('/'));
    table.read([&](std::uint32_t entity) {
      if (classes && !options_.types_as_entities) builder_.type(entity, name);
    });
  }

  const LoadOptions& options_;
  Side side_;
  GraphBuilder& builder_;
  Observer& observer_;
  EntityRows rows_;
  std::vector<Waiting> waiting_;
  std::set<std::string> known_;  // by file name
};

/// Makes an IRI's beginning of a file's name.
std::string default_prefix(const fs::path& path, Side side) {
  const std::string stem = id_prefix(path.filename().empty() ? path.parent_path() : path);
  std::string prefix = side == Side::left ? "urn:dovetail:left:" : "urn:dovetail:right:";
  append_percent_encoded(prefix, stem, "<>\"{}|^`\\%?#");
  return prefix;
}

}  // namespace

void set_iri_prefix(const fs::path& path, const LoadOptions& options, Side side, GraphBuilder& builder) {
  const std::vector<std::string>& given = options.wide_table.iri_prefixes;
  builder.set_iri_prefix(given.size() == 2 ? given[side == Side::left ? 0 : 1] : default_prefix(path, side));
}

bool is_wide_table(const fs::path& path, Format format, const LoadOptions& options, Observer& observer) {
  const TableForm form = options.wide_table.form;
  if (form != TableForm::automatic) return form == TableForm::table;
  if (!options.graph_table.columns.empty()) return false;  // of head, relation and tail
  const TableShape shape = table_shape_of(path, usual_separator(format));
  if (options.graph_table.header == false) return shape.columns == 2 || shape.columns > 3;
  const std::string name = path.filename().string();
  if (shape.likeness == Likeness::rather_triples) {
    observer.note(
        fmt::format("{}: triples (head, relation, tail), it seems; for a table with a header, say "
                    "--form table",
                    name));
  } else if (shape.likeness == Likeness::rather_table) {
    observer.note(fmt::format(
        "{}: a table with a header, it seems; for head, relation, tail, say --form triples", name));
  }
  return is_wide(shape.likeness);
}

void read_wide_table(const fs::path& path, const LoadOptions& options, Side side, GraphBuilder& builder,
                     Observer& observer) {
  set_iri_prefix(path, options, side, builder);
  TableSet tables(options, side, builder, observer);
  tables.add(path, "");
  tables.read(false);
}

void read_table_folder(const fs::path& folder, const LoadOptions& options, Side side, GraphBuilder& builder,
                       Observer& observer) {
  static const std::set<std::string> kTables = {".csv", ".tsv", ".tab"};
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.is_regular_file() && kTables.contains(bare_extension(entry.path())))
      found.push_back(entry.path());
  }
  if (found.empty()) {
    throw InputError(folder.string(), 0,
                     "found no table in this folder; expected files *.csv or *.tsv with one row an entity");
  }
  std::ranges::sort(found);
  set_iri_prefix(folder, options, side, builder);
  TableSet tables(options, side, builder, observer);
  for (const fs::path& path : found) tables.add(path, found.size() > 1 ? id_prefix(path) : "");
  tables.read(found.size() > 1);
}

void check_table_options(const LoadOptions& options, const std::array<const KnowledgeGraph*, 2>& graphs) {
  const WideTableOptions& wide = options.wide_table;
  const auto any = [&](const auto& holds) {
    return std::ranges::any_of(graphs, [&](const KnowledgeGraph* graph) { return graph && holds(*graph); });
  };
  const bool tables = any([](const KnowledgeGraph& graph) { return !iri_prefix(graph).empty(); });
  for (const auto& [given, option] : {std::pair(!wide.id_columns.empty(), "--id-column"),
                                      {!wide.multi_value.empty(), "--multi-value"},
                                      {!wide.relation_columns.empty(), "--relation-column"},
                                      {!wide.iri_prefixes.empty(), "--iri-prefix"}}) {
    if (!given || tables) continue;
    throw ParameterError(fmt::format(
        "{} is for tables with one row an entity; none was read; to read a file as one, say --form table",
        option));
  }
  for (const std::string& text : wide.relation_columns) {
    const std::string column = lower_case(reference_of(text).column);
    const bool found = any([&](const KnowledgeGraph& graph) {
      for (RelationId r = 0; r < graph.relation_count(); ++r) {
        if (lower_case(graph.relation(r)) == column) return true;
      }
      return false;
    });
    if (found) continue;
    throw ParameterError(fmt::format(
        "found no column {} in any table; expected the one that --relation-column names", shown(column)));
  }
}

}  // namespace dovetail
