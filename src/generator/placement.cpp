#include "generator/placement.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

#include "common/random.h"

namespace dovetail {

namespace {

enum PlacePurpose : std::uint64_t { kPlaceOrder = 100, kLeft, kRight, kLinks, kTogether, kIsolated };

std::uint32_t share_of(std::uint64_t count, double share) {
  return static_cast<std::uint32_t>(std::llround(static_cast<double>(count) * share));
}

}  // namespace

PlacementCounts::PlacementCounts(const GenerateOptions& options) {
  const std::uint64_t smaller = std::min(options.entities, options.right_entities);
  shared = static_cast<std::uint32_t>(smaller) - share_of(smaller, options.difference.dangling);
  left_only = static_cast<std::uint32_t>(options.entities) - shared;
  right_only = static_cast<std::uint32_t>(options.right_entities) - shared;
  copies = share_of(shared, options.difference.duplicates);
}

Placement::Placement(const GenerateOptions& options, HiddenGraph& hidden)
    : counts_(options),
      order_(hidden_count(), derived_seed(options.seed, kPlaceOrder)),
      left_(side_count(Side::left), derived_seed(options.seed, kLeft)),
      right_(side_count(Side::right), derived_seed(options.seed, kRight)),
      links_(std::max(counts_.shared, 1U), derived_seed(options.seed, kLinks)),
      isolated_{{{share_of(side_count(Side::left), options.difference.isolated),
                  Permutation(side_count(Side::left), derived_seed(options.seed, kIsolated))},
                 {share_of(side_count(Side::right), options.difference.isolated),
                  Permutation(side_count(Side::right), derived_seed(options.seed, kIsolated + 1))}}} {
  if (counts_.left_only != counts_.right_only) put_together(hidden);
}

void Placement::put_together(HiddenGraph& hidden) {
  // The smaller side's entities: community after community, in a random order of these.
  std::vector<std::uint32_t> rank(hidden.community_count());
  std::iota(rank.begin(), rank.end(), 0U);
  Random random(derived_seed(hidden.seed(), kTogether));
  random.shuffle(std::span(rank));
  std::vector<std::uint32_t> entities(hidden_count());
  std::iota(entities.begin(), entities.end(), 0U);
  std::ranges::stable_sort(entities, {},
                           [&](std::uint32_t entity) { return rank[hidden.community(entity)]; });
  const std::uint32_t alone = std::min(counts_.left_only, counts_.right_only);
  const std::span<std::uint32_t> together = std::span(entities).first(counts_.shared + alone);
  random.shuffle(together);
  random.shuffle(std::span(entities).subspan(together.size()));
  std::vector<bool> core(hidden_count());
  for (const std::uint32_t entity : together) core[entity] = true;
  hidden.keep_within(std::move(core));
  // Shared ones first, then those of the left alone: the rest of the smaller side or all others.
  if (counts_.right_only < counts_.left_only) {
    std::ranges::rotate(entities.begin() + counts_.shared,
                        entities.begin() + static_cast<std::ptrdiff_t>(together.size()), entities.end());
  }
  place_.resize(entities.size());
  for (std::uint32_t place = 0; place < entities.size(); ++place) place_[entities[place]] = place;
  at_place_ = std::move(entities);
}

}  // namespace dovetail
