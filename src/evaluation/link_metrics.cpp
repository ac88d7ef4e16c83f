#include <dovetail/link_metrics.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace dovetail {

namespace {

double ratio(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

/// The rank of `right` among candidates: one more than those with at least its score. 0 if it is not there.
std::uint32_t rank_of(std::string_view right, const std::vector<const NamedLink*>& candidates) {
  const auto found = std::find_if(candidates.begin(), candidates.end(),
                                  [&](const NamedLink* link) { return link->right == right; });
  if (found == candidates.end()) return 0;
  std::uint32_t rank = 1;
  for (const NamedLink* other : candidates) {
    if (other->right != right && other->score >= (*found)->score) ++rank;
  }
  return rank;
}

}  // namespace

PrecisionRecall precision_recall(std::uint64_t correct, std::uint64_t predicted, std::uint64_t gold) {
  PrecisionRecall out{predicted, gold, correct, ratio(correct, predicted), ratio(correct, gold), 0};
  const double sum = out.precision + out.recall;
  out.f1 = sum == 0 ? 0 : 2 * out.precision * out.recall / sum;
  return out;
}

bool share_entities(const std::vector<NamedLink>& predicted, const std::vector<NamedLink>& gold) {
  std::unordered_set<std::string_view> left, right;
  for (const NamedLink& link : gold) {
    left.insert(link.left);
    right.insert(link.right);
  }
  return std::ranges::any_of(predicted, [&](const NamedLink& link) {
    return left.contains(link.left) || right.contains(link.right);
  });
}

LinkMetrics link_metrics(const std::vector<NamedLink>& predicted, const std::vector<NamedLink>& all_gold) {
  std::vector<NamedLink> gold;  // a link that is there twice counts once
  std::set<std::pair<std::string_view, std::string_view>> seen;
  for (const NamedLink& link : all_gold) {
    if (seen.emplace(link.left, link.right).second) gold.push_back(link);
  }
  std::unordered_map<std::string_view, std::vector<const NamedLink*>> candidates;
  for (const NamedLink& link : predicted) candidates[link.left].push_back(&link);
  LinkMetrics metrics;
  std::unordered_set<std::string_view> judged;
  std::uint64_t correct = 0;
  const double share = ratio(1, gold.size());
  metrics.ranks.count = gold.size();
  for (const NamedLink& link : gold) {
    const auto found = candidates.find(link.left);
    if (found == candidates.end()) continue;
    judged.insert(link.left);
    metrics.ranked = metrics.ranked || found->second.size() > 1;
    const std::uint32_t rank = rank_of(link.right, found->second);
    if (rank == 0) continue;
    correct += rank == 1 ? 1 : 0;
    metrics.ranks.hits_at_1 += rank <= 1 ? share : 0;
    metrics.ranks.hits_at_5 += rank <= 5 ? share : 0;
    metrics.ranks.hits_at_10 += rank <= 10 ? share : 0;
    metrics.ranks.mrr += share / rank;
  }
  metrics.unjudged = candidates.size() - judged.size();
  static_cast<PrecisionRecall&>(metrics) = precision_recall(correct, judged.size(), gold.size());
  return metrics;
}

}  // namespace dovetail
