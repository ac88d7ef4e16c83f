#pragma once

#include <dovetail/graph.h>
#include <dovetail/links.h>

#include <vector>

namespace dovetail {

/// Which entities may be matched with each other, ascending.
struct Pools {
  std::vector<EntityId> left, right;
  std::vector<Link> apart = {};  ///< pairs that may not be matched all the same, ascending; of any entities
  std::vector<Link> known = {};  ///< links that signals may learn from, ascending; of other entities
};
/// Closed world: the entities of these links only.
[[nodiscard]] Pools closed_pools(const std::vector<Link>& links);
/// Open world: every entity that is in none of these links.
[[nodiscard]] Pools open_pools(const GraphPair& pair, const std::vector<Link>& taken);

}  // namespace dovetail
