#pragma once

#include <dovetail/graph.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "common/compressed_rows.h"
#include "values/typed_value.h"

namespace dovetail {

/// What an attribute's values look like as a whole.
struct AttributeSummary {
  std::uint64_t values = 0;    ///< (entity, value) pairs
  std::uint64_t entities = 0;  ///< that have it
  std::uint64_t distinct = 0;  ///< different values
  ValueKind kind = ValueKind::text;
};

/// The literals of one graph in rows by entity: each row's values ascend by (attribute, value), each once.
/// Texts and attributes stay in the graph, which must outlive the table.
class ValueTable {
 public:
  explicit ValueTable(const KnowledgeGraph& graph);

  [[nodiscard]] const KnowledgeGraph& graph() const { return *graph_; }
  [[nodiscard]] std::size_t entity_count() const { return rows_.rows(); }
  [[nodiscard]] std::size_t attribute_count() const { return attributes_.size(); }
  [[nodiscard]] std::size_t value_count() const { return graph_->literal_values().size(); }
  [[nodiscard]] std::string_view attribute(std::uint32_t attribute) const {
    return graph_->attributes()[attribute];
  }
  [[nodiscard]] const AttributeSummary& summary(std::uint32_t attribute) const {
    return attributes_[attribute];
  }

  /// How many values an entity has, and the n-th of them.
  [[nodiscard]] std::size_t count(EntityId entity) const { return rows_.length(entity); }
  [[nodiscard]] const LiteralTriple& value(EntityId entity, std::size_t n) const {
    return graph_->literals()[rows_[entity][n]];
  }
  /// The positions, for value(), of an entity's values of one attribute: [first, last).
  struct Range {
    std::size_t first, last;
    [[nodiscard]] bool empty() const { return first == last; }
  };
  [[nodiscard]] Range of_attribute(EntityId entity, std::uint32_t attribute) const;

  /// What a value may be, by its number in the graph's literal_values().
  [[nodiscard]] const TypedValue& typed(std::uint32_t value) const { return typed_[value]; }

  /// Memory of the rows, in bytes; texts and what was parsed of them aside.
  [[nodiscard]] std::size_t row_memory_bytes() const { return rows_.memory_bytes(); }

 private:
  void summarise();

  const KnowledgeGraph* graph_;
  CompressedRows<std::uint32_t> rows_;  // by entity: positions in the graph's literals()
  std::vector<TypedValue> typed_;
  std::vector<AttributeSummary> attributes_;
};

}  // namespace dovetail
