#include "evidence/relation_profiles.h"

#include <algorithm>
#include <map>

#include "evidence/relation_links.h"

namespace dovetail {
namespace {

/// Known pairs of entities above which the edges between them say enough.
constexpr std::size_t kMostPairs = 1000;

/// Calls visit(relation) for each relation that an entity has, once.
template <typename Visit>
void for_each_relation_of(const KnowledgeGraph& graph, EntityId entity, const Visit& visit) {
  RelationId last = kNone;
  for (const Edge& edge : graph.edges(entity)) {
    if (edge.relation != last) visit(edge.relation);
    last = edge.relation;
  }
}

/// Sums of how surely entities are the same: of those that have a relation, and of those that have two.
struct Counts {
  std::vector<double> left, right;
  std::vector<std::map<RelationId, double>> both;
  double all = 0;

  /// How much more often the two go together than by chance.
  [[nodiscard]] double excess(RelationId of_left, RelationId of_right) const {
    const auto found = both[of_left].find(of_right);
    if (found == both[of_left].end()) return 0;
    return std::max(0.0, found->second - left[of_left] * right[of_right] / (all + 1));
  }
  [[nodiscard]] double more(RelationId of_left, RelationId of_right) const {
    return std::max(left[of_left], right[of_right]);
  }
};

Counts count(const GraphPair& pair, std::span<const Decision> same) {
  Counts counts{.left = std::vector<double>(2 * pair.left().relation_count(), 0),
                .right = std::vector<double>(2 * pair.right().relation_count(), 0),
                .both = std::vector<std::map<RelationId, double>>(2 * pair.left().relation_count())};
  for (const Decision& known : same) {
    const auto sure = static_cast<double>(known.score);
    counts.all += sure;
    for_each_relation_of(pair.right(), known.column, [&](RelationId r) { counts.right[r] += sure; });
    for_each_relation_of(pair.left(), known.row, [&](RelationId r) {
      counts.left[r] += sure;
      for_each_relation_of(pair.right(), known.column,
                           [&](RelationId other) { counts.both[r][other] += sure; });
    });
  }
  return counts;
}

}  // namespace

RelationProfiles::RelationProfiles(const GraphPair& pair, std::span<const Decision> same)
    : by_left_(2 * pair.left().relation_count()) {
  if (same.size() > kMostPairs) return;
  const Counts counts = count(pair, same);
  for (RelationId r = 0; r < by_left_.size(); ++r) {
    const RelationId back = inverse(pair.left(), r);
    std::map<RelationId, double> candidates = counts.both[r];
    for (const auto& [other, sure] : counts.both[back])
      candidates.try_emplace(inverse(pair.right(), other), 0);
    for (const auto& [other, sure] : candidates) {
      const RelationId other_back = inverse(pair.right(), other);
      const double excess = counts.excess(r, other) + counts.excess(back, other_back);
      if (excess <= 0) continue;
      by_left_[r].emplace_back(other, excess / (1 + counts.more(r, other) + counts.more(back, other_back)));
    }
  }
}

}  // namespace dovetail
