#pragma once

#include <dovetail/graph.h>

#include <cstddef>
#include <cstdint>
#include <optional>
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
  std::vector<Link> train;     ///< what is learned from
  std::vector<Link> valid;     ///< when to stop, how to calibrate
  std::vector<Link> test;      ///< looked at for evaluation only
  std::vector<Link> apart;     ///< pairs known not to be the same, ascending
  std::string origin;          ///< where they came from, in words
  std::uint64_t unknown = 0;   ///< links left out because they name an entity that is in neither graph
  std::uint64_t repeated = 0;  ///< links left out because the same pair was there already

  [[nodiscard]] std::size_t size() const { return train.size() + valid.size() + test.size(); }
};

/// How a set of links is divided where the source does not say.
struct SplitOptions {
  double seed_ratio = 0.3;   ///< share of the links that becomes `train`
  double valid_ratio = 0.0;  ///< share of the links that becomes `valid`; the rest is `test`
  std::uint64_t seed = 1;
};

/// Divides `links` at random; the same links in the same order with the same seed give the same split.
[[nodiscard]] SeedLinks split_links(std::vector<Link> links, const SplitOptions& options);

}  // namespace dovetail
