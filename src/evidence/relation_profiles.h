#pragma once

#include <dovetail/graph.h>

#include <span>
#include <utility>
#include <vector>

#include "pairs/best_pairs.h"

namespace dovetail {

/// How far relations of two graphs go together by which relations entities have that are held to be the same.
/// Edges between two known entities say more, but where few entities are known there are none.
class RelationProfiles {
 public:
  /// `same`: pairs of entities and how surely they are the same. Where they are many, profiles say nothing:
  /// there are edges then.
  RelationProfiles(const GraphPair& pair, std::span<const Decision> same);

  /// The right relations, inverse ones included, that go with this left one more often than by chance, with
  /// the share of entities that have one of the two and, beyond chance, both; ascending. Both directions of a
  /// relation count together.
  [[nodiscard]] const std::vector<std::pair<RelationId, double>>& of(RelationId left) const {
    return by_left_[left];
  }

 private:
  std::vector<std::vector<std::pair<RelationId, double>>> by_left_;
};

}  // namespace dovetail
