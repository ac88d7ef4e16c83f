#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace dovetail {

using EntityId = std::uint32_t;
using RelationId = std::uint32_t;

inline constexpr std::uint32_t kNone = UINT32_MAX;

/// One direction of a triple, seen from an entity: (entity, relation, neighbour).
/// Relations at or above the graph's relation_count() are the inverse ones: r + relation_count().
struct Edge {
  EntityId neighbour;
  RelationId relation;

  [[nodiscard]] std::uint64_t key() const { return std::uint64_t{relation} << 32 | neighbour; }
  bool operator==(const Edge&) const = default;
  auto operator<=>(const Edge& other) const { return key() <=> other.key(); }
};

/// Strings in one block of memory, addressed by their number.
class StringTable {
 public:
  [[nodiscard]] std::size_t size() const { return ends_.size(); }
  [[nodiscard]] std::string_view operator[](std::size_t i) const {
    const std::uint64_t begin = i == 0 ? 0 : ends_[i - 1];
    return {bytes_.data() + begin, static_cast<std::size_t>(ends_[i] - begin)};
  }
  void append(std::string_view text) {
    bytes_.insert(bytes_.end(), text.begin(), text.end());
    ends_.push_back(bytes_.size());
  }
  void reserve(std::size_t strings, std::size_t bytes) {
    ends_.reserve(strings);
    bytes_.reserve(bytes);
  }
  /// Announce that string i will be read soon: first where it is, then, when that has arrived, its text.
  [[gnu::always_inline]] inline void prefetch_place(std::size_t i) const { __builtin_prefetch(&ends_[i]); }
  [[gnu::always_inline]] inline void prefetch_text(std::size_t i) const {
    __builtin_prefetch((*this)[i].data());
  }
  /// Memory held, in bytes.
  [[nodiscard]] std::size_t memory_bytes() const {
    return bytes_.capacity() + ends_.capacity() * sizeof(std::uint64_t);
  }
  void shrink_to_fit() {
    bytes_.shrink_to_fit();
    ends_.shrink_to_fit();
  }

 private:
  std::vector<char> bytes_;
  std::vector<std::uint64_t> ends_;
};

/// A triple whose object is a literal; kept only when asked for (GraphBuilder, LoadOptions).
struct LiteralTriple {
  EntityId subject;
  std::uint32_t attribute;  ///< number in KnowledgeGraph::attributes()
  std::uint32_t value;      ///< number in KnowledgeGraph::literal_values(), in N-Triples syntax
};

class GraphBuilder;
struct GraphParts;
class StringIndex;

/// An immutable knowledge graph: entities and relations under the user's own names, and every triple in
/// both directions as compressed sparse rows. Duplicate triples count once; triples with literal objects
/// are counted but are no edges.
class KnowledgeGraph {
 public:
  /// Graphs are made by GraphBuilder.
  explicit KnowledgeGraph(GraphParts parts);
  KnowledgeGraph(KnowledgeGraph&&) noexcept;
  KnowledgeGraph& operator=(KnowledgeGraph&&) noexcept;
  ~KnowledgeGraph();

  [[nodiscard]] std::size_t entity_count() const;
  [[nodiscard]] std::size_t relation_count() const;
  /// Distinct triples between entities.
  [[nodiscard]] std::uint64_t triple_count() const;
  /// How many triples of the source were repetitions of another one.
  [[nodiscard]] std::uint64_t duplicate_count() const;
  [[nodiscard]] std::uint64_t literal_count() const;

  /// All edges of an entity, both directions, ascending by (relation, neighbour).
  [[nodiscard]] std::span<const Edge> edges(EntityId entity) const;
  [[nodiscard]] std::size_t degree(EntityId entity) const { return edges(entity).size(); }

  /// The entity's identifier as the source wrote it: a URI, a blank node `_:x`, a name, or a number.
  [[nodiscard]] std::string_view entity(EntityId entity) const;
  /// The relation's identifier; only for relations below relation_count().
  [[nodiscard]] std::string_view relation(RelationId relation) const;
  /// What a person would call the entity: its label, or else the last part of its identifier.
  [[nodiscard]] std::string_view name(EntityId entity) const;
  /// The label alone; empty if the source gave none.
  [[nodiscard]] std::string_view label(EntityId entity) const;
  [[nodiscard]] std::size_t label_count() const;

  /// The entity with this identifier, if there is one; the first if several share it.
  [[nodiscard]] std::optional<EntityId> find(std::string_view identifier) const;
  /// The entity that was the n-th of the source; kNone never occurs for n < entity_count().
  [[nodiscard]] EntityId nth_in_source(std::size_t n) const;

  [[nodiscard]] std::span<const LiteralTriple> literals() const;
  [[nodiscard]] const StringTable& attributes() const;
  [[nodiscard]] const StringTable& literal_values() const;

  /// Memory of the edges and their offsets, both directions, strings aside.
  [[nodiscard]] std::size_t edge_memory_bytes() const;
  [[nodiscard]] std::size_t string_memory_bytes() const;

 private:
  friend class GraphBuilder;  // which takes a graph apart to add to it
  friend const GraphParts& parts_of(const KnowledgeGraph& graph);
  std::unique_ptr<GraphParts> parts_;
};

/// The last part of a URI or path-like identifier: what follows the last '/', '#' or, in a URN, ':'.
[[nodiscard]] std::string_view last_part(std::string_view identifier);

enum class Side : std::uint8_t { left, right };

/// Two knowledge graphs to be aligned, and one id space over both: left entities keep their numbers, right
/// ones follow; relations with the same identifier on both sides are one relation, and the inverse of
/// relation r is r + relation_count().
class GraphPair {
 public:
  GraphPair(KnowledgeGraph left, KnowledgeGraph right);

  [[nodiscard]] const KnowledgeGraph& left() const { return left_; }
  [[nodiscard]] const KnowledgeGraph& right() const { return right_; }
  [[nodiscard]] const KnowledgeGraph& graph(Side side) const { return side == Side::left ? left_ : right_; }
  /// One of the graphs, to make another one of it; the pair is of no more use.
  [[nodiscard]] KnowledgeGraph take(Side side) && { return std::move(side == Side::left ? left_ : right_); }

  [[nodiscard]] std::size_t entity_count() const { return left_.entity_count() + right_.entity_count(); }
  [[nodiscard]] std::size_t relation_count() const { return relation_count_; }

  [[nodiscard]] EntityId shared_id(Side side, EntityId entity) const {
    return side == Side::left ? entity : static_cast<EntityId>(left_.entity_count() + entity);
  }
  /// Takes a relation of that side's edges, inverse ones included.
  [[nodiscard]] RelationId shared_relation(Side side, RelationId relation) const;

 private:
  KnowledgeGraph left_;
  KnowledgeGraph right_;
  std::size_t relation_count_ = 0;
  std::vector<RelationId> right_relations_;  // right relation -> shared relation
};

}  // namespace dovetail
