#include "values/decoys.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "pairs/decoy_share.h"

namespace dovetail {

namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();
constexpr double kSureMargin = 2;  // in logits, from which the best of a row and column is sure
constexpr std::size_t kFewestDecoys = 50;
constexpr std::size_t kMostBins = 40, kDecoysInBin = 10;

struct BestTwo {
  double first = kNever, second = kNever;
  std::uint32_t at = UINT32_MAX;
  std::uint8_t group = 0;  // of the best pair
  void offer(double score, std::uint32_t number, std::uint8_t its_group) {
    if (score > first) {
      second = first;
      first = score;
      at = number;
      group = its_group;
    } else {
      second = std::max(second, score);
    }
  }
};

struct Samples {
  BestScores best;    // of every entity of the smaller side
  BestScores decoys;  // second best of those that are sure
};

/// By group, then those of all groups.
std::vector<Samples> sample(const SparseScores& scores, std::span<const std::uint8_t> group,
                            std::size_t groups) {
  std::vector<BestTwo> rows(scores.rows()), columns(scores.columns);
  for (std::uint32_t row = 0; row < scores.rows(); ++row) {
    for (std::uint64_t n = scores.begin[row]; n < scores.begin[row + 1]; ++n) {
      rows[row].offer(scores.score[n], scores.column[n], group[n]);
      columns[scores.column[n]].offer(scores.score[n], row, group[n]);
    }
  }
  const bool by_row = rows.size() <= columns.size();
  const std::vector<BestTwo>& own = by_row ? rows : columns;
  const std::vector<BestTwo>& others = by_row ? columns : rows;
  std::vector<Samples> samples(groups + 1);
  for (std::uint32_t n = 0; n < own.size(); ++n) {
    if (own[n].at == UINT32_MAX) continue;
    const bool mutual = others[own[n].at].at == n;
    const bool sure = mutual && own[n].second > kNever && own[n].first - own[n].second > kSureMargin;
    for (Samples* const to : {&samples[own[n].group], &samples.back()}) {
      to->best.ascending.push_back(own[n].first);
      if (sure) to->decoys.ascending.push_back(own[n].second);
    }
  }
  for (Samples& each : samples) {
    std::ranges::sort(each.best.ascending);
    std::ranges::sort(each.decoys.ascending);
  }
  return samples;
}

double quantile(const std::vector<double>& sorted, double share) {
  return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))];
}

DecoyEstimate estimate_of(const Samples& samples, double least_share) {
  DecoyEstimate estimate{least_share, samples.best.count() == 0 ? 0 : samples.best.ascending.front() - 1};
  if (samples.decoys.count() < kFewestDecoys) return estimate;
  estimate.share = std::max(share_without_counterpart(samples.best, samples.decoys), least_share);

  std::vector<double> pooled = samples.best.ascending;
  pooled.insert(pooled.end(), samples.decoys.ascending.begin(), samples.decoys.ascending.end());
  std::ranges::sort(pooled);
  const std::size_t bins = std::min(kMostBins, samples.decoys.count() / kDecoysInBin);
  std::vector<double> ends;  // of bins, the last one open
  for (std::size_t bin = 1; bin <= bins; ++bin) {
    const double end = quantile(pooled, static_cast<double>(bin) / static_cast<double>(bins));
    if (ends.empty() || end > ends.back()) ends.push_back(end);
  }
  std::vector<double> right(ends.size()), weights(ends.size());
  double best_before = 0, decoys_before = 0;
  for (std::size_t bin = 0; bin < ends.size(); ++bin) {
    const double best = samples.best.share_up_to(ends[bin]), decoys = samples.decoys.share_up_to(ends[bin]);
    const double h = best - best_before + .5 / static_cast<double>(samples.best.count());
    const double g = decoys - decoys_before + .5 / static_cast<double>(samples.decoys.count());
    right[bin] = 1 - estimate.share * g / h;
    weights[bin] = h;
    best_before = best;
    decoys_before = decoys;
  }
  const std::vector<double> rising = isotonic(right, weights);
  const auto likely = std::ranges::find_if(rising, [](double chance) { return chance > .5; });
  const auto bin = static_cast<std::size_t>(likely - rising.begin());
  if (bin == 0) return estimate;
  estimate.price = likely == rising.end() ? ends.back() + 1 : ends[bin - 1];
  return estimate;
}

}  // namespace

std::vector<DecoyEstimate> estimate_by_decoys(const SparseScores& scores, std::span<const std::uint8_t> group,
                                              std::size_t groups, std::span<const DecoyEstimate> least) {
  const std::vector<Samples> samples = sample(scores, group, groups);
  const auto least_share = [&](std::size_t n) { return least.empty() ? 0.0 : least[n].share; };
  std::vector<DecoyEstimate> estimates(groups + 1);
  estimates.back() = estimate_of(samples.back(), least_share(groups));
  for (std::size_t n = 0; n < groups; ++n) {
    const bool enough = samples[n].decoys.count() >= kFewestDecoys;
    estimates[n] = enough ? estimate_of(samples[n], least_share(n)) : estimates.back();
  }
  return estimates;
}

}  // namespace dovetail
