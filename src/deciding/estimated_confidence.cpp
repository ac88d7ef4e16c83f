#include "deciding/estimated_confidence.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "pairs/decoy_share.h"

namespace dovetail {
namespace {

constexpr std::size_t kMostBins = 40;
constexpr std::size_t kLinksInBin = 12;
constexpr float kSure = 0.8F;
constexpr std::size_t kFewSure = 20;

/// Upper bounds of bins that hold about equally many of the ascending values; equal values share a bin.
std::vector<float> bin_bounds(std::span<const float> ascending) {
  const std::size_t bins = std::clamp<std::size_t>(ascending.size() / kLinksInBin, 1, kMostBins);
  std::vector<float> bounds;
  for (std::size_t b = 1; b < bins; ++b) {
    const float bound = ascending[ascending.size() * b / bins];
    if (bounds.empty() || bound > bounds.back()) bounds.push_back(bound);
  }
  return bounds;
}

std::vector<double> counts(std::span<const float> values, std::span<const float> bounds) {
  std::vector<double> count(bounds.size() + 1, 0);
  for (const float value : values) ++count[std::ranges::upper_bound(bounds, value) - bounds.begin()];
  return count;
}

/// The share of rows without counterpart that leaves no more wrong links than links.
double share_of(std::span<const float> ascending, const Decoys& decoys) {
  BestScores made{.ascending = {decoys.chosen.begin(), decoys.chosen.end()},
                  .nothing = decoys.tried - decoys.chosen.size()};
  std::ranges::sort(made.ascending);
  const BestScores links{.ascending = {ascending.begin(), ascending.end()},
                         .nothing = decoys.rows - std::min(decoys.rows, ascending.size())};
  return share_without_counterpart(links, made);
}

}  // namespace

EstimatedConfidence::EstimatedConfidence(std::span<const float> links, std::span<const Decoys> decoys) {
  share_.assign(decoys.size(), 1);
  if (links.empty()) return;
  share_.clear();
  for (const Decoys& made : decoys) examples_ = std::max(examples_, made.tried);
  std::vector<float> ascending(links.begin(), links.end());
  std::ranges::sort(ascending);
  const std::vector<float> bounds = bin_bounds(ascending);
  const std::vector<double> count = counts(ascending, bounds);
  // Each decoy stands for some wrong links. Both sides' decoys count the same wrong links: with counts as
  // Poisson variables the likeliest number is the decoys' sum over the sum of what a link is in decoys.
  std::vector<double> wrong(count.size(), 0);
  double decoys_of_link = 0;
  for (const Decoys& made : decoys) {
    const std::vector<double> chosen = counts(made.chosen, bounds);
    share_.push_back(made.tried == 0 ? 0 : share_of(ascending, made));
    if (share_.back() <= 0) continue;
    decoys_of_link += static_cast<double>(made.tried) / (share_.back() * static_cast<double>(made.rows));
    for (std::size_t b = 0; b < wrong.size(); ++b) wrong[b] += chosen[b];
  }
  for (double& number : wrong) number = decoys_of_link > 0 ? number / decoys_of_link : 0;
  std::vector<double> weight(count.size());
  std::vector<double> mean(count.size(), 0);
  for (const float value : ascending) mean[std::ranges::upper_bound(bounds, value) - bounds.begin()] += value;
  for (std::size_t b = 0; b < count.size(); ++b) {
    if (count[b] == 0) continue;
    at_.push_back(mean[b] / count[b]);
    value_.push_back(1 - std::min(1.0, wrong[b] / count[b]));
    // Where no decoy went nothing is known: such bins give way to those above them.
    weight[value_.size() - 1] = std::min(wrong[b], count[b]) + 1;
  }
  weight.resize(value_.size());
  value_ = isotonic(value_, weight);
}

double EstimatedConfidence::operator()(double probability) const {
  if (at_.empty()) return 0;
  const auto above = std::ranges::upper_bound(at_, probability);
  if (above == at_.begin()) return value_.front();
  if (above == at_.end()) return value_.back();
  const auto n = static_cast<std::size_t>(above - at_.begin());
  const double part = (probability - at_[n - 1]) / (at_[n] - at_[n - 1]);
  return value_[n - 1] + part * (value_[n] - value_[n - 1]);
}

EstimatedConfidence estimate_confidence(const LinkProbabilities& probabilities) {
  std::vector<Decision> links = mutual_best(probabilities.pairs);
  std::ranges::stable_sort(links, std::ranges::greater(), &Decision::score);
  std::vector<float> chances;
  for (const Decision& link : links) chances.push_back(link.score);
  std::size_t sure = static_cast<std::size_t>(
      std::ranges::find_if(links, [](const Decision& link) { return link.score < kSure; }) - links.begin());
  if (sure < kFewSure) sure = (links.size() + 1) / 2;
  links.resize(sure);
  std::vector<Decoys> decoys{row_decoys(probabilities, links)};
  for (Decision& link : links) std::swap(link.row, link.column);
  decoys.push_back(row_decoys(transposed(probabilities), links));
  return {chances, decoys};
}

}  // namespace dovetail
