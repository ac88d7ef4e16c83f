#include "formats/graph_reader.h"

#include <array>
#include <fmt/format.h>
#include <string>
#include <utility>
#include <vector>

#include "common/text.h"
#include "formats/format.h"
#include "formats/name_limit.h"
#include "formats/rdf.h"
#include "formats/table.h"
#include "formats/table_shape.h"
#include "formats/wide_table.h"
#include "graph/literal.h"

namespace dovetail {

void add_literal(GraphBuilder& builder, std::uint32_t entity, std::string_view predicate,
                 std::string_view value, const Place& place) {
  builder.literal(entity, predicate, value);
  if (const auto preference = name_preference(predicate)) {
    const std::string name = split_literal(value).text;
    check_name(place.file, place.line, name);
    builder.label(entity, name, *preference);
  }
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

class GraphFromRdf : public RdfHandler {
 public:
  GraphFromRdf(std::string file, GraphBuilder& builder) : file_(std::move(file)), builder_(builder) {}

  void statements(std::span<const RdfStatement> batch) override {
    // All look-ups of a batch at once; a subject that repeats the one before is looked up once.
    texts_.clear();
    std::string_view subject = last_subject_;
    for (const RdfStatement& statement : batch) {
      check_names(statement);
      if (statement.subject != subject) texts_.push_back(subject = statement.subject);
      if (!statement.literal) texts_.push_back(statement.object);
    }
    numbers_.resize(texts_.size());
    builder_.entities(texts_, numbers_.data());
    subject = last_subject_;
    std::size_t next = 0;
    for (const RdfStatement& statement : batch) {
      if (statement.subject != subject) {
        subject = statement.subject;
        last_number_ = numbers_[next++];
      }
      if (statement.literal) {
        add_literal(builder_, last_number_, statement.predicate, statement.object, {file_, statement.line});
        continue;
      }
      const std::uint32_t relation = relation_.number(
          statement.predicate, [&](std::string_view text) { return builder_.relation(text); });
      builder_.triple(last_number_, relation, numbers_[next++]);
    }
    last_subject_ = subject;
  }

 private:
  void check_names(const RdfStatement& statement) const {
    check_name(file_, statement.line, statement.subject);
    check_name(file_, statement.line, statement.predicate);
    if (!statement.literal) check_name(file_, statement.line, statement.object);
  }

  std::string file_;
  GraphBuilder& builder_;
  std::vector<std::string_view> texts_;
  std::vector<std::uint32_t> numbers_;
  std::string last_subject_;  // of the batch before; no subject is empty
  std::uint32_t last_number_ = kNone;
  LastSeen relation_;
};

void read_table_graph(const std::filesystem::path& path, char separator, const TableOptions& options,
                      GraphBuilder& builder, Observer& observer) {
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
                    "them by number or give the file a header",
                    row.size()));
  }
  const std::size_t width = row.size();
  LastSeen head;
  LastSeen relation;
  for (bool more = !is_header || table.next(row); more; more = table.next(row)) {
    if (row.size() != width) {
      table.fail(fmt::format("found {} column{}; expected {} as in the first line", row.size(),
                             plural(row.size()), width));
    }
    const std::string_view tail = row[*columns[2]];
    const bool literal = is_literal(tail);  // in quotes that survived the table's own quoting
    for (std::size_t i = 0; i < 3; ++i) {
      if (row[*columns[i]].empty())
        table.fail(fmt::format("the {} is empty; expected a name", kRoles[i].name));
      if (i < 2 || !literal) check_name(table.name(), table.line(), row[*columns[i]]);
    }
    const std::uint32_t h = head.number(row[*columns[0]], [&](auto text) { return builder.entity(text); });
    if (literal) {
      add_literal(builder, h, row[*columns[1]], tail, {table.name(), table.line()});
      continue;
    }
    const std::uint32_t r =
        relation.number(row[*columns[1]], [&](auto text) { return builder.relation(text); });
    builder.triple(h, r, builder.entity(tail));
  }
}

}  // namespace

bool read_graph(const std::filesystem::path& path, const LoadOptions& options, GraphBuilder& builder,
                Observer& observer) {
  const Format format =
      options.graph_format == Format::automatic ? recognise_graph(path) : options.graph_format;
  builder.keep_literals(options.keep_literals);
  if (format == Format::tsv || format == Format::csv) {
    const char usual = format == Format::tsv ? '\t' : ',';
    const TableShape shape = table_shape_of(path, usual);
    const bool chosen = !options.graph_table.columns.empty();  // of head, relation and tail
    const TableForm form = options.wide_table.form;
    if (form == TableForm::table || (form == TableForm::automatic && shape.wide && !chosen)) {
      read_wide_table(path, shape.separator, options.wide_table, builder, observer);
      return true;
    }
    read_table_graph(path, shape.columns > 1 ? shape.separator : usual, options.graph_table, builder,
                     observer);
    return false;
  }
  GraphFromRdf handler(path.string(), builder);
  read_rdf(path, format, handler, observer);
  return false;
}

void add_literal(GraphBuilder& builder, std::uint32_t entity, std::string_view predicate,
                 std::string_view value) {
  add_literal(builder, entity, predicate, value, {"literal", 0});
}

}  // namespace dovetail
