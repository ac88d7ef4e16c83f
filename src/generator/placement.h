#pragma once

#include <dovetail/generate.h>
#include <dovetail/graph.h>

#include <cstdint>

#include "generator/permutation.h"

namespace dovetail {

/// Which hidden entities each side has, and under which number. Computed, not stored: hidden entities are
/// permuted; the first of that order are on both sides, the next on the left only, the last on the right
/// only; and each side permutes its own once more, so that its numbers say nothing about the other's.
class Placement {
 public:
  explicit Placement(const GenerateOptions& options);

  [[nodiscard]] std::uint32_t hidden_count() const { return shared_ + 2 * single_; }
  [[nodiscard]] std::uint32_t side_count() const { return shared_ + single_; }
  [[nodiscard]] std::uint32_t shared_count() const { return shared_; }

  /// The number of a hidden entity on that side, or kNone where the side lacks it.
  [[nodiscard]] std::uint32_t number(Side side, std::uint32_t hidden) const {
    const std::uint32_t place = order_(hidden);
    if (side == Side::left) return place < side_count() ? left_(place) : kNone;
    if (place < shared_) return right_(place);
    return place < side_count() ? kNone : right_(place - single_);
  }

  [[nodiscard]] std::uint32_t hidden(Side side, std::uint32_t number) const {
    if (side == Side::left) return order_.inverse(left_.inverse(number));
    const std::uint32_t place = right_.inverse(number);
    return order_.inverse(place < shared_ ? place : place + single_);
  }

  /// The i-th of `count` hidden entities that stand for all, shared and other ones in proportion.
  [[nodiscard]] std::uint32_t sample(std::uint32_t i, std::uint32_t count) const {
    return order_.inverse(static_cast<std::uint32_t>(std::uint64_t{i} * hidden_count() / count));
  }

  struct Pair {
    std::uint32_t left, right;
  };
  /// The i-th link, i < shared_count(), in an order of its own.
  [[nodiscard]] Pair link(std::uint32_t i) const {
    const std::uint32_t place = links_(i);
    return {left_(place), right_(place)};
  }

 private:
  std::uint32_t shared_;
  std::uint32_t single_;  // entities of one side without counterpart
  Permutation order_;
  Permutation left_;
  Permutation right_;
  Permutation links_;
};

}  // namespace dovetail
