#pragma once

#include <dovetail/graph.h>
#include <dovetail/rules.h>

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "common/threads.h"
#include "evidence/relation_links.h"
#include "pairs/sparse_scores.h"

namespace dovetail {

/// A neighbour on either side that speaks for two entities being the same, or against it.
struct RuleReason {
  Edge left, right;  ///< from the two entities
  double belief;     ///< how likely the left neighbour is what speaks for or against: see RuleReasons
  double weight;     ///< what it adds to the evidence, for or against
};

/// Why two entities may be the same, or not. Largest weight first.
struct RuleReasons {
  /// The two neighbours are the same with probability `belief`, and the relations correspond.
  std::vector<RuleReason> in_favour;
  /// The left edge's relation corresponds to the right one's, but the right neighbour is another than the one
  /// that the left neighbour is, with probability `belief`.
  std::vector<RuleReason> against;
};

/// Two entities are the same if neighbours that are the same reach them by relations that mean the same and
/// that tell whose neighbour it is. For every edge (x, r, y), every y' that y may be and every edge
/// (x', r', y'), the evidence for (x, x') grows by
///
///     -log[(1 - p right_in_left ifun(r)) (1 - p left_in_right ifun(r'))],   p how likely y is y'.
///
/// A neighbour that a crowd shares by one relation says nothing. 1 - e^-evidence is the probability that at
/// least one of all these reasons holds, if they are independent.
class Rules {
 public:
  /// The pair outlives the rules.
  explicit Rules(const GraphPair& pair, const RuleOptions& options = {});

  [[nodiscard]] RelationLinks compare_relations(const Beliefs& beliefs, ThreadPool& pool) const;

  /// The evidence for `pairs`, and for up to `proposals` others in each row that have the most of it. Rows
  /// are positions in `left`, columns positions in `right`; a pair without any has 0.
  [[nodiscard]] SparseScores evidence(const Beliefs& beliefs, const RelationLinks& relations,
                                      std::span<const EntityId> left, std::span<const EntityId> right,
                                      const SparseScores& pairs, std::size_t proposals,
                                      ThreadPool& pool) const;

  /// Why two entities may be the same, or not.
  [[nodiscard]] RuleReasons reasons(const Beliefs& beliefs, const RelationLinks& relations, EntityId left,
                                    EntityId right) const;

 private:
  /// What an edge of a relation is worth beside one of another.
  struct Weight {
    RelationId back;  ///< the inverse of the right relation: from y' to x'
    float by_left, by_right;
    /// If the neighbours are the same with probability p.
    [[nodiscard]] float evidence(float p) const { return -std::log((1 - p * by_left) * (1 - p * by_right)); }
  };
  struct Weights;
  class RowSum;
  [[nodiscard]] Weight weight(const RelationLink& link) const;
  [[nodiscard]] Weights weigh(const RelationLinks& relations) const;
  /// Adds up what speaks for a left entity being each of the right ones.
  void gather(const Beliefs& beliefs, const Weights& weights, EntityId entity,
              std::span<const std::uint32_t> column_of, RowSum& sum) const;

  const GraphPair& pair_;
  RuleOptions options_;
  RelationComparer comparer_;
  std::vector<double> left_functionality_, right_functionality_;
};

}  // namespace dovetail
