#include "evidence/likely_pairs.h"

#include <algorithm>
#include <cmath>

#include "evidence/rules.h"
#include "pairs/best_pairs.h"

namespace dovetail {

float chance_of(float evidence) {
  return 1 - std::exp(-evidence);
}

SparseScores likely_pairs(const GraphPair& pair, std::span<const Link> links, std::span<const EntityId> left,
                          std::span<const EntityId> right, const RuleOptions& options,
                          const BeliefOptions& limits, ThreadPool& pool) {
  const Rules rules(pair, options);
  const auto beliefs_with = [&](std::span<const Decision> followed) {
    SparseBuilder beliefs(pair.left().entity_count(), pair.right().entity_count());
    for (const Link& link : links) beliefs.add(link.left, link.right, 1);
    for (const Decision& one : followed) beliefs.add(one.row, one.column, one.score);
    return beliefs.build();
  };
  Beliefs beliefs = beliefs_with({});
  SparseScores likely;
  for (std::size_t round = 0; round < options.likely_rounds; ++round) {
    likely = rules.evidence(beliefs, rules.compare_relations(beliefs, pool), left, right,
                            no_pairs(left.size(), right.size()), options.support_proposals, pool);
    std::vector<Decision> followed;
    for (const Decision& best : mutual_best(likely)) {
      const float belief = std::min(chance_of(best.score), static_cast<float>(limits.most));
      if (belief <= static_cast<float>(limits.support)) continue;
      followed.push_back({left[best.row], right[best.column], belief});
    }
    beliefs = beliefs_with(followed);
  }
  return likely;
}

}  // namespace dovetail
