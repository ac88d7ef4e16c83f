#pragma once

#include <dovetail/graph.h>
#include <dovetail/links.h>

#include <cstdint>

namespace dovetail {

/// Tells graphs and links from others: identifiers, labels, edges and links, by their numbers.
[[nodiscard]] std::uint64_t fingerprint(const GraphPair& graphs, const SeedLinks& links);

}  // namespace dovetail
