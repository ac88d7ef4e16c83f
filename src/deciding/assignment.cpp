#include "deciding/assignment.h"

#include <dovetail/errors.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <queue>
#include <utility>

namespace dovetail {
namespace {

constexpr std::uint32_t kFree = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t kNoPair = std::numeric_limits<std::uint64_t>::max();
constexpr double kInfinite = std::numeric_limits<double>::infinity();

/// So low that one pair more is worth more than any choice among the others.
double lowest_unmatched(const SparseScores& scores) {
  if (scores.score.empty()) return 0;
  const auto [least, most] = std::ranges::minmax(scores.score);
  const double range = static_cast<double>(most) - least + 1;
  return least - range * (static_cast<double>(std::min(scores.rows(), scores.columns)) + 1);
}

class Assigner {
 public:
  Assigner(const SparseScores& scores, double unmatched)
      : scores_(scores),
        unmatched_(unmatched),
        price_(scores.columns, 0),
        row_of_(scores.columns, kFree),
        pair_of_(scores.rows(), kNoPair),
        distance_(scores.columns, kInfinite),
        from_row_(scores.columns),
        from_pair_(scores.columns),
        final_(scores.columns, 0) {}

  void run() {
    for (const std::uint32_t row : auction()) augment(row);
  }

  [[nodiscard]] Assignment result() const {
    Assignment out{{}, unmatched_, {}, price_};
    for (std::uint32_t row = 0; row < scores_.rows(); ++row) {
      const std::uint64_t pair = pair_of_[row];
      out.row_value.push_back(pair == kNoPair ? unmatched_ : value(pair));
      if (pair != kNoPair) out.decisions.push_back({row, scores_.column[pair], scores_.score[pair]});
    }
    return out;
  }

 private:
  [[nodiscard]] double value(std::uint64_t pair) const {
    return scores_.score[pair] - price_[scores_.column[pair]];
  }

  void give(std::uint32_t row, std::uint64_t pair) {
    pair_of_[row] = pair;
    row_of_[scores_.column[pair]] = row;
  }

  /// Each row takes what it values most and raises the price by what it would lose with its second choice;
  /// whoever had the column bids again. Bids are limited, for equal rows can raise a price in tiny steps for
  /// a long time. Returns the rows that are not settled.
  std::vector<std::uint32_t> auction() {
    std::vector<std::uint32_t> unsettled;
    std::size_t bids = 20 * scores_.rows();
    for (std::uint32_t first = 0; first < scores_.rows(); ++first) {
      std::uint32_t row = first;
      while (row != kFree) {
        std::uint64_t best = kNoPair;
        double best_value = unmatched_;
        double second_value = unmatched_;
        for (std::uint64_t pair = scores_.begin[row]; pair < scores_.begin[row + 1]; ++pair) {
          const double worth = value(pair);
          const bool equal_but_free = best != kNoPair && worth == best_value &&
                                      row_of_[scores_.column[best]] != kFree &&
                                      row_of_[scores_.column[pair]] == kFree;
          if (worth > best_value || equal_but_free) {
            second_value = best_value;
            best_value = worth;
            best = pair;
          } else {
            second_value = std::max(second_value, worth);
          }
        }
        if (best == kNoPair) break;  // stays unmatched, and for good, since prices only rise
        const std::uint32_t column = scores_.column[best];
        const std::uint32_t owner = row_of_[column];
        if (owner != kFree && (best_value == second_value || bids == 0)) {
          unsettled.push_back(row);
          break;
        }
        if (bids > 0) --bids;
        price_[column] += best_value - second_value;
        give(row, best);
        if (owner != kFree) pair_of_[owner] = kNoPair;
        row = owner;
      }
    }
    return unsettled;
  }

  /// The cheapest way to make room for a row: a chain of rows that each move to another column, the last one
  /// to a free column or to none. Dijkstra over columns; the length of a step from a row to a column is what
  /// the row loses by it.
  void augment(std::uint32_t root) {
    heap_ = {};
    double root_value = unmatched_;
    for (std::uint64_t pair = scores_.begin[root]; pair < scores_.begin[root + 1]; ++pair) {
      root_value = std::max(root_value, value(pair));
    }
    std::uint32_t giving_up = root;  // the row for which it costs least to stay without a pair
    double give_up_distance = root_value - unmatched_;
    std::uint32_t end = relax(root, 0, root_value);
    double length = 0;
    while (end == kFree) {
      if (heap_.empty() || heap_.top().first >= give_up_distance) {
        length = give_up_distance;
        break;
      }
      const auto [distance, column] = heap_.top();
      heap_.pop();
      if (final_[column] != 0 || distance > distance_[column]) continue;
      length = distance;
      const std::uint32_t row = row_of_[column];
      if (row == kFree) {
        end = column;
        break;
      }
      final_[column] = 1;
      const double row_value = value(pair_of_[row]);
      if (distance + row_value - unmatched_ < give_up_distance) {
        give_up_distance = distance + row_value - unmatched_;
        giving_up = row;
      }
      end = relax(row, distance, row_value);
    }
    for (const std::uint32_t column : touched_) {
      if (final_[column] != 0) price_[column] += std::max(0.0, length - distance_[column]);
    }
    move_along(root, end, giving_up);
    for (const std::uint32_t column : touched_) {
      distance_[column] = kInfinite;
      final_[column] = 0;
    }
    touched_.clear();
  }

  /// Notes where a row can go from here. Returns a free column that costs nothing more, if there is one: the
  /// search is over then, and where scores are often equal this is what keeps it short.
  std::uint32_t relax(std::uint32_t row, double distance, double row_value) {
    for (std::uint64_t pair = scores_.begin[row]; pair < scores_.begin[row + 1]; ++pair) {
      const std::uint32_t column = scores_.column[pair];
      if (final_[column] != 0) continue;
      const double through = distance + std::max(0.0, row_value - value(pair));
      if (through >= distance_[column]) continue;
      if (distance_[column] == kInfinite) touched_.push_back(column);
      distance_[column] = through;
      from_row_[column] = row;
      from_pair_[column] = pair;
      if (through == distance && row_of_[column] == kFree) return column;
      heap_.emplace(through, column);
    }
    return kFree;
  }

  /// Shifts every row of the chain to its next column, from the far end back to the root.
  void move_along(std::uint32_t root, std::uint32_t end, std::uint32_t giving_up) {
    std::uint32_t column = end;
    if (end == kFree) {
      if (giving_up == root) return;
      column = scores_.column[pair_of_[giving_up]];
      pair_of_[giving_up] = kNoPair;
    }
    while (true) {
      const std::uint32_t row = from_row_[column];
      const std::uint64_t left = pair_of_[row];
      give(row, from_pair_[column]);
      if (row == root) return;
      column = scores_.column[left];
    }
  }

  using Step = std::pair<double, std::uint32_t>;  // distance, column: of equals the lower column
  const SparseScores& scores_;
  double unmatched_;
  std::vector<double> price_;
  std::vector<std::uint32_t> row_of_;
  std::vector<std::uint64_t> pair_of_;
  // Of one search; `touched_` says what to put back.
  std::vector<double> distance_;
  std::vector<std::uint32_t> from_row_;
  std::vector<std::uint64_t> from_pair_;
  std::vector<std::uint8_t> final_;
  std::vector<std::uint32_t> touched_;
  std::priority_queue<Step, std::vector<Step>, std::greater<>> heap_;
};

}  // namespace

Assignment assign(const SparseScores& scores, std::optional<double> unmatched) {
  if (!std::ranges::all_of(scores.score, [](float score) { return std::isfinite(score); })) {
    throw Error("a candidate's score is not a finite number");
  }
  if (unmatched && !std::isfinite(*unmatched)) {
    throw ParameterError("the score of a row without a pair must be a finite number");
  }
  Assigner assigner(scores, unmatched.value_or(lowest_unmatched(scores)));
  assigner.run();
  return assigner.result();
}

}  // namespace dovetail
