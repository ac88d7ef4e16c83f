#include "generator/placement.h"

#include <algorithm>
#include <cmath>

namespace dovetail {

namespace {

enum Purpose : std::uint64_t { kOrder = 100, kLeft, kRight, kLinks };

std::uint32_t single_count(const GenerateOptions& options) {
  return static_cast<std::uint32_t>(
      std::llround(static_cast<double>(options.entities) * options.difference.dangling));
}

}  // namespace

Placement::Placement(const GenerateOptions& options)
    : shared_(static_cast<std::uint32_t>(options.entities) - single_count(options)),
      single_(single_count(options)),
      order_(hidden_count(), derived_seed(options.seed, kOrder)),
      left_(side_count(), derived_seed(options.seed, kLeft)),
      right_(side_count(), derived_seed(options.seed, kRight)),
      links_(std::max(shared_, 1U), derived_seed(options.seed, kLinks)) {}

}  // namespace dovetail
