#include <dovetail/link_metrics.h>

#include <algorithm>
#include <map>
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

using Ends = std::pair<std::string_view, std::string_view>;

Ends ends(const NamedLink& link) {
  return {link.left, link.right};
}

std::set<Ends> pairs_of(const std::vector<NamedLink>& links) {
  std::set<Ends> pairs;
  for (const NamedLink& link : links) pairs.insert(ends(link));
  return pairs;
}

/// The names on each side of links.
struct Named {
  std::unordered_set<std::string_view> left, right;

  explicit Named(const std::vector<NamedLink>& links) {
    for (const NamedLink& link : links) {
      left.insert(link.left);
      right.insert(link.right);
    }
  }
  [[nodiscard]] bool has_end_of(const NamedLink& link) const {
    return left.contains(link.left) || right.contains(link.right);
  }
};

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
  const Named named(gold);
  return std::ranges::any_of(predicted, [&](const NamedLink& link) { return named.has_end_of(link); });
}

StrictMetrics strict_metrics(const std::vector<NamedLink>& predicted, const std::vector<NamedLink>& gold) {
  const std::set<Ends> known = pairs_of(gold);
  std::map<Ends, double> score;
  for (const NamedLink& link : predicted) {
    const auto [place, is_new] = score.emplace(ends(link), link.score);
    if (!is_new) place->second = std::max(place->second, link.score);
  }
  std::vector<std::pair<double, bool>> found;
  for (const auto& [link, value] : score) found.emplace_back(value, known.contains(link));
  std::ranges::sort(found, [](const auto& a, const auto& b) { return a.first > b.first; });
  StrictMetrics metrics;
  std::uint64_t correct = 0;
  for (std::size_t n = 0; n < found.size(); ++n) {
    correct += found[n].second ? 1 : 0;
    if (n + 1 < found.size() && found[n + 1].first == found[n].first) continue;
    const double f1 = precision_recall(correct, n + 1, known.size()).f1;
    if (f1 <= metrics.best_f1) continue;
    metrics.best_f1 = f1;
    metrics.best_score = found[n].first;
  }
  static_cast<PrecisionRecall&>(metrics) = precision_recall(correct, found.size(), known.size());
  return metrics;
}

Calibration link_calibration(const std::vector<NamedLink>& predicted, const std::vector<NamedLink>& gold,
                             bool complete) {
  const std::set<Ends> known = pairs_of(gold);
  const Named named(gold);
  std::vector<double> confidence;
  std::vector<std::uint8_t> right;
  for (const NamedLink& link : predicted) {
    if (!link.confidence || !(complete || named.has_end_of(link))) continue;
    confidence.push_back(*link.confidence);
    right.push_back(known.contains(ends(link)) ? 1 : 0);
  }
  return calibration(confidence, right, Bins::equal_count);
}

void leave_out_seeds(const std::vector<NamedLink>& seeds, std::vector<NamedLink>& predicted,
                     std::vector<NamedLink>& gold) {
  const std::set<Ends> given = pairs_of(seeds);
  std::erase_if(gold, [&](const NamedLink& link) { return given.contains(ends(link)); });
  const Named seeded(seeds), asked(gold);
  std::erase_if(predicted, [&](const NamedLink& link) {
    return given.contains(ends(link)) ||
           (seeded.left.contains(link.left) && !asked.left.contains(link.left)) ||
           (seeded.right.contains(link.right) && !asked.right.contains(link.right));
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
