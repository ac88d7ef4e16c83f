#pragma once

#include <dovetail/graph.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/graph_parts.h"

namespace dovetail {

/// Collects the triples of one graph, in any order and with repetitions, and makes a KnowledgeGraph of them.
/// Entities are numbered in the order of their first mention until build() shuffles them.
class GraphBuilder {
 public:
  GraphBuilder() = default;
  /// Goes on with a graph that was built before: its entities and relations keep their numbers.
  explicit GraphBuilder(KnowledgeGraph graph);

  /// What a graph consists of.
  [[nodiscard]] static const GraphParts& parts_of(const KnowledgeGraph& graph) { return *graph.parts_; }

  /// The number of the entity with this identifier; a new one where it was not mentioned before.
  std::uint32_t entity(std::string_view identifier);
  /// The same for several entities in turn, into `numbers`; much faster than one by one.
  void entities(std::span<const std::string_view> identifiers, std::uint32_t* numbers);
  /// A new entity whether or not another one has the same identifier; for sources with numbers of their
  /// own. Not to be mixed with entity().
  std::uint32_t add_entity(std::string_view identifier);
  /// Makes room for entities whose identifiers take about `bytes` in all, so that they need not be moved.
  void reserve_entities(std::size_t count, std::size_t bytes) { parts_.entities.reserve(count, bytes); }
  std::uint32_t relation(std::string_view identifier);
  /// The number of an entity that entity() has seen.
  [[nodiscard]] std::optional<std::uint32_t> find(std::string_view identifier) const;

  void triple(std::uint32_t head, std::uint32_t relation, std::uint32_t tail) {
    if (in_chunk_ == room_) start_chunk();
    chunks_.back()[in_chunk_++] = {head, relation, tail};
  }

  /// A label; of several for one entity the one with the lowest `preference` stays, then the first.
  void label(std::uint32_t entity, std::string_view text, std::uint8_t preference = 0);

  /// A triple with a literal object, counted; kept as well if keep_literals(). `value` in N-Triples syntax.
  void literal(std::uint32_t entity, std::string_view attribute, std::string_view value);
  /// The same by numbers, for several at once: attribute() and literal_values() give them.
  void literal(std::uint32_t entity, std::uint32_t attribute, std::uint32_t value) {
    ++parts_.literal_count;
    if (keep_literals_) parts_.literals.push_back({entity, attribute, value});
  }
  [[nodiscard]] std::uint32_t attribute(std::string_view identifier);
  /// Into `numbers`; not looked up where literals are not kept.
  void literal_values(std::span<const std::string_view> values, std::uint32_t* numbers);
  void keep_literals(bool keep) { keep_literals_ = keep; }

  /// Attributes that name entities, the best first, before rdfs:label and its like.
  void set_name_properties(std::vector<std::string> properties) { name_properties_ = std::move(properties); }
  /// How good a name the values of an attribute are, 0 the best; nothing for those that are none.
  [[nodiscard]] std::optional<std::uint8_t> preference_of(std::string_view attribute) const;
  /// Where no entity has a label, looks for attributes that name entities (short texts that hardly two of
  /// them share), takes labels from these and returns them. Only among literals that are kept.
  std::vector<std::string> find_names();

  /// Says that identifiers are ids of a table's rows; see naming.h. What was said first stays.
  void set_iri_prefix(std::string_view prefix) {
    if (parts_.iri_prefix.empty()) parts_.iri_prefix = prefix;
  }

  /// Says of what class an entity is. A class is no entity of the graph: where it is mentioned as one,
  /// build() takes it out with its triples and literals, and likewise what classes are a rdfs:subClassOf.
  /// Entities of a graph that was built before stay. Not to be mixed with add_entity().
  void type(std::uint32_t entity, std::string_view class_identifier);

  [[nodiscard]] std::size_t entity_count() const { return parts_.entities.size(); }
  [[nodiscard]] std::size_t relation_count() const { return parts_.relations.size(); }

  /// The graph; with a seed, entity ids are a random permutation of the order of mention, so that a position
  /// in a file says nothing about what belongs together. Entities of a graph that was built before stay.
  [[nodiscard]] KnowledgeGraph build(std::optional<std::uint64_t> shuffle_seed) &&;

 private:
  struct Triple {
    std::uint32_t head, relation, tail;
  };
  /// Small for small graphs; then one huge page.
  static constexpr std::size_t kFirstChunk = 1024, kChunk = (std::size_t{2} << 20) / sizeof(Triple);

  void start_chunk();
  /// The triples of a chunk.
  [[nodiscard]] std::span<Triple> chunk(std::size_t i) {
    return chunks_[i].span().first(i + 1 == chunks_.size() ? in_chunk_ : chunks_[i].size());
  }
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

  GraphParts parts_;
  StringIndex relation_index_;
  StringIndex attribute_index_;
  StringIndex class_index_;
  struct Type {
    std::uint32_t entity, type;
    auto operator<=>(const Type&) const = default;
  };
  std::vector<Type> types_;
  std::size_t known_ = 0;                // entities of a graph that was built before
  StringIndex value_index_;              // equal literals are stored once
  std::vector<Buffer<Triple>> chunks_;   // pieces that stay: growing never copies or doubles
  std::size_t in_chunk_ = 0, room_ = 0;  // triples in the last chunk, and how many it can have
  std::vector<std::uint8_t> label_preference_;
  std::vector<std::string> name_properties_;
  std::vector<std::string> known_names_;  // attributes that name entities of a graph that was built before
  bool keep_literals_ = false;
};

}  // namespace dovetail
