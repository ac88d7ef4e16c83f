#pragma once

#include <dovetail/graph.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

namespace dovetail {

/// Collects the triples of one graph, in any order and with repetitions, and makes a KnowledgeGraph of them.
/// Entities are numbered in the order of their first mention until build() shuffles them.
///
///     GraphBuilder builder;
///     const auto berlin = builder.entity("http://example.org/Berlin");
///     builder.triple(berlin, builder.relation("capitalOf"), builder.entity("http://example.org/Germany"));
///     builder.label(berlin, "Berlin");
///     const KnowledgeGraph graph = std::move(builder).build(1);
class GraphBuilder {
 public:
  GraphBuilder();
  /// Goes on with a graph that was built before: its entities and relations keep their numbers.
  explicit GraphBuilder(KnowledgeGraph graph);
  GraphBuilder(GraphBuilder&&) noexcept;
  GraphBuilder& operator=(GraphBuilder&&) noexcept;
  ~GraphBuilder();

  /// The number of the entity with this identifier; a new one where it was not mentioned before.
  std::uint32_t entity(std::string_view identifier);
  /// The same for several entities in turn, into `numbers`; much faster than one by one.
  void entities(std::span<const std::string_view> identifiers, std::uint32_t* numbers);
  /// A new entity whether or not another one has the same identifier; for sources with numbers of their
  /// own. Not to be mixed with entity().
  std::uint32_t add_entity(std::string_view identifier);
  /// Makes room for entities whose identifiers take about `bytes` in all, so that they need not be moved.
  void reserve_entities(std::size_t count, std::size_t bytes);
  std::uint32_t relation(std::string_view identifier);
  /// The number of an entity that entity() has seen.
  [[nodiscard]] std::optional<std::uint32_t> find(std::string_view identifier) const;

  void triple(std::uint32_t head, std::uint32_t relation, std::uint32_t tail) {
    if (next_ == end_) start_chunk();
    *next_++ = {head, relation, tail};
  }

  /// A label; of several for one entity the one with the lowest `preference` stays, then the first.
  void label(std::uint32_t entity, std::string_view text, std::uint8_t preference = 0);

  /// A triple with a literal object, counted; kept as well if keep_literals(). `value` in N-Triples syntax.
  void literal(std::uint32_t entity, std::string_view attribute, std::string_view value);
  void keep_literals(bool keep);

  [[nodiscard]] std::size_t entity_count() const;
  [[nodiscard]] std::size_t relation_count() const;

  /// The graph; with a seed, entity ids are a random permutation of the order of mention, so that a position
  /// in a file says nothing about what belongs together. Entities of a graph that was built before stay.
  [[nodiscard]] KnowledgeGraph build(std::optional<std::uint64_t> shuffle_seed) &&;

 private:
  struct State;
  struct Triple {
    std::uint32_t head, relation, tail;
  };

  void start_chunk();
  /// The triples of a chunk.
  [[nodiscard]] std::span<Triple> chunk(std::size_t i);
  void shuffle(std::uint64_t seed);
  void place_edges();
  void sort_and_deduplicate();

  std::unique_ptr<State> state_;
  Triple *next_ = nullptr, *end_ = nullptr;  // where the next triple goes, and the end of its chunk
};

/// Adds a literal triple and, where its predicate is one by which graphs name things, the label that it is.
/// `value` in N-Triples syntax: make_literal() of literal.h.
void add_literal(GraphBuilder& builder, std::uint32_t entity, std::string_view predicate,
                 std::string_view value);

}  // namespace dovetail
