#pragma once

#include <dovetail/align.h>

#include <span>
#include <vector>

namespace dovetail {

/// A place on the map; lengths have no unit.
struct MapPlace {
  double x = 0, y = 0;
};

struct MappedLink {
  MapPlace left, right;
};

/// Where the ends of links lie in the plane that their features spread most in: principal components of the
/// vectors that are matched. What sets all of one graph apart from all of the other is left out, for it tells
/// nothing of entities. The same links and model give the same map.
[[nodiscard]] std::vector<MappedLink> embedding_map(const GraphPair& pair, const Model& model,
                                                    const AlignOptions& options, std::span<const Link> links,
                                                    Observer& observer);

}  // namespace dovetail
