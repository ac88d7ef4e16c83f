#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "deciding/sinkhorn.h"
#include "pairs/best_pairs.h"

namespace dovetail {

/// Wrong matches made on purpose: for each of some pairs that are surely right, what the pair's row would
/// choose if its own column were not there. Entities without counterpart choose alike.
struct Decoys {
  std::size_t rows = 0;   ///< rows that there are in all
  std::size_t tried = 0;  ///< rows whose column was taken away
  /// Probabilities of the choices that both ends agree on, one for each row that made such a choice.
  std::vector<float> chosen;
};

/// Decoys for the rows of `sure` pairs. The row's share of its lost column goes to its other candidates and
/// to "no counterpart"; the columns' totals stay 1. Everything else stays as it is, so that one row costs no
/// more than its candidates.
[[nodiscard]] Decoys row_decoys(const LinkProbabilities& probabilities, std::span<const Decision> sure);

/// The same probabilities with rows and columns exchanged.
[[nodiscard]] LinkProbabilities transposed(const LinkProbabilities& probabilities);

}  // namespace dovetail
