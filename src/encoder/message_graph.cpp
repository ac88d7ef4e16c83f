#include "encoder/message_graph.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace dovetail {
namespace {

/// Into the order (node, relation, neighbour): counted into nodes, then sorted within each. `sorted` is for
/// the function's own use.
void sort_edges(std::size_t node_count, LargeVector<DirectedEdge>& edges, LargeVector<DirectedEdge>& sorted) {
  std::vector<std::uint32_t> next(node_count + 1, 0);
  for (const DirectedEdge& edge : edges) ++next[edge.node + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  sorted.resize(edges.size());
  for (const DirectedEdge& edge : edges) sorted[next[edge.node]++] = edge;
  std::uint32_t begin = 0;
  for (std::size_t node = 0; node < node_count; ++node) {
    std::sort(sorted.begin() + begin, sorted.begin() + next[node],
              [](const DirectedEdge& a, const DirectedEdge& b) {
                return std::pair(a.relation, a.neighbour) < std::pair(b.relation, b.neighbour);
              });
    begin = next[node];
  }
  edges.swap(sorted);
}

void group_edges(std::span<const DirectedEdge> sorted, std::size_t node_count, EdgeLists& lists) {
  const auto begins_group = [&](std::size_t e) {
    return e == 0 || sorted[e].node != sorted[e - 1].node || sorted[e].relation != sorted[e - 1].relation;
  };
  lists.node_begin.assign(node_count + 1, 0);
  for (std::size_t e = 0; e < sorted.size(); ++e) lists.node_begin[sorted[e].node + 1] += begins_group(e);
  std::partial_sum(lists.node_begin.begin(), lists.node_begin.end(), lists.node_begin.begin());
  lists.make_room(lists.node_begin.back(), sorted.size());
  std::size_t group = 0;
  for (std::size_t e = 0; e < sorted.size(); ++e) {
    if (begins_group(e)) lists.begin_group(group++, sorted[e].relation, e);
    lists.neighbour[e] = sorted[e].neighbour;
  }
}

/// Nodes of a range that one thread works on.
constexpr std::size_t kNodeRange = std::size_t{1} << 14;

std::size_t range_count(std::size_t node_count) {
  return (node_count + kNodeRange - 1) / kNodeRange;
}

/// Appends node -> it and its distinct neighbours, ascending, for a range of nodes. lists.begin gets lengths.
void append_closed(const EdgeLists& edges, std::size_t first, std::size_t last, NodeLists& lists,
                   LargeVector<std::uint32_t>& items) {
  items.reserve(edges.first_edge(last) - edges.first_edge(first) + (last - first) + kPrefetchAhead);
  for (std::size_t node = first; node < last; ++node) {
    const auto begin = static_cast<std::ptrdiff_t>(items.size());
    items.push_back(static_cast<std::uint32_t>(node));
    items.insert(items.end(), edges.neighbour.begin() + static_cast<std::ptrdiff_t>(edges.first_edge(node)),
                 edges.neighbour.begin() + static_cast<std::ptrdiff_t>(edges.first_edge(node + 1)));
    std::sort(items.begin() + begin, items.end());
    items.erase(std::unique(items.begin() + begin, items.end()), items.end());
    lists.begin[node + 1] = static_cast<std::uint32_t>(items.size() - static_cast<std::size_t>(begin));
  }
}

void close_neighbourhoods(const EdgeLists& edges, std::size_t node_count, NodeLists& lists) {
  lists.begin.assign(node_count + 1, 0);
  lists.items.clear();
  append_closed(edges, 0, node_count, lists, lists.items);
  std::partial_sum(lists.begin.begin(), lists.begin.end(), lists.begin.begin());
  lists.items.insert(lists.items.end(), kPrefetchAhead, 0);
}

/// The same by all threads.
NodeLists closed_neighbourhoods(const EdgeLists& edges, std::size_t node_count, ThreadPool& pool) {
  NodeLists lists;
  lists.begin.assign(node_count + 1, 0);
  std::vector<LargeVector<std::uint32_t>> made(range_count(node_count));
  pool.for_ranges(node_count, kNodeRange, [&](std::size_t first, std::size_t last) {
    append_closed(edges, first, last, lists, made[first / kNodeRange]);
  });
  std::partial_sum(lists.begin.begin(), lists.begin.end(), lists.begin.begin());
  lists.items.resize(lists.begin.back() + kPrefetchAhead);
  pool.for_ranges(node_count, kNodeRange, [&](std::size_t first, std::size_t) {
    LargeVector<std::uint32_t>& items = made[first / kNodeRange];
    std::ranges::copy(items, lists.items.begin() + lists.begin[first]);
    items = LargeVector<std::uint32_t>();
  });
  return lists;
}

std::vector<std::uint32_t> make_stripes(const EdgeLists& edges, std::size_t node_count) {
  std::vector<std::uint32_t> stripes(kStripes + 1, static_cast<std::uint32_t>(node_count));
  stripes[0] = 0;
  const auto work = [&](std::size_t node) { return edges.first_edge(node) + 2 * node; };
  const std::size_t all = work(node_count);
  std::uint32_t node = 0;
  for (std::size_t s = 1; s < kStripes; ++s) {
    while (node < node_count && work(node) < all * s / kStripes) ++node;
    stripes[s] = node;
  }
  return stripes;
}

/// The same edges as in `out` by sending node, and what else the backward pass needs. `edges` and `sorted`
/// are for the function's own use.
void add_backward(MessageGraph& graph, LargeVector<DirectedEdge>& edges, LargeVector<DirectedEdge>& sorted) {
  edges.resize(graph.out.edge_count());
  for (std::uint32_t node = 0; node < graph.node_count; ++node) {
    for (std::size_t g = graph.out.node_begin[node]; g < graph.out.node_begin[node + 1]; ++g) {
      for (std::uint32_t e = graph.out.group_begin[g]; e < graph.out.group_begin[g + 1]; ++e) {
        edges[e] = {graph.out.neighbour[e], graph.out.relation[g], node, e};
      }
    }
  }
  sort_edges(graph.node_count, edges, sorted);
  group_edges(edges, graph.node_count, graph.in);
  close_neighbourhoods(graph.in, graph.node_count, graph.closed_in);
  graph.in_edge.resize(edges.size());
  for (std::size_t e = 0; e < edges.size(); ++e) graph.in_edge[e] = edges[e].number;
  graph.stripes = make_stripes(graph.in, graph.node_count);
}

/// The edges of both graphs by the numbers of nodes.
class NodeEdges {
 public:
  NodeEdges(const GraphPair& pair, const NodeOrder& order, bool self_loops)
      : pair_(pair), order_(order), self_loops_(self_loops) {}

  [[nodiscard]] std::size_t count(std::size_t node) const { return own(node).size() + self_loops_; }
  /// Different relations on the edges of a node.
  [[nodiscard]] std::size_t count_groups(std::size_t node) const {
    const std::span<const Edge> edges = own(node);
    std::size_t groups = self_loops_;
    for (std::size_t n = 0; n < edges.size(); ++n) {
      groups += n == 0 || edges[n].relation != edges[n - 1].relation;
    }
    return groups;
  }
  /// Puts a node's edges in place of `edges`, by (relation, neighbour).
  void copy(std::size_t node, std::vector<Edge>& edges) const {
    edges.clear();
    const Side side = side_of(node);
    for (const Edge& edge : own(node)) {
      edges.push_back({order_.node_of[pair_.shared_id(side, edge.neighbour)],
                       pair_.shared_relation(side, edge.relation)});
    }
    if (self_loops_) {
      edges.push_back(
          {static_cast<std::uint32_t>(node), static_cast<RelationId>(2 * pair_.relation_count())});
    }
    std::ranges::sort(edges);
  }
  /// Says that the edges of a node will be copied soon.
  [[gnu::always_inline]] inline void ask_ahead(std::size_t node) const {
    if (node < order_.entity_of.size()) __builtin_prefetch(own(node).data());
  }
  /// The same of what they lead to.
  [[gnu::always_inline]] inline void ask_for_neighbours(std::size_t node) const {
    if (node >= order_.entity_of.size()) return;
    const Side side = side_of(node);
    for (const Edge& edge : own(node)) {
      __builtin_prefetch(order_.node_of.data() + pair_.shared_id(side, edge.neighbour));
    }
  }

 private:
  [[nodiscard]] Side side_of(std::size_t node) const {
    return node < order_.left_count ? Side::left : Side::right;
  }
  [[nodiscard]] std::span<const Edge> own(std::size_t node) const {
    const std::uint32_t entity = order_.entity_of[node];
    const auto left_count = static_cast<std::uint32_t>(order_.left_count);
    return side_of(node) == Side::left ? pair_.left().edges(entity)
                                       : pair_.right().edges(entity - left_count);
  }

  const GraphPair& pair_;
  const NodeOrder& order_;
  bool self_loops_;
};

EdgeLists lists_of(const NodeEdges& edges, std::size_t node_count, ThreadPool& pool) {
  constexpr std::size_t kLater = 16, kSoon = 6;  // nodes ahead whose edges, which lie anywhere, are asked for
  EdgeLists lists;
  lists.node_begin.assign(node_count + 1, 0);
  std::vector<std::size_t> range_begin(range_count(node_count) + 1, 0);
  pool.for_ranges(node_count, kNodeRange, [&](std::size_t first, std::size_t last) {
    std::size_t count = 0;
    for (std::size_t node = first; node < last; ++node) {
      edges.ask_ahead(node + kLater);
      lists.node_begin[node + 1] = static_cast<std::uint32_t>(edges.count_groups(node));
      count += edges.count(node);
    }
    range_begin[first / kNodeRange + 1] = count;
  });
  std::partial_sum(lists.node_begin.begin(), lists.node_begin.end(), lists.node_begin.begin());
  std::partial_sum(range_begin.begin(), range_begin.end(), range_begin.begin());
  lists.make_room(lists.node_begin.back(), range_begin.back());
  pool.for_ranges(node_count, kNodeRange, [&](std::size_t first, std::size_t last) {
    std::vector<Edge> sorted;
    std::size_t e = range_begin[first / kNodeRange], group = lists.node_begin[first];
    for (std::size_t node = first; node < last; ++node) {
      edges.ask_ahead(node + kLater);
      edges.ask_for_neighbours(node + kSoon);
      edges.copy(node, sorted);
      for (std::size_t n = 0; n < sorted.size(); ++n) {
        const RelationId relation = sorted[n].relation;
        if (n == 0 || relation != sorted[n - 1].relation) lists.begin_group(group++, relation, e);
        lists.neighbour[e++] = sorted[n].neighbour;
      }
    }
  });
  return lists;
}

/// Entities by falling degree; those of equal degree in their own order.
std::vector<EntityId> by_degree(const KnowledgeGraph& graph) {
  std::size_t most = 0;
  for (EntityId entity = 0; entity < graph.entity_count(); ++entity) {
    most = std::max<std::size_t>(most, graph.degree(entity));
  }
  std::vector<std::size_t> next(most + 2, 0);
  for (EntityId entity = 0; entity < graph.entity_count(); ++entity) ++next[most - graph.degree(entity) + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<EntityId> sorted(graph.entity_count());
  for (EntityId entity = 0; entity < graph.entity_count(); ++entity) {
    sorted[next[most - graph.degree(entity)]++] = entity;
  }
  return sorted;
}

/// From the best connected entity outwards.
LargeVector<EntityId> breadth_first(const KnowledgeGraph& graph) {
  constexpr std::size_t kAhead = 16;
  std::vector<bool> seen(graph.entity_count(), false);
  LargeVector<EntityId> queue;
  queue.reserve(graph.entity_count());
  std::size_t head = 0;
  for (const EntityId start : by_degree(graph)) {
    if (seen[start]) continue;
    seen[start] = true;
    queue.push_back(start);
    for (; head < queue.size(); ++head) {
      if (head + kAhead < queue.size()) __builtin_prefetch(graph.edges(queue[head + kAhead]).data());
      for (const Edge& edge : graph.edges(queue[head])) {
        if (!seen[edge.neighbour]) queue.push_back(edge.neighbour);
        seen[edge.neighbour] = true;
      }
    }
  }
  return queue;
}

}  // namespace

void MessageGraphMaker::make(std::vector<std::uint32_t> row_of, MessageGraph& graph) {
  graph.node_count = row_of.size();
  graph.row_of = std::move(row_of);
  sort_edges(graph.node_count, edges, sorted_);
  group_edges(edges, graph.node_count, graph.out);
  close_neighbourhoods(graph.out, graph.node_count, graph.closed);
  add_backward(graph, edges, sorted_);
  edges.clear();
  if (graph.node_count > 0) {
    for (std::uint32_t& item : graph.closed.items) item = graph.row_of[item];
  }
}

NodeOrder breadth_first_order(const GraphPair& pair, ThreadPool& pool) {
  NodeOrder order;
  order.left_count = pair.left().entity_count();
  order.entity_of.resize(pair.entity_count());
  order.node_of.resize(pair.entity_count());
  pool.run(2, [&](std::size_t number) {
    const Side side = number == 0 ? Side::left : Side::right;
    auto node = static_cast<std::uint32_t>(number == 0 ? 0 : order.left_count);
    for (const EntityId entity : breadth_first(pair.graph(side))) {
      order.entity_of[node] = pair.shared_id(side, entity);
      order.node_of[order.entity_of[node]] = node;
      ++node;
    }
  });
  return order;
}

MessageGraph whole_graph(const GraphPair& pair, const NodeOrder& order, ThreadPool& pool,
                         const WholeGraphOptions& options) {
  MessageGraph graph;
  graph.node_count = order.entity_of.size();
  graph.row_of.resize(graph.node_count);
  std::iota(graph.row_of.begin(), graph.row_of.end(), 0);
  graph.out = lists_of(NodeEdges(pair, order, options.self_loops), graph.node_count, pool);
  graph.closed = closed_neighbourhoods(graph.out, graph.node_count, pool);
  LargeVector<DirectedEdge> edges, sorted;
  if (!options.forward_only) add_backward(graph, edges, sorted);
  return graph;
}

std::size_t MessageGraph::memory_bytes() const {
  std::size_t numbers = 0;
  for (const EdgeLists* edges : {&out, &in}) {
    numbers += edges->node_begin.capacity() + edges->group_begin.capacity() + edges->relation.capacity() +
               edges->neighbour.capacity();
  }
  for (const NodeLists* lists : {&closed, &closed_in}) {
    numbers += lists->begin.capacity() + lists->items.capacity();
  }
  numbers += in_edge.capacity() + row_of.capacity() + stripes.capacity();
  return numbers * sizeof(std::uint32_t);
}

}  // namespace dovetail
