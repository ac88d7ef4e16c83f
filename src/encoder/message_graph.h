#pragma once

#include <dovetail/graph.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/propagate.h"
#include "kernels/rows.h"

namespace dovetail {

/// (node, relation, neighbour): the node receives a message from the neighbour.
struct DirectedEdge {
  std::uint32_t node;
  std::uint32_t relation;
  std::uint32_t neighbour;
  std::uint32_t number = 0;  ///< where the edge stands in another list
};

/// Owns what GroupedEdges points to.
struct EdgeLists {
  std::vector<std::uint32_t> node_begin, group_begin, relation, neighbour;

  [[nodiscard]] GroupedEdges view() const {
    return {node_begin.data(), group_begin.data(), relation.data(), neighbour.data()};
  }
  [[nodiscard]] std::size_t edge_count() const { return group_begin.back(); }
  /// All edges of a node, group after group.
  [[nodiscard]] std::size_t first_edge(std::size_t node) const { return group_begin[node_begin[node]]; }
};

/// A list of row numbers for each node.
struct NodeLists {
  std::vector<std::uint32_t> begin, items;

  [[nodiscard]] RowNumbers of(std::size_t node) const {
    return {items.data() + begin[node], begin[node + 1] - begin[node]};
  }
};

/// The backward pass works on this many pieces of the graph, each with relation gradients of its own: a
/// constant, so that sums are formed in the same order whatever the number of threads.
inline constexpr std::size_t kStripes = 8;

/// The edges that messages run along: of both whole graphs, or of a part drawn for one step.
struct MessageGraph {
  std::size_t node_count = 0;
  EdgeLists out;                       ///< by receiving node
  EdgeLists in;                        ///< by sending node: `neighbour` is the receiver
  std::vector<std::uint32_t> in_edge;  ///< edge of `in` -> the same edge in `out`
  NodeLists closed;                    ///< node -> embedding rows of it and of its distinct neighbours
  NodeLists closed_in;                 ///< node -> nodes whose `closed` it is in
  std::vector<std::uint32_t> row_of;   ///< node -> row of the entity embeddings
  std::vector<std::uint32_t> stripes;  ///< [kStripes + 1] pieces of about equal work

  [[nodiscard]] std::size_t memory_bytes() const;
};

/// Takes distinct edges in any order. row_of: [node_count].
[[nodiscard]] MessageGraph make_message_graph(std::vector<DirectedEdge> edges,
                                              std::vector<std::uint32_t> row_of);

/// The two numbers of an entity: the pair's shared id, and the node that the engine knows it by.
struct NodeOrder {
  std::vector<std::uint32_t> entity_of;  ///< node -> shared id
  std::vector<std::uint32_t> node_of;    ///< shared id -> node
  std::size_t left_count = 0;            ///< nodes of the left graph; they come first
};

/// Each graph from its best connected entity outwards, so that neighbours lie close in memory.
[[nodiscard]] NodeOrder breadth_first_order(const GraphPair& pair);

/// Both graphs whole; rows of the entity embeddings are numbered as the nodes. Self-loops, if wanted, are a
/// relation after all others.
[[nodiscard]] MessageGraph whole_graph(const GraphPair& pair, const NodeOrder& order,
                                       bool self_loops = false);

}  // namespace dovetail
