#pragma once

#include <dovetail/graph.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace dovetail {

/// A graph in numbers. The degree of an entity counts its triples in both directions.
struct GraphStatistics {
  std::uint64_t entities = 0;
  std::uint64_t relations = 0;
  std::uint64_t triples = 0;     ///< distinct ones
  std::uint64_t duplicates = 0;  ///< repetitions in the source
  std::uint64_t literals = 0;
  std::uint64_t classes = 0;   ///< that entities are said to be of; no entities
  std::uint64_t typed = 0;     ///< entities with a class
  std::uint64_t labelled = 0;  ///< entities with a label of their own
  std::uint64_t isolated = 0;  ///< entities without any triple
  double mean_degree = 0;
  std::uint64_t median_degree = 0;
  std::uint64_t largest_degree = 0;
  /// Entities by degree: [0] has none, [1] one, [2] two or three, [i] from 2^(i-1) to 2^i - 1 triples.
  std::array<std::uint64_t, 33> degrees{};
  std::uint64_t edge_bytes = 0;  ///< memory of the edges in both directions, strings aside
};

[[nodiscard]] GraphStatistics graph_statistics(const KnowledgeGraph& graph);

/// What the values of one attribute look like.
struct AttributeStatistics {
  std::string name;
  std::string type;            ///< text, number, date, boolean, coordinates or code: what most of them are
  std::uint64_t values = 0;    ///< pairs of an entity and a value
  std::uint64_t entities = 0;  ///< that have it
  std::uint64_t distinct = 0;  ///< different values
  std::vector<std::string> examples;  ///< the first different ones of the source, cut short
};

/// All attributes of a graph that was read with its literals, the most common first.
[[nodiscard]] std::vector<AttributeStatistics> attribute_statistics(const KnowledgeGraph& graph);

}  // namespace dovetail
