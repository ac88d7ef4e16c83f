#pragma once

#include <dovetail/evidence.h>
#include <dovetail/graph.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "common/compressed_rows.h"
#include "common/threads.h"
#include "pairs/beliefs.h"

namespace dovetail {

/// Pairs of relations that have edges in common, by left relation.
class RelationLinks {
 public:
  RelationLinks() = default;
  explicit RelationLinks(std::vector<std::vector<RelationLink>> by_left);

  [[nodiscard]] std::size_t left_count() const { return links_.rows(); }
  /// Ascending by right relation.
  [[nodiscard]] std::span<const RelationLink> of(RelationId left) const { return links_[left]; }

 private:
  CompressedRows<RelationLink> links_;
};

/// The relation read the other way round.
[[nodiscard]] inline RelationId inverse(const KnowledgeGraph& graph, RelationId relation) {
  const auto count = static_cast<RelationId>(graph.relation_count());
  return relation < count ? relation + count : relation - count;
}

/// A relation's name; an inverse one is written as in SPARQL's paths, with ^ before it.
[[nodiscard]] std::string relation_path(const KnowledgeGraph& graph, RelationId relation);

/// For each relation, inverse ones included: distinct neighbours over edges. 1 if a neighbour tells whose it
/// is, near 0 if many share it.
[[nodiscard]] std::vector<double> inverse_functionality(const KnowledgeGraph& graph);

/// Compares the relations of two graphs by the edges that entities held to be the same have in common.
class RelationComparer {
 public:
  /// The pair outlives the comparer.
  explicit RelationComparer(const GraphPair& pair);

  /// Only pairs of entities that are each other's likeliest count, and only from `least` on. One edge in
  /// common is not enough to be sure: shares are taken with one unseen edge more.
  [[nodiscard]] RelationLinks compare(const Beliefs& beliefs, double least, ThreadPool& pool) const;

 private:
  /// The triples of a graph by relation.
  struct Ends {
    EntityId head, tail;
  };
  using Triples = CompressedRows<Ends>;
  static Triples triples_of(const KnowledgeGraph& graph);

  const GraphPair& pair_;
  Triples left_, right_;
};

}  // namespace dovetail
