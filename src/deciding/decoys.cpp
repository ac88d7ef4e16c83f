#include "deciding/decoys.h"

#include <algorithm>
#include <cstdint>

namespace dovetail {
namespace {

/// Passes in which a row and its candidates' columns settle; the row has the last word, as in sinkhorn().
constexpr std::size_t kDecoyPasses = 6;

/// The two best probabilities of each column, and the row that has the best one.
struct ColumnLeader {
  std::uint32_t row = UINT32_MAX;
  float best = 0;
  float second = 0;

  void offer(std::uint32_t candidate, float value) {
    if (value > best) {
      second = best;
      best = value;
      row = candidate;
    } else {
      second = std::max(second, value);
    }
  }
  /// The best that a row other than `own` has.
  [[nodiscard]] float rival(std::uint32_t own) const { return own == row ? second : best; }
};

std::vector<ColumnLeader> column_leaders(const SparseScores& pairs) {
  std::vector<ColumnLeader> leaders(pairs.columns);
  for (std::uint32_t row = 0; row < pairs.rows(); ++row) {
    for (std::uint64_t n = pairs.begin[row]; n < pairs.begin[row + 1]; ++n) {
      leaders[pairs.column[n]].offer(row, pairs.score[n]);
    }
  }
  return leaders;
}

}  // namespace

Decoys row_decoys(const LinkProbabilities& probabilities, std::span<const Decision> sure) {
  const SparseScores& pairs = probabilities.pairs;
  const std::vector<ColumnLeader> leaders = column_leaders(pairs);
  Decoys decoys{.rows = pairs.rows(), .tried = sure.size(), .chosen = {}};
  for (const Decision& pair : sure) {
    // A pair's probability is row factor * kernel * column factor. `grown` is what the row's factor is
    // multiplied by; a column's is divided by what the row takes more of it.
    double grown = 1, before = 1;
    const auto shrunk = [&](double chance) { return 1 / (1 + chance * (before - 1)); };
    for (std::size_t pass = 0; pass < kDecoyPasses; ++pass) {
      before = grown;
      double claims = probabilities.none_row[pair.row];
      for (std::uint64_t n = pairs.begin[pair.row]; n < pairs.begin[pair.row + 1]; ++n) {
        if (pairs.column[n] != pair.column) claims += pairs.score[n] * shrunk(pairs.score[n]);
      }
      if (claims <= 0) break;
      grown = 1 / claims;
    }
    double best = 0;
    bool agreed = false;
    for (std::uint64_t n = pairs.begin[pair.row]; n < pairs.begin[pair.row + 1]; ++n) {
      if (pairs.column[n] == pair.column) continue;
      const double share = shrunk(pairs.score[n]);
      const double chance = pairs.score[n] * grown * share;
      if (chance <= best) continue;
      best = chance;
      agreed = chance >= leaders[pairs.column[n]].rival(pair.row) * share;
    }
    if (agreed) decoys.chosen.push_back(static_cast<float>(std::min(best, 1.0)));
  }
  return decoys;
}

LinkProbabilities transposed(const LinkProbabilities& probabilities) {
  return {.pairs = transposed(probabilities.pairs),
          .none_row = probabilities.none_column,
          .none_column = probabilities.none_row};
}

}  // namespace dovetail
