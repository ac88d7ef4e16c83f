#pragma once

#include <dovetail/evaluation.h>

#include <cstdint>
#include <string>
#include <vector>

namespace dovetail {

/// A predicted link by the names of its two ends.
struct NamedLink {
  std::string left;
  std::string right;
  double score = 0;
};

/// How good predicted links are, against links known to be right.
struct LinkMetrics {
  std::uint64_t predicted = 0;  ///< left entities with a prediction that the gold links speak of
  std::uint64_t gold = 0;
  std::uint64_t correct = 0;
  std::uint64_t unjudged = 0;  ///< predictions for entities that no gold link speaks of
  double precision = 0;        ///< correct / predicted
  double recall = 0;           ///< correct / gold
  double f1 = 0;
  bool ranked =
      false;  ///< whether some left entity has several candidates; only then are `ranks` of interest
  /// Of the gold links, the right one among the candidates; one that is not among them counts as never found.
  RankMetrics ranks;
};

/// A left entity's prediction is its candidate with the highest score; equal scores count against it.
/// Predictions for left entities that no gold link names are counted but not judged.
[[nodiscard]] LinkMetrics link_metrics(const std::vector<NamedLink>& predicted,
                                       const std::vector<NamedLink>& gold);

}  // namespace dovetail
