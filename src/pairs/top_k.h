#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace dovetail {

struct Scored {
  std::uint32_t number;
  float score;
};

/// Best first; of equals the lower number, so that results do not depend on the order of arrival.
inline bool better(const Scored& a, const Scored& b) {
  return a.score != b.score ? a.score > b.score : a.number < b.number;
}

/// The best `k` of what is offered, for each of many lists. Lists are independent of each other, so different
/// threads may fill different ones.
class TopLists {
 public:
  TopLists(std::size_t lists, std::size_t k)
      : k_(k),
        counts_(lists, 0),
        least_(lists, -std::numeric_limits<float>::infinity()),
        items_(lists * 2 * k) {}

  /// What a score must reach to be worth offering.
  [[nodiscard]] const float* least() const { return least_.data(); }

  void offer(std::size_t list, Scored item) {
    Scored* const items = items_.data() + list * 2 * k_;
    items[counts_[list]++] = item;
    if (counts_[list] == 2 * k_) cut(list);
  }

  /// Sorts a list and returns it, at most k long.
  std::span<Scored> sorted(std::size_t list) {
    Scored* const items = items_.data() + list * 2 * k_;
    std::sort(items, items + counts_[list], better);
    counts_[list] = static_cast<std::uint32_t>(std::min<std::size_t>(counts_[list], k_));
    return {items, counts_[list]};
  }
  /// Leaves the best k of what was offered, in no order.
  void cut(std::size_t list) {
    if (counts_[list] <= k_) return;
    Scored* const items = items_.data() + list * 2 * k_;
    std::nth_element(items, items + k_ - 1, items + counts_[list], better);
    counts_[list] = static_cast<std::uint32_t>(k_);
    least_[list] = items[k_ - 1].score;
  }
  [[nodiscard]] std::span<const Scored> of(std::size_t list) const {
    return {items_.data() + list * 2 * k_, counts_[list]};
  }

  [[nodiscard]] std::size_t size() const { return counts_.size(); }

 private:
  std::size_t k_;
  std::vector<std::uint32_t> counts_;
  std::vector<float> least_;
  std::vector<Scored> items_;
};

}  // namespace dovetail
