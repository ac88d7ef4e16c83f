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
  for (const Side side : {Side::left, Side::right}) {
    joined[static_cast<std::size_t>(side)].resize(whole ? placement.side_count(side) : 0);
  }
  std::vector<HiddenTriple> triples;
  for (std::uint32_t i = 0; i < sample; ++i) {
    const std::uint32_t hidden_head = placement.sample(i, sample);
    hidden.triples_of(hidden_head, triples);
    for (const Side side : {Side::left, Side::right}) {
      const auto s = static_cast<std::size_t>(side);
      const std::uint32_t head = placement.number(side, hidden_head);
      if (head == kNone || placement.is_isolated(side, head)) continue;
      for (const HiddenTriple& triple : triples) {
        if (!triple.is_on(side)) continue;
        const std::uint32_t tail = placement.number(side, triple.tail);
        if (tail == kNone || placement.is_isolated(side, tail)) continue;
        ++census.triples[s];
        if (whole) joined[s][head] = joined[s][tail] = true;
      }
    }
  }
  for (const Side side : {Side::left, Side::right}) {
    const auto s = static_cast<std::size_t>(side);
    const auto alone = static_cast<std::uint64_t>(std::count(joined[s].begin(), joined[s].end(), false));
    census.lonely[s] = alone - std::min<std::uint64_t>(alone, placement.isolated_count(side));
  }
  return census;
}

}  // namespace

std::uint64_t noise_count(const GenerateOptions& options, Side side) {
  return static_cast<std::uint64_t>(
      std::llround(static_cast<double>(triples_of_side(options, side)) * options.difference.noise));
}

void calibrate(HiddenGraph& hidden, const Placement& placement, const GenerateOptions& options) {
  const std::uint64_t left_triples = triples_of_side(options, Side::left),
                      right_triples = triples_of_side(options, Side::right);
  const std::uint64_t noise = noise_count(options, Side::left) + noise_count(options, Side::right);
  const std::uint64_t entities = options.entities + options.right_entities;
  const bool whole = options.triples < kDense * options.entities || placement.hidden_count() <= kSample;
  const std::uint32_t sample = whole ? placement.hidden_count() : kSample;
  const std::uint64_t wanted = (left_triples + right_triples - noise) * sample / placement.hidden_count();
  for (int round = 0; round < (whole ? kRounds : kSampledRounds); ++round) {
    const Census census = take_census(hidden, placement, sample);
    // Lonely entities get a triple at the end, unless a random one has joined them by then.
    const std::uint64_t left_alone = entities - std::min(entities, 2 * noise);
    const std::uint64_t added = (census.lonely[0] + census.lonely[1]) * left_alone / entities;
    const std::uint64_t target = wanted - std::min(wanted, added);
    hidden.scale_triples(std::max<std::uint64_t>(target, 1),
                         std::max<std::uint64_t>(census.triples[0] + census.triples[1], 1));
    // As shares of what each side is to have; no factor where they are to have the same.
    const bool alike = left_triples == right_triples;
    hidden.balance_sides(census.triples[0] * (alike ? 1 : right_triples),
                         census.triples[1] * (alike ? 1 : left_triples));
  }
}

}  // namespace dovetail
