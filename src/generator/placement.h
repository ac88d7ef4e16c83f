#pragma once

#include <dovetail/generate.h>
#include <dovetail/graph.h>

#include <array>
#include <cstdint>
#include <vector>

#include "generator/hidden.h"
#include "generator/permutation.h"

namespace dovetail {

/// How many triples a side is to have. `options` as resolve_options() gives them.
[[nodiscard]] std::uint64_t triples_of_side(const GenerateOptions& options, Side side);

/// How many hidden entities are on both sides, on the left only and on the right only.
struct PlacementCounts {
  explicit PlacementCounts(const GenerateOptions& options);

  [[nodiscard]] std::uint32_t hidden() const { return shared + left_only + right_only; }

  std::uint32_t shared, left_only, right_only;
  std::uint32_t copies;  ///< of the shared ones, how many the right side has twice
};

/// Which hidden entities each side has, and under which number. Hidden entities are put into an order; the
/// first are on both sides, the next on the left only, the last on the right only; and each side permutes its
/// own once more, so that its numbers say nothing about the other's. Computed, not stored, where the sides
/// are of one size.
class Placement {
 public:
  /// Where the sides differ in size the smaller one's entities are those of some communities, and `hidden` is
  /// told to keep their triples among them.
  Placement(const GenerateOptions& options, HiddenGraph& hidden);

  [[nodiscard]] std::uint32_t hidden_count() const { return counts_.hidden(); }
  [[nodiscard]] std::uint32_t side_count(Side side) const {
    return counts_.shared + (side == Side::left ? counts_.left_only : counts_.right_only + counts_.copies);
  }
  [[nodiscard]] std::uint32_t shared_count() const { return counts_.shared; }

  /// The number of a hidden entity on that side, or kNone where the side lacks it.
  [[nodiscard]] std::uint32_t number(Side side, std::uint32_t hidden) const {
    const std::uint32_t place = place_of(hidden);
    if (side == Side::left) return place < counts_.shared + counts_.left_only ? left_(place) : kNone;
    if (place < counts_.shared) return right_(place);
    return place < counts_.shared + counts_.left_only ? kNone : right_(place - counts_.left_only);
  }

  /// The number of its duplicate, or kNone.
  [[nodiscard]] std::uint32_t copy(Side side, std::uint32_t hidden) const {
    if (side == Side::left || counts_.copies == 0) return kNone;
    return copy_at(place_of(hidden));
  }

  [[nodiscard]] std::uint32_t hidden(Side side, std::uint32_t number) const {
    if (side == Side::left) return hidden_at(left_.inverse(number));
    const std::uint32_t place = right_.inverse(number);
    if (place < counts_.shared) return hidden_at(place);
    const std::uint32_t originals = counts_.shared + counts_.right_only;
    return hidden_at(place < originals ? place + counts_.left_only : place - originals);
  }

  [[nodiscard]] bool is_copy(Side side, std::uint32_t number) const {
    return counts_.copies > 0 && side == Side::right &&
           right_.inverse(number) >= counts_.shared + counts_.right_only;
  }

  /// Whether the entity is to have no triples.
  [[nodiscard]] bool is_isolated(Side side, std::uint32_t number) const {
    const Isolated& isolated = isolated_[side == Side::left ? 0 : 1];
    return isolated.count > 0 && isolated.order(number) < isolated.count;
  }
  [[nodiscard]] std::uint32_t isolated_count(Side side) const {
    return isolated_[side == Side::left ? 0 : 1].count;
  }

  /// The i-th of `count` hidden entities that stand for all, shared and other ones in proportion.
  [[nodiscard]] std::uint32_t sample(std::uint32_t i, std::uint32_t count) const {
    return hidden_at(static_cast<std::uint32_t>(std::uint64_t{i} * hidden_count() / count));
  }

  struct Group {
    std::uint32_t left, right;
    std::uint32_t copy;  ///< of the right one, or kNone
  };
  /// The i-th shared entity, i < shared_count(), in an order of its own.
  [[nodiscard]] Group link(std::uint32_t i) const {
    const std::uint32_t place = links_(i);
    return {left_(place), right_(place), copy_at(place)};
  }

 private:
  struct Isolated {
    std::uint32_t count;
    Permutation order;
  };

  [[nodiscard]] std::uint32_t place_of(std::uint32_t hidden) const {
    return place_.empty() ? order_(hidden) : place_[hidden];
  }
  [[nodiscard]] std::uint32_t hidden_at(std::uint32_t place) const {
    return place_.empty() ? order_.inverse(place) : at_place_[place];
  }
  [[nodiscard]] std::uint32_t copy_at(std::uint32_t place) const {
    return place < counts_.copies ? right_(counts_.shared + counts_.right_only + place) : kNone;
  }
  void put_together(HiddenGraph& hidden);

  PlacementCounts counts_;
  Permutation order_;
  Permutation left_;
  Permutation right_;
  Permutation links_;
  std::array<Isolated, 2> isolated_;
  std::vector<std::uint32_t> place_, at_place_;  // only where the sides differ in size
};

}  // namespace dovetail
