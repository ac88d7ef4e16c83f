#pragma once

#include <dovetail/graph.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/buffer.h"
#include "common/threads.h"
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
  LargeVector<std::uint32_t> node_begin, group_begin, relation, neighbour;

  [[nodiscard]] GroupedEdges view() const {
    return {node_begin.data(), group_begin.data(), relation.data(), neighbour.data()};
  }
  [[nodiscard]] std::size_t edge_count() const { return group_begin.back(); }
  /// For so many groups and edges, with what is read beyond their ends; node_begin is left as it is.
  void make_room(std::size_t groups, std::size_t edges) {
    relation.resize(groups + kPrefetchAhead);
    group_begin.resize(groups + 1);
    group_begin[groups] = static_cast<std::uint32_t>(edges);
    neighbour.resize(edges + kPrefetchAhead);
    std::fill_n(relation.end() - kPrefetchAhead, kPrefetchAhead, 0);
    std::fill_n(neighbour.end() - kPrefetchAhead, kPrefetchAhead, 0);
  }
  void begin_group(std::size_t group, std::uint32_t of_relation, std::size_t first_edge) {
    relation[group] = of_relation;
    group_begin[group] = static_cast<std::uint32_t>(first_edge);
  }
  /// All edges of a node, group after group.
  [[nodiscard]] std::size_t first_edge(std::size_t node) const { return group_begin[node_begin[node]]; }
};

/// A list of row numbers for each node.
struct NodeLists {
  LargeVector<std::uint32_t> begin, items;

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
  EdgeLists out;                      ///< by receiving node
  NodeLists closed;                   ///< node -> embedding rows of it and of its distinct neighbours
  std::vector<std::uint32_t> row_of;  ///< node -> row of the entity embeddings

  // What only gradients, and attention that looks at senders, need; a graph may be without.
  EdgeLists in;                        ///< by sending node: `neighbour` is the receiver
  LargeVector<std::uint32_t> in_edge;  ///< edge of `in` -> the same edge in `out`
  NodeLists closed_in;                 ///< node -> nodes whose `closed` it is in
  std::vector<std::uint32_t> stripes;  ///< [kStripes + 1] pieces of about equal work

  [[nodiscard]] std::size_t memory_bytes() const;
};

/// Makes one graph after another from their edges, in the memory of earlier ones.
class MessageGraphMaker {
 public:
  LargeVector<DirectedEdge> edges;  ///< of the next graph: distinct, in any order

  /// In place of another graph. Has no edges then. row_of: [node_count].
  void make(std::vector<std::uint32_t> row_of, MessageGraph& graph);

 private:
  LargeVector<DirectedEdge> sorted_;
};

/// The two numbers of an entity: the pair's shared id, and the node that the engine knows it by.
struct NodeOrder {
  LargeVector<std::uint32_t> entity_of;  ///< node -> shared id
  LargeVector<std::uint32_t> node_of;    ///< shared id -> node
  std::size_t left_count = 0;            ///< nodes of the left graph; they come first
};

/// Each graph from its best connected entity outwards, so that neighbours lie close in memory.
[[nodiscard]] NodeOrder breadth_first_order(const GraphPair& pair, ThreadPool& pool);

struct WholeGraphOptions {
  bool self_loops = false;  ///< a relation after all others
  bool forward_only = false;
};
/// Both graphs whole; rows of the entity embeddings are numbered as the nodes.
[[nodiscard]] MessageGraph whole_graph(const GraphPair& pair, const NodeOrder& order, ThreadPool& pool,
                                       const WholeGraphOptions& options = {});

}  // namespace dovetail
