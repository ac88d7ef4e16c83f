#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "common/random.h"
#include "matching/match_vectors.h"

namespace dovetail {

inline constexpr std::size_t kColumns = 256;

/// Groups of like rows, left row i nearest to right row i.
inline MatchVectors grouped_vectors(std::size_t rows, std::size_t groups) {
  Random random(5);
  const auto noise = [&] { return static_cast<float>(random.uniform() - 0.5); };
  std::vector<std::vector<float>> centre(groups, std::vector<float>(kColumns));
  for (std::vector<float>& row : centre) std::ranges::generate(row, noise);
  MatchVectors vectors(rows, rows, kColumns);
  for (std::size_t i = 0; i < rows; ++i) {
    std::vector<float> own = centre[mix64(i) % groups];
    for (float& value : own) value += noise();
    for (Bfloat16* const out : {vectors.left.row(i), vectors.right.row(i)}) {
      for (const std::size_t half : {0, 1}) {
        std::vector<Bfloat16> row;
        for (const float value : own) row.push_back(to_bfloat16(value + 0.5F * noise()));
        put_normalised(row.data(), kColumns, kColumns, 0, out + half * kColumns);
      }
    }
  }
  return vectors;
}

}  // namespace dovetail
