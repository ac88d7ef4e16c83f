#include "evidence/relation_links.h"

#include <algorithm>

#include "pairs/best_pairs.h"

namespace dovetail {
namespace {

/// For each entity of one side who it is held to be, and how surely.
struct Partners {
  std::vector<EntityId> entity;
  std::vector<float> probability;

  explicit Partners(std::size_t count) : entity(count, kNone), probability(count, 0) {}
  void put(EntityId own, EntityId other, float sure) {
    entity[own] = other;
    probability[own] = sure;
  }
  /// How surely both ends of a triple are known; 0 if one of them is not.
  [[nodiscard]] double both(EntityId head, EntityId tail) const {
    return static_cast<double>(probability[head]) * static_cast<double>(probability[tail]);
  }
};

/// Calls visit(relation) for each edge from `head` to `tail`, looking through the shorter of their lists.
template <typename Visit>
void for_each_relation(const KnowledgeGraph& graph, EntityId head, EntityId tail, const Visit& visit) {
  if (graph.degree(head) <= graph.degree(tail)) {
    for (const Edge& edge : graph.edges(head)) {
      if (edge.neighbour == tail) visit(edge.relation);
    }
  } else {
    for (const Edge& edge : graph.edges(tail)) {
      if (edge.neighbour == head) visit(inverse(graph, edge.relation));
    }
  }
}

/// For each relation, inverse ones included, the edges whose two ends are known.
template <typename Triples>
std::vector<double> known_edges(const Triples& triples, const Partners& partners) {
  const std::size_t relations = triples.rows();
  std::vector<double> known(2 * relations, 0);
  for (std::size_t r = 0; r < relations; ++r) {
    for (const auto& [head, tail] : triples[r]) known[r] += partners.both(head, tail);
    known[relations + r] = known[r];
  }
  return known;
}

}  // namespace

RelationLinks::RelationLinks(std::vector<std::vector<RelationLink>> by_left) {
  for (const std::vector<RelationLink>& links : by_left) {
    for (const RelationLink& link : links) links_.push_back(link);
    links_.end_row();
  }
}

std::string relation_path(const KnowledgeGraph& graph, RelationId relation) {
  const auto count = static_cast<RelationId>(graph.relation_count());
  return relation < count ? std::string(graph.relation(relation))
                          : "^" + std::string(graph.relation(relation - count));
}

std::vector<double> inverse_functionality(const KnowledgeGraph& graph) {
  const std::size_t relations = 2 * graph.relation_count();
  std::vector<double> edges(relations, 0), holders(relations, 0);
  for (EntityId entity = 0; entity < graph.entity_count(); ++entity) {
    RelationId last = kNone;
    for (const Edge& edge : graph.edges(entity)) {
      ++edges[edge.relation];
      if (edge.relation != last) ++holders[edge.relation];
      last = edge.relation;
    }
  }
  std::vector<double> result(relations, 0);
  for (RelationId r = 0; r < relations; ++r) {
    if (edges[r] > 0) result[r] = holders[inverse(graph, r)] / edges[r];
  }
  return result;
}

RelationComparer::Triples RelationComparer::triples_of(const KnowledgeGraph& graph) {
  return Triples::grouped(graph.relation_count(), [&](const auto& body) {
    for (EntityId head = 0; head < graph.entity_count(); ++head) {
      for (const Edge& edge : graph.edges(head)) {
        if (edge.relation < graph.relation_count()) body(edge.relation, Ends{head, edge.neighbour});
      }
    }
  });
}

RelationComparer::RelationComparer(const GraphPair& pair)
    : pair_(pair), left_(triples_of(pair.left())), right_(triples_of(pair.right())) {}

RelationLinks RelationComparer::compare(const Beliefs& beliefs, double least, ThreadPool& pool) const {
  const KnowledgeGraph& left = pair_.left();
  const KnowledgeGraph& right = pair_.right();
  Partners of_left(left.entity_count()), of_right(right.entity_count());
  for (const Decision& pair : mutual_best(beliefs)) {
    if (pair.score < least) continue;
    of_left.put(pair.row, pair.column, pair.score);
    of_right.put(pair.column, pair.row, pair.score);
  }
  const std::vector<double> left_known = known_edges(left_, of_left);
  const std::vector<double> right_known = known_edges(right_, of_right);
  const std::size_t relations = left.relation_count();
  std::vector<std::vector<RelationLink>> links(2 * relations);
  pool.for_ranges(relations, 16, [&](std::size_t first, std::size_t last) {
    std::vector<double> seen(2 * right.relation_count(), 0);
    for (std::size_t r = first; r < last; ++r) {
      std::vector<RelationId> touched;
      for (const Ends& ends : left_[r]) {
        const double sure = of_left.both(ends.head, ends.tail);
        if (sure == 0) continue;
        for_each_relation(right, of_left.entity[ends.head], of_left.entity[ends.tail], [&](RelationId other) {
          if (seen[other] == 0) touched.push_back(other);
          seen[other] += sure;
        });
      }
      for (const RelationId other : touched) {
        const RelationLink link{.left = static_cast<RelationId>(r),
                                .right = other,
                                .seen = seen[other],
                                .left_in_right = seen[other] / (1 + left_known[r]),
                                .right_in_left = seen[other] / (1 + right_known[other])};
        links[r].push_back(link);
        links[relations + r].push_back(link);
        links[relations + r].back().left = static_cast<RelationId>(relations + r);
        links[relations + r].back().right = inverse(right, other);
        seen[other] = 0;
      }
      std::ranges::sort(links[r], {}, &RelationLink::right);
      std::ranges::sort(links[relations + r], {}, &RelationLink::right);
    }
  });
  return RelationLinks(std::move(links));
}

}  // namespace dovetail
