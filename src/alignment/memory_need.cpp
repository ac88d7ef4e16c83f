#include "alignment/memory_need.h"

#include <dovetail/errors.h>

#include <cerrno>
#include <fmt/format.h>

#include "common/memory_limit.h"
#include "common/text.h"

namespace dovetail {

std::uint64_t least_memory_bytes(const GraphPair& pair, const AlignOptions& options) {
  // Measured with 6,000 and 18,000 entities, whose edges and names are in it: 4.3 KiB an entity, and 43 bytes
  // for each of its dimensions; rules alone on two million 1.6 KiB an entity. Taken smaller here, for a run
  // that would just fit must not be refused.
  constexpr std::uint64_t kEntity = 1024, kDimension = 32;
  const bool embeds = options.mode == Mode::basic || options.semi.strategy != Strategy::rules;
  return pair.entity_count() * (kEntity + (embeds ? kDimension * options.encoder.dimension : 0));
}

void check_memory(const GraphPair& pair, const AlignOptions& options) {
  const std::uint64_t need = least_memory_bytes(pair, options);
  const MemoryLimit limit = memory_limit();
  if (need <= limit.bytes) return;
  throw SystemError(
      fmt::format("this alignment needs at least {} of memory; found {}, the limit of {}; use a machine "
                  "with more, a smaller --dimension or --strategy rules",
                  human_bytes(need), human_bytes(limit.bytes), limit.origin),
      ENOMEM);
}

}  // namespace dovetail
