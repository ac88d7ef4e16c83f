#include "generator/calibration.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace dovetail {

namespace {

constexpr std::uint32_t kSample = 1 << 16;
// Of counting and correcting. Repetitions and lonely entities do not grow in proportion, and where they
// matter once is not enough.
constexpr int kRounds = 4;
constexpr int kSampledRounds = 2;
constexpr std::uint64_t kDense = 4;  // triples per entity from which lonely entities no longer matter

/// What the sides get from a sample of the heads, left and right.
struct Census {
  std::array<std::uint64_t, 2> triples{};
  std::array<std::uint64_t, 2> lonely{};  // entities without a triple; known only if all heads are counted
};

Census take_census(const HiddenGraph& hidden, const Placement& placement, std::uint32_t sample) {
  Census census;
  const bool whole = sample == placement.hidden_count();
  std::array<std::vector<bool>, 2> joined;
  for (std::vector<bool>& side : joined) side.resize(whole ? placement.side_count() : 0);
  std::vector<HiddenTriple> triples;
  for (std::uint32_t i = 0; i < sample; ++i) {
    const std::uint32_t hidden_head = placement.sample(i, sample);
    hidden.triples_of(hidden_head, triples);
    for (const Side side : {Side::left, Side::right}) {
      const auto s = static_cast<std::size_t>(side);
      const std::uint32_t head = placement.number(side, hidden_head);
      if (head == kNone) continue;
      for (const HiddenTriple& triple : triples) {
        if (!triple.is_on(side)) continue;
        const std::uint32_t tail = placement.number(side, triple.tail);
        if (tail == kNone) continue;
        ++census.triples[s];
        if (whole) joined[s][head] = joined[s][tail] = true;
      }
    }
  }
  for (std::size_t s = 0; s < 2; ++s) {
    census.lonely[s] = static_cast<std::uint64_t>(std::count(joined[s].begin(), joined[s].end(), false));
  }
  return census;
}

}  // namespace

std::uint64_t noise_count(const GenerateOptions& options) {
  return static_cast<std::uint64_t>(
      std::llround(static_cast<double>(options.triples) * options.difference.noise));
}

void calibrate(HiddenGraph& hidden, const Placement& placement, const GenerateOptions& options) {
  const std::uint64_t noise = noise_count(options);
  const bool whole = options.triples < kDense * options.entities || placement.hidden_count() <= kSample;
  const std::uint32_t sample = whole ? placement.hidden_count() : kSample;
  const std::uint64_t wanted = 2 * (options.triples - noise) * sample / placement.hidden_count();
  for (int round = 0; round < (whole ? kRounds : kSampledRounds); ++round) {
    const Census census = take_census(hidden, placement, sample);
    // Lonely entities get a triple at the end, unless a random one has joined them by then.
    const std::uint64_t left_alone = options.entities - std::min(options.entities, 2 * noise);
    const std::uint64_t added = (census.lonely[0] + census.lonely[1]) * left_alone / options.entities;
    const std::uint64_t target = wanted - std::min(wanted, added);
    hidden.scale_triples(std::max<std::uint64_t>(target, 1),
                         std::max<std::uint64_t>(census.triples[0] + census.triples[1], 1));
    hidden.balance_sides(census.triples[0], census.triples[1]);
  }
}

}  // namespace dovetail
