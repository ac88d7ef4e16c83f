#include "pairs/best_pairs.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace dovetail {
namespace {

constexpr std::uint32_t kFree = std::numeric_limits<std::uint32_t>::max();

/// The pair with the best score of a row that has any.
std::uint64_t best_pair(const SparseScores& scores, std::size_t row) {
  std::uint64_t best = scores.begin[row];
  for (std::uint64_t pair = best + 1; pair < scores.begin[row + 1]; ++pair) {
    if (scores.score[pair] > scores.score[best]) best = pair;
  }
  return best;
}

}  // namespace

std::vector<Decision> best_of_rows(const SparseScores& scores) {
  std::vector<Decision> decisions;
  for (std::uint32_t row = 0; row < scores.rows(); ++row) {
    if (scores.begin[row] == scores.begin[row + 1]) continue;
    const std::uint64_t best = best_pair(scores, row);
    decisions.push_back({row, scores.column[best], scores.score[best]});
  }
  return decisions;
}

std::vector<Decision> best_of_columns(const SparseScores& scores) {
  std::vector<Decision> decisions = best_of_rows(transposed(scores));
  for (Decision& decision : decisions) std::swap(decision.row, decision.column);
  std::ranges::sort(decisions, [](const Decision& a, const Decision& b) {
    return a.row != b.row ? a.row < b.row : a.column < b.column;
  });
  return decisions;
}

std::vector<Decision> mutual_best(const SparseScores& scores) {
  std::vector<std::uint32_t> best_row(scores.columns, kFree);
  for (const Decision& pair : best_of_columns(scores)) best_row[pair.column] = pair.row;
  std::vector<Decision> pairs = best_of_rows(scores);
  std::erase_if(pairs, [&](const Decision& pair) { return best_row[pair.column] != pair.row; });
  return pairs;
}

}  // namespace dovetail
