#pragma once

#include <dovetail/graph.h>
#include <dovetail/links.h>

#include <cstdint>

namespace dovetail {

/// The first version, which runs of 0.1.0 have, leaves out literals.
enum class FingerprintVersion : std::uint32_t { without_literals = 1, with_literals = 2 };
inline constexpr FingerprintVersion kFingerprintVersion = FingerprintVersion::with_literals;

/// Tells graphs and links from others: identifiers, labels, edges, links and literals (whether or not these
/// are kept), by their numbers.
[[nodiscard]] std::uint64_t fingerprint(const GraphPair& graphs, const SeedLinks& links,
                                        FingerprintVersion version = kFingerprintVersion);

}  // namespace dovetail
