#pragma once

#include <dovetail/graph.h>

#include <cstdint>
#include <vector>

#include "pairs/beliefs.h"

namespace dovetail {

/// How far a class of the left graph and one of the right graph have the same members.
struct ClassLink {
  std::uint32_t left, right;  ///< numbers in classes_of() of the graphs
  double seen;                ///< pairs of entities of both classes, each by its belief
  double left_in_right;       ///< of the left one's members whose counterparts have classes, the share in the
                              ///< right one
  double right_in_left;       ///< the same the other way round
};

/// By the pairs that are believed to be the same: classes of the left graph by ascending number, for each the
/// likeliest of the right graph first. Those that hardly ever go together are left out.
[[nodiscard]] std::vector<ClassLink> class_links(const GraphPair& pair, const Beliefs& beliefs);

}  // namespace dovetail
