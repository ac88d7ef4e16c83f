#include <dovetail/link_metrics.h>

#include <set>
#include <vector>

namespace dovetail {
namespace {

using Entities = std::set<EntityId>;

Entities as_set(const std::vector<EntityId>& entities) {
  return {entities.begin(), entities.end()};
}

/// `linked`: the entities of this side that are known to have a counterpart.
PrecisionRecall judge_none(const Entities& predicted, const Entities& known, const Entities& linked,
                           std::uint64_t& unjudged) {
  std::uint64_t correct = 0;
  std::uint64_t judged = 0;
  for (const EntityId entity : predicted) {
    const bool right = known.contains(entity);
    const bool spoken_of = right || linked.contains(entity);
    correct += right ? 1 : 0;
    judged += spoken_of ? 1 : 0;
    unjudged += spoken_of ? 0 : 1;
  }
  return precision_recall(correct, judged, known.size());
}

}  // namespace

VerdictMetrics verdict_metrics(const Verdicts& predicted, const Verdicts& known) {
  const std::set<Link> gold(known.links.begin(), known.links.end());
  const Entities none_left = as_set(known.none_left);
  const Entities none_right = as_set(known.none_right);
  Entities linked_left, linked_right;
  for (const Link& link : gold) {
    linked_left.insert(link.left);
    linked_right.insert(link.right);
  }
  VerdictMetrics metrics;
  std::uint64_t correct = 0;
  std::uint64_t judged = 0;
  for (const Link& link : std::set<Link>(predicted.links.begin(), predicted.links.end())) {
    correct += gold.contains(link) ? 1 : 0;
    const bool spoken_of = linked_left.contains(link.left) || none_left.contains(link.left) ||
                           linked_right.contains(link.right) || none_right.contains(link.right);
    judged += spoken_of ? 1 : 0;
    metrics.unjudged_links += spoken_of ? 0 : 1;
  }
  metrics.links = precision_recall(correct, judged, gold.size());
  metrics.none_left = judge_none(as_set(predicted.none_left), none_left, linked_left, metrics.unjudged_none);
  metrics.none_right =
      judge_none(as_set(predicted.none_right), none_right, linked_right, metrics.unjudged_none);
  return metrics;
}

}  // namespace dovetail
