#include "pairs/decoy_share.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace dovetail {
namespace {

constexpr double kLeastPart = .4, kStep = .05;  // of the decoys that a ratio rests on
constexpr double kErrors = .5;                  // standard errors that a ratio may be larger than it looks

/// The score below which that share is.
double quantile(const BestScores& scores, double share) {
  const auto place = static_cast<std::size_t>(share * static_cast<double>(scores.count() - 1));
  return place < scores.nothing ? -std::numeric_limits<double>::infinity()
                                : scores.ascending[place - scores.nothing];
}

}  // namespace

double BestScores::share_up_to(double score) const {
  const auto scored = std::ranges::upper_bound(ascending, score) - ascending.begin();
  return static_cast<double>(nothing + static_cast<std::size_t>(scored)) / static_cast<double>(count());
}

double share_without_counterpart(const BestScores& best, const BestScores& decoys) {
  double share = 1;
  if (decoys.count() == 0 || best.count() == 0) return share;
  const auto entities = static_cast<double>(best.count());
  for (double at = kLeastPart; at < 1 + kStep / 2; at += kStep) {
    const double score = quantile(decoys, std::min(at, 1.0));
    // The least of several uncertain ratios is too small; that many standard errors more is not.
    const double below = entities * best.share_up_to(score);
    const double at_most = (below + kErrors * std::sqrt(below + 1)) / entities;
    share = std::min(share, at_most / decoys.share_up_to(score));
  }
  return share;
}

std::vector<double> isotonic(std::span<const double> values, std::span<const double> weights) {
  struct Block {
    double sum, weight;
    std::size_t count;
    [[nodiscard]] double mean() const { return sum / weight; }
  };
  std::vector<Block> blocks;
  for (std::size_t i = 0; i < values.size(); ++i) {
    blocks.push_back({values[i] * weights[i], weights[i], 1});
    while (blocks.size() > 1 && blocks[blocks.size() - 2].mean() > blocks.back().mean()) {
      const Block last = blocks.back();
      blocks.pop_back();
      blocks.back() = {blocks.back().sum + last.sum, blocks.back().weight + last.weight,
                       blocks.back().count + last.count};
    }
  }
  std::vector<double> out;
  for (const Block& block : blocks) out.insert(out.end(), block.count, block.mean());
  return out;
}

}  // namespace dovetail
