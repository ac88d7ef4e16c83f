#pragma once

#include <dovetail/evidence.h>
#include <dovetail/graph.h>

#include <algorithm>
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
    double together = seen;
    const double expected = profile(beliefs, of_left, of_right);
    if (seen > 0 || expected >= 0.1 * (1 + std::min(left_known, right_known)))
      together = std::max(seen, expected);
    return {of_left, of_right, seen, together / (1 + left_known), together / (1 + right_known)};
  }

  static bool has(const std::vector<Triple>& all, EntityId entity, RelationId relation) {
    return std::ranges::any_of(
        all, [&](const Triple& triple) { return triple.head == entity && triple.relation == relation; });
  }

  /// The share of entities that have one of two relations, in either direction, and both, beyond chance.
  [[nodiscard]] double profile(const Beliefs& beliefs, RelationId of_left, RelationId of_right) const {
    double excess = 0, count = 1;
    for (const bool back : {false, true}) {
      const RelationId l = back ? inverse(pair.left(), of_left) : of_left;
      const RelationId r = back ? inverse(pair.right(), of_right) : of_right;
      double all = 0, on_left = 0, on_right = 0, both = 0;
      for (EntityId x = 0; x < beliefs.rows(); ++x) {
        for (EntityId y = 0; y < beliefs.columns; ++y) {
          const double same = partner(beliefs, x, y);
          if (same == 0) continue;
          all += same;
          if (has(left, x, l)) on_left += same;
          if (has(right, y, r)) on_right += same;
          if (has(left, x, l) && has(right, y, r)) both += same;
        }
      }
      excess += std::max(0.0, both - on_left * on_right / (all + 1));
      count += std::max(on_left, on_right);
    }
    return excess / count;
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
