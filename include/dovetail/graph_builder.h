#pragma once

#include <dovetail/graph.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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
  /// The same by numbers, for several at once: attribute() and literal_values() give them.
  void literal(std::uint32_t entity, std::uint32_t attribute, std::uint32_t value);
  [[nodiscard]] std::uint32_t attribute(std::string_view identifier);
  /// Into `numbers`; not looked up where literals are not kept.
  void literal_values(std::span<const std::string_view> values, std::uint32_t* numbers);
  void keep_literals(bool keep);

  /// Attributes that name entities, the best first, before rdfs:label and its like.
  void set_name_properties(std::vector<std::string> properties);
  /// How good a name the values of an attribute are, 0 the best; nothing for those that are none.
  [[nodiscard]] std::optional<std::uint8_t> preference_of(std::string_view attribute) const;
  /// Where no entity has a label, looks for attributes that name entities (short texts that hardly two of
  /// them share), takes labels from these and returns them. Only among literals that are kept.
  std::vector<std::string> find_names();

  /// Says that identifiers are ids of a table's rows, and what makes IRIs of them. What was said first stays.
  void set_iri_prefix(std::string_view prefix);

  /// Says of what class an entity is. A class is no entity of the graph: where it is mentioned as one,
  /// build() takes it out with its triples and literals, and likewise what classes are a rdfs:subClassOf.
  /// Entities of a graph that was built before stay. Not to be mixed with add_entity().
  void type(std::uint32_t entity, std::string_view class_identifier);

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
  /// By entity, whether it is a class; empty where none is.
  [[nodiscard]] std::vector<bool> classes_among_entities();
  void take_out(const std::vector<bool>& gone);
  /// Gives the triples' entities new numbers; those of entities without one go.
  void keep_triples(const std::vector<std::uint32_t>& number);
  void place_types();
  void know_name_attributes();
  void list_name_attributes();
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
