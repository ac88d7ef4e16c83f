#pragma once

#include <dovetail/calibration.h>
#include <dovetail/evaluation.h>
#include <dovetail/links.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dovetail {

/// A predicted link by the names of its two ends.
struct NamedLink {
  std::string left;
  std::string right;
  double score = 0;
  std::optional<double> confidence{};  ///< where a file says how likely the link is right
};

/// How good predicted links are, against links known to be right. Predicted counts the left entities with a
/// prediction that the gold links speak of.
struct LinkMetrics : PrecisionRecall {
  std::uint64_t unjudged = 0;  ///< predictions for entities that no gold link speaks of
  bool ranked =
      false;  ///< whether some left entity has several candidates; only then are `ranks` of interest
  /// Of the gold links, the right one among the candidates; one that is not among them counts as never found.
  RankMetrics ranks;
};

/// A left entity's prediction is its candidate with the highest score; equal scores count against it.
/// Predictions for left entities that no gold link names are counted but not judged.
[[nodiscard]] LinkMetrics link_metrics(const std::vector<NamedLink>& predicted,
                                       const std::vector<NamedLink>& gold);

/// How good predicted links are where the gold is complete: every other link is wrong.
struct StrictMetrics : PrecisionRecall {
  double best_f1 = 0;  ///< the highest if only links from some score on are kept; equal scores stay together
  double best_score = 0;  ///< that score
};

/// Every predicted link counts on its own. One that is there twice counts once, with its higher score.
[[nodiscard]] StrictMetrics strict_metrics(const std::vector<NamedLink>& predicted,
                                           const std::vector<NamedLink>& gold);

/// Whether confidences of predicted links mean what they say, in bins of equal count. If the gold is
/// `complete` all links are looked at that have a confidence, else those with an end that a gold link names.
[[nodiscard]] Calibration link_calibration(const std::vector<NamedLink>& predicted,
                                           const std::vector<NamedLink>& gold, bool complete);

/// Leaves out of the gold what an alignment was given as seeds, and of the predicted links those of the
/// seeds' entities, unless other gold links name these.
void leave_out_seeds(const std::vector<NamedLink>& seeds, std::vector<NamedLink>& predicted,
                     std::vector<NamedLink>& gold);

/// Keeps the links whose left entity has a part that matches a regular expression, in ICU's syntax. Throws
/// ParameterError where it is none.
void keep_matching(const std::string& expression, std::vector<NamedLink>& links);

/// Whether predicted and gold links have an entity of the same side in common. Where not, metrics are zeros
/// that say nothing: the links are of other graphs, or their columns are swapped.
[[nodiscard]] bool share_entities(const std::vector<NamedLink>& predicted,
                                  const std::vector<NamedLink>& gold);

/// What is said, or known, of entities: links, and entities that have no counterpart.
struct Verdicts {
  std::vector<Link> links = {};
  std::vector<EntityId> none_left = {}, none_right = {};
};

struct VerdictMetrics {
  PrecisionRecall links;  ///< every predicted link on its own, also where an entity has several
  PrecisionRecall none_left, none_right;  ///< of the verdicts "no counterpart"
  std::uint64_t unjudged_links = 0;       ///< predicted links of two entities that `known` says nothing of
  std::uint64_t unjudged_none = 0;        ///< "no counterpart" for entities that `known` says nothing of
};

/// What `known` does not speak of is counted but not judged: that an entity has no known link does not mean
/// that it has no counterpart. A link is judged if `known` speaks of either end. A verdict that is there
/// twice counts once.
[[nodiscard]] VerdictMetrics verdict_metrics(const Verdicts& predicted, const Verdicts& known);

}  // namespace dovetail
