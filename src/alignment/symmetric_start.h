#pragma once

#include <span>
#include <vector>

#include "alignment/workbench.h"

namespace dovetail {

/// What a training starts from and in what order it sees its links, by what entities and relations are called
/// alone: neither the side nor the place in a file that they come from makes a difference.
struct SymmetricStart {
  InitialKeys keys;             ///< two ends of a link share a key, so that they start with one embedding
  std::vector<NodePair> links;  ///< in an order of their own; of two graphs the same one always comes first
};

[[nodiscard]] SymmetricStart symmetric_start(const Workbench& bench, std::span<const Link> links);

}  // namespace dovetail
