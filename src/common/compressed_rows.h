#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace dovetail {

/// Where rows begin in lists that have the items of all rows one after the other: row r has the items
/// begin[r] to begin[r + 1] of each list.
struct RowIndex {
  std::vector<std::uint64_t> begin{0};  ///< [rows + 1]

  [[nodiscard]] std::size_t rows() const { return begin.size() - 1; }
  [[nodiscard]] std::size_t length(std::size_t row) const {
    return static_cast<std::size_t>(begin[row + 1] - begin[row]);
  }
  template <typename Item>
  [[nodiscard]] std::span<const Item> part(const std::vector<Item>& items, std::size_t row) const {
    return {items.data() + begin[row], length(row)};
  }
  template <typename Item>
  [[nodiscard]] std::span<Item> part(std::vector<Item>& items, std::size_t row) const {
    return {items.data() + begin[row], length(row)};
  }

  /// `count` rows without items.
  void clear_rows(std::size_t count) { begin.assign(count + 1, 0); }

  /// Groups items by row in two passes over the same items: for_each(body) calls body(row, item) for each,
  /// place(position, item) is called where it comes to stand. Within a row items keep their order.
  template <typename ForEach, typename Allocate, typename Place>
  void group(std::size_t count, const ForEach& for_each, const Allocate& allocate, const Place& place) {
    clear_rows(count);
    for_each([&](std::size_t row, const auto&) { ++begin[row + 1]; });
    for (std::size_t row = 0; row < count; ++row) begin[row + 1] += begin[row];
    allocate(static_cast<std::size_t>(begin[count]));
    std::vector<std::uint64_t> next(begin.begin(), begin.end() - 1);
    for_each([&](std::size_t row, const auto& item) { place(next[row]++, item); });
  }
};

/// Rows of different lengths in one list: what vectors of vectors would be, without a piece of memory for
/// each.
template <typename Item>
class CompressedRows {
 public:
  CompressedRows() = default;
  /// `rows` rows without items.
  explicit CompressedRows(std::size_t rows) { index_.clear_rows(rows); }

  /// The items that for_each(body) hands to body(row, item), row by row; see RowIndex::group().
  template <typename ForEach>
  [[nodiscard]] static CompressedRows grouped(std::size_t rows, const ForEach& for_each) {
    CompressedRows result;
    result.index_.group(
        rows, for_each, [&](std::size_t size) { result.items_.resize(size); },
        [&](std::uint64_t place, const Item& item) { result.items_[place] = item; });
    return result;
  }

  [[nodiscard]] std::size_t rows() const { return index_.rows(); }
  [[nodiscard]] std::size_t size() const { return items_.size(); }
  [[nodiscard]] std::uint64_t begin(std::size_t row) const { return index_.begin[row]; }
  [[nodiscard]] std::size_t length(std::size_t row) const { return index_.length(row); }
  [[nodiscard]] std::span<const Item> operator[](std::size_t row) const { return index_.part(items_, row); }
  [[nodiscard]] std::span<Item> operator[](std::size_t row) { return index_.part(items_, row); }
  [[nodiscard]] const std::vector<Item>& items() const { return items_; }

  // Row after row.

  void reserve(std::size_t items) { items_.reserve(items); }
  /// An item of the row that is not ended yet.
  void push_back(const Item& item) { items_.push_back(item); }
  [[nodiscard]] std::span<Item> unended() {
    return std::span(items_).subspan(static_cast<std::size_t>(index_.begin.back()));
  }
  void end_row() { index_.begin.push_back(items_.size()); }

  [[nodiscard]] std::size_t memory_bytes() const {
    return index_.begin.capacity() * sizeof(std::uint64_t) + items_.capacity() * sizeof(Item);
  }

 private:
  RowIndex index_;
  std::vector<Item> items_;
};

}  // namespace dovetail
