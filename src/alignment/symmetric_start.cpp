#include "alignment/symmetric_start.h"

#include <algorithm>
#include <numeric>
#include <string_view>

#include "common/text_hash.h"

namespace dovetail {
namespace {

/// 31 bits, so that an update has numbers left for what is new.
std::uint32_t as_key(std::uint64_t hash) {
  return static_cast<std::uint32_t>(hash >> 33);
}

/// A number for the graph as a whole that does not depend on the order of its entities. Entities of two
/// graphs with the same identifier are so kept apart.
std::uint64_t graph_hash(const KnowledgeGraph& graph) {
  std::uint64_t sum = mix64(graph.triple_count());
  for (EntityId entity = 0; entity < graph.entity_count(); ++entity) sum += text_hash(graph.entity(entity));
  return mix64(sum);
}

}  // namespace

SymmetricStart symmetric_start(const Workbench& bench, std::span<const Link> links) {
  const GraphPair& pair = bench.pair();
  SymmetricStart start;
  std::vector<std::uint32_t>& entities = start.keys.entities;
  std::vector<std::uint32_t>& relations = start.keys.relations;
  entities.resize(pair.entity_count());
  relations.resize(bench.layout().relation_rows);
  std::iota(relations.begin(), relations.end(), 0U);  // of self-loops
  const auto inverse = static_cast<RelationId>(pair.relation_count());
  std::uint64_t salt[2];
  for (const Side side : {Side::left, Side::right}) {
    const KnowledgeGraph& graph = pair.graph(side);
    const std::uint64_t own = salt[side == Side::left ? 0 : 1] = graph_hash(graph);
    for (EntityId entity = 0; entity < graph.entity_count(); ++entity) {
      entities[pair.shared_id(side, entity)] = as_key(mix64(text_hash(graph.entity(entity)) ^ own));
    }
    for (RelationId relation = 0; relation < graph.relation_count(); ++relation) {
      const std::uint64_t hash = text_hash(graph.relation(relation));
      const RelationId row = pair.shared_relation(side, relation);
      relations[row] = as_key(hash);
      relations[row + inverse] = as_key(mix64(hash));
    }
  }
  const std::vector<NodePair> nodes = bench.nodes(links);
  std::vector<std::size_t> order(links.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto key = [&](std::size_t n) {
    const std::uint64_t left = entities[pair.shared_id(Side::left, links[n].left)];
    const std::uint64_t right = entities[pair.shared_id(Side::right, links[n].right)];
    return mix64(left ^ salt[0]) + mix64(right ^ salt[1]);
  };
  std::vector<std::uint64_t> keys(links.size());
  for (std::size_t n = 0; n < links.size(); ++n) keys[n] = key(n);
  std::ranges::stable_sort(order, {}, [&](std::size_t n) { return keys[n]; });
  const bool left_first = salt[0] <= salt[1];
  for (const std::size_t n : order) {
    start.links.push_back(left_first ? nodes[n] : NodePair{nodes[n].right, nodes[n].left});
    std::uint32_t& left = entities[pair.shared_id(Side::left, links[n].left)];
    std::uint32_t& right = entities[pair.shared_id(Side::right, links[n].right)];
    left = right = std::min(left, right);
  }
  return start;
}

}  // namespace dovetail
