#include "formats/graph_reader.h"

#include <array>
#include <fmt/format.h>
#include <string>
#include <utility>
#include <vector>

#include "common/text.h"
#include "formats/format.h"
#include "formats/format_table.h"
#include "formats/name_limit.h"
#include "formats/rdf.h"
#include "formats/table.h"
#include "formats/table_shape.h"
#include "formats/wide_table.h"
#include "graph/literal.h"

namespace dovetail {

namespace {

/// Adds the label that a literal may be.
void add_label(GraphBuilder& builder, std::uint32_t entity, std::string_view predicate,
               std::string_view value, const Place& place) {
  if (const auto preference = builder.preference_of(predicate)) {
    const std::string name = split_literal(value).text;
    check_name(place.file, place.line, name);
    builder.label(entity, name, *preference);
  }
}

}  // namespace

void add_literal(GraphBuilder& builder, std::uint32_t entity, std::string_view predicate,
                 std::string_view value, const Place& place) {
  builder.literal(entity, predicate, value);
  add_label(builder, entity, predicate, value, place);
}

namespace {

/// Remembers the last string and its number: files are mostly grouped by subject, and a comparison is far
/// cheaper than a look-up.
class LastSeen {
 public:
  template <typename Lookup>
  std::uint32_t number(std::string_view text, const Lookup& lookup) {
    if (text != text_ || number_ == kNone) {
      text_ = text;
      number_ = lookup(text);
    }
    return number_;
  }

 private:
  std::string text_;
  std::uint32_t number_ = kNone;
};

constexpr std::string_view kRdfType = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type";

/// Tables have IRIs with brackets, too, and prefixed names.
bool is_rdf_type(std::string_view relation) {
  if (relation.starts_with('<') && relation.ends_with('>'))
    relation = relation.substr(1, relation.size() - 2);
  return relation == kRdfType || relation == "rdf:type";
}

class GraphFromRdf : public RdfHandler {
 public:
  GraphFromRdf(std::string file, bool types_as_entities, GraphBuilder& builder)
      : file_(std::move(file)), types_as_entities_(types_as_entities), builder_(builder) {}

  void statements(std::span<const RdfStatement> batch) override {
    // All look-ups of a batch at once; a subject that repeats the one before is looked up once.
    texts_.clear();
    values_.clear();
    std::string_view subject = last_subject_;
    for (const RdfStatement& statement : batch) {
      check_names(statement);
      if (statement.subject != subject) texts_.push_back(subject = statement.subject);
      if (statement.literal) {
        values_.push_back(statement.object);
      } else if (!says_type(statement)) {
        texts_.push_back(statement.object);
      }
    }
    numbers_.resize(texts_.size());
    builder_.entities(texts_, numbers_.data());
    value_numbers_.resize(values_.size());
    builder_.literal_values(values_, value_numbers_.data());
    subject = last_subject_;
    std::size_t next = 0, next_value = 0;
    for (const RdfStatement& statement : batch) {
      if (statement.subject != subject) {
        subject = statement.subject;
        last_number_ = numbers_[next++];
      }
      if (statement.literal) {
        builder_.literal(last_number_, builder_.attribute(statement.predicate), value_numbers_[next_value++]);
        add_label(builder_, last_number_, statement.predicate, statement.object, {file_, statement.line});
        continue;
      }
      if (says_type(statement)) {
        builder_.type(last_number_, statement.object);
        continue;
      }
      const std::uint32_t relation = relation_.number(
          statement.predicate, [&](std::string_view text) { return builder_.relation(text); });
      builder_.triple(last_number_, relation, numbers_[next++]);
    }
    last_subject_ = subject;
  }

 private:
  [[nodiscard]] bool says_type(const RdfStatement& statement) const {
    return !types_as_entities_ && statement.predicate == kRdfType;
  }

  void check_names(const RdfStatement& statement) const {
    check_name(file_, statement.line, statement.subject);
    check_name(file_, statement.line, statement.predicate);
    if (!statement.literal) check_name(file_, statement.line, statement.object);
  }

  std::string file_;
  bool types_as_entities_;
  GraphBuilder& builder_;
  std::vector<std::string_view> texts_;
  std::vector<std::uint32_t> numbers_;
  std::vector<std::string_view> values_;
  std::vector<std::uint32_t> value_numbers_;
  std::string last_subject_;  // of the batch before; no subject is empty
  std::uint32_t last_number_ = kNone;
  LastSeen relation_;
};

void read_table_graph(const std::filesystem::path& path, char separator, const LoadOptions& load,
                      GraphBuilder& builder, Observer& observer) {
  const TableOptions& options = load.graph_table;
  static const std::array<ColumnRole, 3> kRoles = {
      {{"head", {"head", "subject", "source", "from", "h", "s", "start", ":START_ID", "node1"}},
       {"relation", {"relation", "predicate", "property", "type", "label", "r", "p", "rel", ":TYPE"}},
       {"tail", {"tail", "object", "target", "to", "t", "o", "end", ":END_ID", "node2"}}}};
  TableReader table(path, separator, observer);
  std::vector<std::string_view> row;
  if (!table.next(row)) table.fail("no line with content; expected head, relation, tail");
  bool is_header = false;
  const auto columns = find_columns(table, row, options, kRoles, is_header);
  if (!is_header && options.columns.empty() && row.size() != kRoles.size()) {
    table.fail(
        fmt::format("found {} columns; expected 3 (head, relation, tail); if they are among these, choose "
                    "them by number or give the file a header; if a row is an entity, say --form table",
                    row.size()));
  }
  const std::size_t width = row.size();
  LastSeen head;
  LastSeen relation;
  for (bool more = !is_header || table.next(row); more; more = table.next(row)) {
    if (row.size() != width) {
      table.fail(
          fmt::format("found {} column{}; expected {} as in the first line; if a row is an entity, say "
                      "--form table",
                      row.size(), plural(row.size()), width));
    }
    const std::string_view tail = row[*columns[2]];
    const bool literal = is_literal(tail);  // in quotes that survived the table's own quoting
    for (std::size_t i = 0; i < 3; ++i) {
      if (row[*columns[i]].empty())
        table.fail(fmt::format("the {} is empty; expected a name; if a row is an entity, say --form table",
                               kRoles[i].name));
      if (i < 2 || !literal) check_name(table.name(), table.line(), row[*columns[i]]);
    }
    const std::uint32_t h = head.number(row[*columns[0]], [&](auto text) { return builder.entity(text); });
    if (literal) {
      add_literal(builder, h, row[*columns[1]], tail, {table.name(), table.line()});
      continue;
    }
    if (!load.types_as_entities && is_rdf_type(row[*columns[1]])) {
      builder.type(h, tail);
      continue;
    }
    const std::uint32_t r =
        relation.number(row[*columns[1]], [&](auto text) { return builder.relation(text); });
    builder.triple(h, r, builder.entity(tail));
  }
}

}  // namespace

void read_graph(const std::filesystem::path& path, const LoadOptions& options, Side side,
                GraphBuilder& builder, Observer& observer) {
  builder.keep_literals(options.keep_literals);
  builder.set_name_properties(options.name_properties);
  if (std::filesystem::is_directory(path)) {
    read_table_folder(path, options, side, builder, observer);
    return;
  }
  const Format format =
      options.graph_format == Format::automatic ? recognise_graph(path) : options.graph_format;
  const FormatEntry& entry = format_entry(format);
  if (entry.read_rdf == nullptr && entry.read_graph != nullptr) {
    entry.read_graph(path, options, side, builder, observer);
  } else {
    GraphFromRdf handler(path.string(), options.types_as_entities, builder);
    read_rdf(path, format, handler, observer);
  }
}

void read_table(const std::filesystem::path& path, Format format, const LoadOptions& options, Side side,
                GraphBuilder& builder, Observer& observer) {
  if (is_wide_table(path, format, options, observer)) {
    read_wide_table(path, options, side, builder, observer);
    return;
  }
  const char usual = format == Format::tsv ? '\t' : ',';
  const TableShape shape = table_shape_of(path, usual);
  read_table_graph(path, shape.columns > 1 ? shape.separator : usual, options, builder, observer);
}

void add_literal(GraphBuilder& builder, std::uint32_t entity, std::string_view predicate,
                 std::string_view value) {
  add_literal(builder, entity, predicate, value, {"literal", 0});
}

}  // namespace dovetail
