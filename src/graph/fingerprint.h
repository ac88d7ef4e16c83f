#pragma once

#include <dovetail/graph.h>
#include <dovetail/links.h>

#include <cstdint>

namespace dovetail {

/// Tells graphs and links from others: identifiers, labels, types, edges and links, by their numbers; also
/// literals if `with_literals`, which only graphs have that were read with them.
[[nodiscard]] std::uint64_t fingerprint(const GraphPair& graphs, const SeedLinks& links, bool with_literals);

}  // namespace dovetail
