#include "deciding/decoders.h"

#include <algorithm>
#include <numeric>

namespace dovetail {
namespace {

constexpr std::uint32_t kUntaken = std::numeric_limits<std::uint32_t>::max();

/// What rows propose, in the order in which they do. A row's list is only sorted as far as it is needed:
/// most rows keep the first or second one.
class Proposals {
 public:
  explicit Proposals(const SparseScores& scores)
      : scores_(scores), next_(scores.begin.begin(), scores.begin.end() - 1), pairs_(scores.size()) {
    std::iota(pairs_.begin(), pairs_.end(), std::uint64_t{0});
  }

  [[nodiscard]] bool any(std::size_t row) const { return next_[row] < scores_.begin[row + 1]; }

  /// The best pair of this row that it has not returned yet.
  std::uint64_t next(std::size_t row) {
    const auto first = pairs_.begin() + static_cast<std::ptrdiff_t>(next_[row]);
    const auto last = pairs_.begin() + static_cast<std::ptrdiff_t>(scores_.begin[row + 1]);
    const std::uint64_t place = next_[row]++ - scores_.begin[row];
    // Sorted up to 0, 1, 3, 7, ...
    if ((place & (place + 1)) == 0) {
      const auto middle = first + std::min(static_cast<std::ptrdiff_t>(place) + 1, last - first);
      std::partial_sort(first, middle, last, [&](std::uint64_t a, std::uint64_t b) {
        // Columns ascend within a row, so the lower pair has the lower column.
        return scores_.score[a] != scores_.score[b] ? scores_.score[a] > scores_.score[b] : a < b;
      });
    }
    return *first;
  }

 private:
  const SparseScores& scores_;
  std::vector<std::uint64_t> next_;
  std::vector<std::uint64_t> pairs_;
};

}  // namespace

std::vector<Decision> stable_matching(const SparseScores& scores, std::span<const float> column_score) {
  Proposals proposals(scores);
  struct Held {
    std::uint32_t row = kUntaken;
    std::uint64_t pair = 0;
  };
  std::vector<Held> held(scores.columns);
  for (std::uint32_t first = 0; first < scores.rows(); ++first) {
    std::uint32_t row = first;
    while (row != kUntaken && proposals.any(row)) {
      const std::uint64_t pair = proposals.next(row);
      Held& holder = held[scores.column[pair]];
      const bool accepts = holder.row == kUntaken || column_score[pair] > column_score[holder.pair] ||
                           (column_score[pair] == column_score[holder.pair] && row < holder.row);
      if (!accepts) continue;
      const std::uint32_t refused = holder.row;
      holder = {row, pair};
      row = refused;  // proposes again, at once
    }
  }
  std::vector<std::uint64_t> kept;
  for (const Held& holder : held) {
    if (holder.row != kUntaken) kept.push_back(holder.pair);
  }
  std::ranges::sort(kept);
  std::vector<Decision> decisions;
  for (const std::uint64_t pair : kept) {
    const std::uint32_t column = scores.column[pair];
    decisions.push_back({held[column].row, column, scores.score[pair]});
  }
  return decisions;
}

std::vector<Decision> select(const SparseScores& scores, Cardinality cardinality, float minimum) {
  std::vector<Decision> decisions;
  switch (cardinality) {
    case Cardinality::one_to_one:
      // With one score for both sides there is one stable matching, and it is what greedy choice gives.
      decisions = stable_matching(scores, scores.score);
      break;
    case Cardinality::one_to_many:
      decisions = best_of_columns(scores);
      break;
    case Cardinality::many_to_many:
      for (std::uint32_t row = 0; row < scores.rows(); ++row) {
        for (std::uint64_t pair = scores.begin[row]; pair < scores.begin[row + 1]; ++pair) {
          decisions.push_back({row, scores.column[pair], scores.score[pair]});
        }
      }
      break;
  }
  std::erase_if(decisions, [&](const Decision& decision) { return !(decision.score >= minimum); });
  return decisions;
}

}  // namespace dovetail
