#pragma once

#include <algorithm>
#include <cstdint>
#include <rapidcheck.h>
#include <utility>
#include <vector>

#include "common/random.h"
#include "pairs/sparse_scores.h"

namespace dovetail {

/// Rows of (column, score), columns ascending.
inline SparseScores sparse(std::size_t columns,
                           const std::vector<std::vector<std::pair<std::uint32_t, float>>>& rows) {
  SparseScores scores;
  scores.columns = columns;
  for (const auto& row : rows) {
    for (const auto& [column, score] : row) {
      scores.column.push_back(column);
      scores.score.push_back(score);
    }
    scores.begin.push_back(scores.column.size());
  }
  return scores;
}

/// Each pair is a candidate with the given probability; `score()` draws its score.
template <typename Draw>
SparseScores random_scores(std::size_t rows, std::size_t columns, double density, Random& random,
                           const Draw& score) {
  SparseScores scores;
  scores.columns = columns;
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::uint32_t column = 0; column < columns; ++column) {
      if (random.uniform() >= density) continue;
      scores.column.push_back(column);
      scores.score.push_back(score());
    }
    scores.begin.push_back(scores.column.size());
  }
  return scores;
}

/// As large problems look: row i and column i belong together and score `bonus` more, and each row has
/// `candidates` others. Scores scatter by .1, about normally.
inline SparseScores planted_scores(std::size_t rows, std::size_t candidates, Random& random,
                                   double bonus = 0.25) {
  SparseScores scores;
  scores.columns = rows;
  for (std::size_t row = 0; row < rows; ++row) {
    std::vector<std::uint32_t> chosen{static_cast<std::uint32_t>(row)};
    for (std::size_t k = 0; k < candidates; ++k)
      chosen.push_back(static_cast<std::uint32_t>(random.below(rows)));
    std::ranges::sort(chosen);
    chosen.erase(std::ranges::unique(chosen).begin(), chosen.end());
    for (const std::uint32_t column : chosen) {
      double noise = -2;
      for (int i = 0; i < 4; ++i) noise += random.uniform();
      scores.column.push_back(column);
      scores.score.push_back(static_cast<float>(0.173 * noise + (column == row ? bonus : 0)));
    }
    scores.begin.push_back(scores.column.size());
  }
  return scores;
}

/// Any number from `least` to `most`, all alike; rapidcheck's own range starts with nothing but small ones.
inline std::size_t any_size(std::size_t least, std::size_t most) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(least, most + 1));
}

/// For property tests: up to `most` rows and columns, down to none, with scores in a few steps, so that ties
/// are common.
inline SparseScores any_scores(std::size_t most) {
  const auto rows = any_size(0, most);
  const auto columns = any_size(0, most);
  const double density = *rc::gen::element(0.2, 0.6, 1.0);
  const double step = *rc::gen::element(0.01, 0.25, 100.0);
  Random random(*rc::gen::arbitrary<std::uint64_t>());
  return random_scores(rows, columns, density, random,
                       [&] { return static_cast<float>(step * (static_cast<double>(random.below(9)) - 4)); });
}

}  // namespace dovetail
