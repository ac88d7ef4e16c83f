#pragma once

#include <dovetail/evidence.h>
#include <dovetail/graph.h>

#include <cmath>
#include <set>
#include <tuple>
#include <vector>

#include "evidence/rules.h"

namespace dovetail {

/// The formulas as they are written, over all triples of both graphs, without indices or order.
struct NaiveRules {
  struct Triple {
    EntityId head;
    RelationId relation;
    EntityId tail;
  };

  const GraphPair& pair;
  std::vector<Triple> left, right;  ///< in both directions

  explicit NaiveRules(const GraphPair& graphs)
      : pair(graphs), left(triples(graphs.left())), right(triples(graphs.right())) {}

  static std::vector<Triple> triples(const KnowledgeGraph& graph) {
    std::vector<Triple> all;
    for (EntityId head = 0; head < graph.entity_count(); ++head) {
      for (const Edge& edge : graph.edges(head)) all.push_back({head, edge.relation, edge.neighbour});
    }
    return all;
  }

  static double functionality(const std::vector<Triple>& all, RelationId relation) {
    std::set<EntityId> tails;
    double edges = 0;
    for (const Triple& triple : all) {
      if (triple.relation != relation) continue;
      tails.insert(triple.tail);
      ++edges;
    }
    return edges == 0 ? 0 : static_cast<double>(tails.size()) / edges;
  }

  static float belief(const Beliefs& beliefs, EntityId row, EntityId column) {
    const std::size_t at = find_column(beliefs, row, column);
    return at == SparseScores::kAbsent ? 0 : beliefs.score[at];
  }

  /// The belief of a pair that is the best of its row and column and over .3, else 0. Beliefs differ.
  static double partner(const Beliefs& beliefs, EntityId row, EntityId column) {
    const float own = belief(beliefs, row, column);
    for (EntityId other = 0; other < beliefs.columns; ++other) {
      if (belief(beliefs, row, other) > own) return 0;
    }
    for (EntityId other = 0; other < beliefs.rows(); ++other) {
      if (belief(beliefs, other, column) > own) return 0;
    }
    return own >= 0.3F ? static_cast<double>(own) : 0;
  }

  [[nodiscard]] RelationLink compare(const Beliefs& beliefs, RelationId of_left, RelationId of_right) const {
    double seen = 0, left_known = 0, right_known = 0;
    const auto sure = [&](EntityId head, EntityId tail, bool is_left) {
      double of_head = 0, of_tail = 0;
      const std::size_t others = is_left ? beliefs.columns : beliefs.rows();
      for (EntityId other = 0; other < others; ++other) {
        of_head += is_left ? partner(beliefs, head, other) : partner(beliefs, other, head);
        of_tail += is_left ? partner(beliefs, tail, other) : partner(beliefs, other, tail);
      }
      return of_head * of_tail;
    };
    for (const Triple& a : left) {
      if (a.relation != of_left) continue;
      left_known += sure(a.head, a.tail, true);
      for (const Triple& b : right) {
        if (b.relation != of_right) continue;
        seen += partner(beliefs, a.head, b.head) * partner(beliefs, a.tail, b.tail);
      }
    }
    for (const Triple& b : right) {
      if (b.relation == of_right) right_known += sure(b.head, b.tail, false);
    }
    return {of_left, of_right, seen, seen / (1 + left_known), seen / (1 + right_known)};
  }

  [[nodiscard]] double evidence(const Beliefs& beliefs, const RelationLinks& relations, EntityId x,
                                EntityId other) const {
    double sum = 0;
    for (const Triple& a : left) {
      if (a.head != x) continue;
      for (const Triple& b : right) {
        if (b.head != other) continue;
        const double p = static_cast<double>(belief(beliefs, a.tail, b.tail));
        if (p <= 0.05F) continue;
        for (const RelationLink& link : relations.of(a.relation)) {
          if (link.right != b.relation) continue;
          const double by_left = std::min(0.99, link.right_in_left * functionality(left, a.relation));
          const double by_right = std::min(0.99, link.left_in_right * functionality(right, b.relation));
          if (by_left + by_right >= 0.005) sum -= std::log((1 - p * by_left) * (1 - p * by_right));
        }
      }
    }
    return sum;
  }
};

}  // namespace dovetail
