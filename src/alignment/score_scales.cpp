#include "alignment/score_scales.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "alignment/confidence_fit.h"

namespace dovetail {
namespace {

constexpr std::size_t kIterations = 50;
/// Half of this times the squared weights joins the loss; weights are tens.
constexpr double kPenalty = 1e-3;
constexpr double kLeastWeight = 0.1;

/// First and second derivatives of the log-likelihood in the two weights.
struct Derivatives {
  std::array<double, 2> gradient{};
  std::array<double, 3> curvature{};  // structure, both, names; of the negative
};

void add_row(const SparseScores& structure, const SparseScores& names, std::size_t row, std::size_t wanted,
             const std::array<double, 2>& weight, Derivatives& sums) {
  const auto at = [&](std::uint64_t n) { return std::array<double, 2>{structure.score[n], names.score[n]}; };
  const auto logit = [&](std::uint64_t n) { return weight[0] * at(n)[0] + weight[1] * at(n)[1]; };
  double highest = -INFINITY;
  for (std::uint64_t n = structure.begin[row]; n < structure.begin[row + 1]; ++n) {
    highest = std::max(highest, logit(n));
  }
  double total = 0;
  std::array<double, 2> mean{};
  std::array<double, 3> square{};
  for (std::uint64_t n = structure.begin[row]; n < structure.begin[row + 1]; ++n) {
    const double p = std::exp(logit(n) - highest);
    const auto [s, t] = at(n);
    total += p;
    mean = {mean[0] + p * s, mean[1] + p * t};
    square = {square[0] + p * s * s, square[1] + p * s * t, square[2] + p * t * t};
  }
  mean = {mean[0] / total, mean[1] / total};
  for (std::size_t k = 0; k < 2; ++k) sums.gradient[k] += at(wanted)[k] - mean[k];
  sums.curvature[0] += square[0] / total - mean[0] * mean[0];
  sums.curvature[1] += square[1] / total - mean[0] * mean[1];
  sums.curvature[2] += square[2] / total - mean[1] * mean[1];
}

}  // namespace

ScoreScales fit_scales(const SparseScores& structure, const SparseScores& names, RowPairs wanted) {
  std::array<double, 2> weight{1, 1};
  for (std::size_t iteration = 0; iteration < kIterations; ++iteration) {
    Derivatives sums;
    for (const auto& [row, column] : wanted) {
      const std::size_t place = find_column(structure, row, column);
      if (place != SparseScores::kAbsent) add_row(structure, names, row, place, weight, sums);
    }
    for (std::size_t k = 0; k < 2; ++k) sums.gradient[k] -= kPenalty * weight[k];
    const double a = sums.curvature[0] + kPenalty, b = sums.curvature[1], c = sums.curvature[2] + kPenalty;
    const double determinant = a * c - b * b;
    const std::array<double, 2> step{(c * sums.gradient[0] - b * sums.gradient[1]) / determinant,
                                     (a * sums.gradient[1] - b * sums.gradient[0]) / determinant};
    // The likelihood is concave, but a full step from far away may overshoot.
    const double longest = std::max(std::abs(step[0]), std::abs(step[1]));
    const double share = std::min(1.0, 5 / std::max(longest, 1e-12));
    for (std::size_t k = 0; k < 2; ++k) weight[k] += share * step[k];
    if (longest < 1e-6) break;
  }
  return {1 / std::max(weight[0], kLeastWeight), 1 / std::max(weight[1], kLeastWeight)};
}

std::optional<ScoreScales> learn_scales(const GraphPair& pair, const SeedLinks& links, const Pools& pools,
                                        const AlignOptions& options, const NameSimilarity& names,
                                        Observer& observer) {
  const std::optional<HeldOut> held = hold_out(links, pools, options);
  if (!held) return std::nullopt;
  Workbench bench(pair, held->options, &observer);
  Progress progress;
  Observer silent;
  const Trained trained = train_once(bench, held->kept, silent, progress);
  const PairScorer scorer(held->pools, &names, bench.options(), bench.pool());
  const PairScores scores =
      scorer.score(bench.vectors(trained.parameters, trained.start(bench), held->pools));
  const MatchingOptions& matching = bench.options().matching;
  return fit_scales(csls_scores(scores.structure, matching), csls_scores(*scores.names, matching),
                    rows_of(pair, held->pools, held->links));
}

}  // namespace dovetail
