#pragma once

#include <dovetail/graph.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace dovetail {

/// "These two are the same thing": an entity of the left graph and one of the right, each by the number it
/// has in its own graph.
struct Link {
  EntityId left;
  EntityId right;
  bool operator==(const Link&) const = default;
  auto operator<=>(const Link&) const = default;
};

/// Known links, divided by what they may be used for.
struct SeedLinks {
  std::vector<Link> train;  ///< what is learned from
  std::vector<Link> valid;  ///< when to stop, how to calibrate
  std::vector<Link> test;   ///< looked at for evaluation only
  /// Pairs known not to be the same, ascending. kNone in place of an entity stands for all of its graph: the
  /// other entity of the pair has no counterpart.
  std::vector<Link> apart;
  std::string origin;          ///< where they came from, in words
  std::uint64_t unknown = 0;   ///< links left out because they name an entity that is in neither graph
  std::uint64_t repeated = 0;  ///< links left out because the same pair was there already

  [[nodiscard]] std::size_t size() const { return train.size() + valid.size() + test.size(); }
};

/// Whether a pair is kept apart: it, or one of its entities from all others. `apart` as in SeedLinks.
[[nodiscard]] bool kept_apart(std::span<const Link> apart, const Link& link);

/// How a set of links is divided where the source does not say.
struct SplitOptions {
  double seed_ratio = 0.3;   ///< share of the links that becomes `train`
  double valid_ratio = 0.0;  ///< share of the links that becomes `valid`; the rest is `test`
  std::uint64_t seed = 1;
};

/// Divides `links` at random; the same links in the same order with the same seed give the same split.
[[nodiscard]] SeedLinks split_links(std::vector<Link> links, const SplitOptions& options);

}  // namespace dovetail
