#include "encoder/message_graph.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace dovetail {
namespace {

/// Into the order (node, relation, neighbour): counted into nodes, then sorted within each.
void sort_edges(std::vector<DirectedEdge>& edges, std::size_t node_count) {
  std::vector<std::uint32_t> next(node_count + 1, 0);
  for (const DirectedEdge& edge : edges) ++next[edge.node + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<DirectedEdge> sorted(edges.size());
  for (const DirectedEdge& edge : edges) sorted[next[edge.node]++] = edge;
  std::uint32_t begin = 0;
  for (std::size_t node = 0; node < node_count; ++node) {
    std::sort(sorted.begin() + begin, sorted.begin() + next[node],
              [](const DirectedEdge& a, const DirectedEdge& b) {
                return std::pair(a.relation, a.neighbour) < std::pair(b.relation, b.neighbour);
              });
    begin = next[node];
  }
  edges = std::move(sorted);
}

EdgeLists group_edges(const std::vector<DirectedEdge>& sorted, std::size_t node_count) {
  EdgeLists lists;
  lists.node_begin.assign(node_count + 1, 0);
  lists.neighbour.reserve(sorted.size() + kPrefetchAhead);
  for (std::size_t e = 0; e < sorted.size(); ++e) {
    if (e == 0 || sorted[e].node != sorted[e - 1].node || sorted[e].relation != sorted[e - 1].relation) {
      ++lists.node_begin[sorted[e].node + 1];
      lists.relation.push_back(sorted[e].relation);
      lists.group_begin.push_back(static_cast<std::uint32_t>(e));
    }
    lists.neighbour.push_back(sorted[e].neighbour);
  }
  std::partial_sum(lists.node_begin.begin(), lists.node_begin.end(), lists.node_begin.begin());
  lists.group_begin.push_back(static_cast<std::uint32_t>(sorted.size()));
  lists.neighbour.insert(lists.neighbour.end(), kPrefetchAhead, 0);
  lists.relation.insert(lists.relation.end(), kPrefetchAhead, 0);
  return lists;
}

/// node -> it and its distinct neighbours, ascending.
NodeLists closed_neighbourhoods(const EdgeLists& edges, std::size_t node_count) {
  NodeLists lists;
  lists.begin.reserve(node_count + 1);
  lists.begin.push_back(0);
  lists.items.reserve(edges.edge_count() + node_count + kPrefetchAhead);
  for (std::uint32_t node = 0; node < node_count; ++node) {
    const auto begin = static_cast<std::ptrdiff_t>(lists.items.size());
    lists.items.push_back(node);
    lists.items.insert(lists.items.end(),
                       edges.neighbour.begin() + static_cast<std::ptrdiff_t>(edges.first_edge(node)),
                       edges.neighbour.begin() + static_cast<std::ptrdiff_t>(edges.first_edge(node + 1)));
    std::sort(lists.items.begin() + begin, lists.items.end());
    lists.items.erase(std::unique(lists.items.begin() + begin, lists.items.end()), lists.items.end());
    lists.begin.push_back(static_cast<std::uint32_t>(lists.items.size()));
  }
  lists.items.insert(lists.items.end(), kPrefetchAhead, 0);
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

}  // namespace

MessageGraph make_message_graph(std::vector<DirectedEdge> edges, std::vector<std::uint32_t> row_of) {
  MessageGraph graph;
  graph.node_count = row_of.size();
  graph.row_of = std::move(row_of);
  sort_edges(edges, graph.node_count);
  graph.out = group_edges(edges, graph.node_count);
  graph.closed = closed_neighbourhoods(graph.out, graph.node_count);
  for (std::size_t e = 0; e < edges.size(); ++e) {
    std::swap(edges[e].node, edges[e].neighbour);
    edges[e].number = static_cast<std::uint32_t>(e);
  }
  sort_edges(edges, graph.node_count);
  graph.in = group_edges(edges, graph.node_count);
  graph.closed_in = closed_neighbourhoods(graph.in, graph.node_count);
  graph.in_edge.reserve(edges.size());
  for (const DirectedEdge& edge : edges) graph.in_edge.push_back(edge.number);
  graph.stripes = make_stripes(graph.in, graph.node_count);
  if (graph.node_count > 0) {
    for (std::uint32_t& item : graph.closed.items) item = graph.row_of[item];
  }
  return graph;
}

NodeOrder breadth_first_order(const GraphPair& pair) {
  NodeOrder order;
  order.left_count = pair.left().entity_count();
  order.entity_of.reserve(pair.entity_count());
  for (const Side side : {Side::left, Side::right}) {
    const KnowledgeGraph& graph = pair.graph(side);
    std::vector<EntityId> starts(graph.entity_count());
    std::iota(starts.begin(), starts.end(), 0);
    std::stable_sort(starts.begin(), starts.end(),
                     [&](EntityId a, EntityId b) { return graph.degree(a) > graph.degree(b); });
    std::vector<bool> seen(graph.entity_count(), false);
    std::vector<EntityId> queue;
    queue.reserve(graph.entity_count());
    std::size_t head = 0;
    for (const EntityId start : starts) {
      if (seen[start]) continue;
      seen[start] = true;
      queue.push_back(start);
      for (; head < queue.size(); ++head) {
        for (const Edge& edge : graph.edges(queue[head])) {
          if (!seen[edge.neighbour]) queue.push_back(edge.neighbour);
          seen[edge.neighbour] = true;
        }
      }
    }
    for (const EntityId entity : queue) order.entity_of.push_back(pair.shared_id(side, entity));
  }
  order.node_of.resize(order.entity_of.size());
  for (std::uint32_t node = 0; node < order.entity_of.size(); ++node) {
    order.node_of[order.entity_of[node]] = node;
  }
  return order;
}

MessageGraph whole_graph(const GraphPair& pair, const NodeOrder& order, bool self_loops) {
  std::vector<DirectedEdge> edges;
  edges.reserve(2 * (pair.left().triple_count() + pair.right().triple_count()));
  for (const Side side : {Side::left, Side::right}) {
    const KnowledgeGraph& graph = pair.graph(side);
    for (EntityId entity = 0; entity < graph.entity_count(); ++entity) {
      const std::uint32_t node = order.node_of[pair.shared_id(side, entity)];
      if (self_loops) edges.push_back({node, static_cast<std::uint32_t>(2 * pair.relation_count()), node});
      for (const Edge& edge : graph.edges(entity)) {
        edges.push_back({node, pair.shared_relation(side, edge.relation),
                         order.node_of[pair.shared_id(side, edge.neighbour)]});
      }
    }
  }
  std::vector<std::uint32_t> identity(order.entity_of.size());
  std::iota(identity.begin(), identity.end(), 0);
  return make_message_graph(std::move(edges), std::move(identity));
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
