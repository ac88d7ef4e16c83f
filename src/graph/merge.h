#pragma once

#include <dovetail/graph.h>
#include <dovetail/graph_builder.h>
#include <dovetail/links.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/string_index.h"

namespace dovetail {

/// What an entity of one side is called where entities of both sides come together. Two graphs may use the
/// same label for different blank nodes, and the same id for different rows of tables: the former are called
/// after their side, the latter after `iri_prefix` (see naming.h). Other identifiers stay as they are.
[[nodiscard]] std::string sided_name(Side side, std::string_view iri_prefix, std::string_view identifier);

/// What every entity of a pair is called once linked ones are one: entities that links join, also through
/// others, go by the name of one of them. That is the first one of the side whose names are kept, but a blank
/// node only where all are. Blank nodes are called after their side, for two graphs may use the same label
/// for different ones.
class MergedNames {
 public:
  MergedNames(const GraphPair& pair, std::span<const Link> links, Side keep);

  [[nodiscard]] std::string operator()(Side side, EntityId entity) const;

  struct Replaced {
    std::string kept, replaced;
  };
  /// Identifiers that gave way to another one, blank nodes left aside.
  [[nodiscard]] std::vector<Replaced> replaced() const;

 private:
  [[nodiscard]] std::string own_name(std::size_t shared) const;

  const GraphPair& pair_;
  std::vector<EntityId> named_after_;  // by shared id: the entity of the pair whose name it has
};

/// A graph that others are added to under their merged names, every triple once.
class MergedGraph {
 public:
  MergedGraph() { builder_.keep_literals(true); }

  void add(const KnowledgeGraph& graph, Side side, const MergedNames& names);
  /// `tail` is an entity.
  void triple(std::string_view head, std::string_view relation, std::string_view tail);
  /// `value` in N-Triples syntax.
  void literal(std::string_view subject, std::string_view attribute, std::string_view value);

  [[nodiscard]] KnowledgeGraph build() && { return std::move(builder_).build(std::nullopt); }

 private:
  void literal(std::uint32_t subject, std::string_view attribute, std::string_view value);

  GraphBuilder builder_;
  std::vector<std::string> name_properties_;
  StringTable literals_;  // those that were added
  StringIndex literal_index_;
};

}  // namespace dovetail
