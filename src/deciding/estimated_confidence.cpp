#include "deciding/estimated_confidence.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace dovetail {
namespace {

constexpr std::size_t kMostBins = 40;
constexpr std::size_t kLinksInBin = 12;
/// Decoys that a bound on the share without counterpart must rest on.
constexpr std::size_t kDecoysForBound = 10;
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

/// The largest share of rows without counterpart that leaves no bin, taken together with all below it and
/// with the rows that have no link, with more wrong links than links.
double bound_on_share(std::span<const double> links, std::span<const double> chosen, const Decoys& decoys) {
  const auto rows = static_cast<double>(decoys.rows), tried = static_cast<double>(decoys.tried);
  double linked = 0, made = 0;
  for (const double count : links) linked += count;
  for (const double count : chosen) made += count;
  double below = std::max(0.0, rows - linked), decoys_below = tried - made, share = 1;
  for (std::size_t b = 0; b <= links.size(); ++b) {
    if (decoys_below >= kDecoysForBound) share = std::min(share, below * tried / (rows * decoys_below));
    if (b == links.size()) break;
    below += links[b];
    decoys_below += chosen[b];
  }
  return share;
}

/// Makes values ascend by pooling neighbours that do not, each by its weight.
void pool_violators(std::vector<double>& values, std::span<const double> weights) {
  struct Block {
    double sum, weight;
    std::size_t count;
    [[nodiscard]] double mean() const { return sum / weight; }
  };
  std::vector<Block> blocks;
  for (std::size_t n = 0; n < values.size(); ++n) {
    blocks.push_back({values[n] * weights[n], weights[n], 1});
    while (blocks.size() > 1 && blocks[blocks.size() - 2].mean() >= blocks.back().mean()) {
      const Block last = blocks.back();
      blocks.pop_back();
      blocks.back().sum += last.sum;
      blocks.back().weight += last.weight;
      blocks.back().count += last.count;
    }
  }
  std::size_t n = 0;
  for (const Block& block : blocks) {
    for (std::size_t i = 0; i < block.count; ++i) values[n++] = block.mean();
  }
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
    share_.push_back(made.tried == 0 ? 0 : bound_on_share(count, chosen, made));
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
  pool_violators(value_, weight);
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
