#pragma once

#include <dovetail/align.h>
#include <dovetail/graph.h>

#include <cstdint>

namespace dovetail {

/// What aligning the pair takes in memory, and not less: a run may need half as much again.
[[nodiscard]] std::uint64_t least_memory_bytes(const GraphPair& pair, const AlignOptions& options);

/// Throws SystemError if this process may not have that much, so that hours of work do not end in its being
/// killed.
void check_memory(const GraphPair& pair, const AlignOptions& options);

}  // namespace dovetail
