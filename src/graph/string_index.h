#pragma once

#include <dovetail/graph.h>

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace dovetail {

/// Finds strings of a StringTable by their content: open addressing over (32 bits of hash, number), so that
/// a look-up that misses touches one cache line and no string.
class StringIndex {
 public:
  StringIndex() = default;
  /// Indexes a whole table; of equal strings the first is found.
  explicit StringIndex(const StringTable& table);

  /// The number of `text` in `table`, or kNone.
  [[nodiscard]] std::uint32_t find(const StringTable& table, std::string_view text) const;
  /// The number of `text`, appended to `table` if it was not there.
  std::uint32_t find_or_append(StringTable& table, std::string_view text);
  /// The same for several strings in turn, into `numbers`. Much faster: a look-up in a large table is three
  /// cache misses one after the other, and here those of all strings are under way together.
  void find_or_append(StringTable& table, std::span<const std::string_view> texts, std::uint32_t* numbers);

  [[nodiscard]] std::size_t memory_bytes() const { return slots_.capacity() * sizeof(Slot); }

 private:
  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t number = kNone;
  };

  /// The slot that holds `text`, or the free one where it belongs.
  [[nodiscard]] std::size_t locate(const StringTable& table, std::string_view text, std::uint32_t hash) const;
  void reserve(std::size_t count);
  std::uint32_t find_or_append(StringTable& table, std::string_view text, std::uint32_t hash);

  /// The lower bits of what a slot keeps of its hash choose the slot, so that growing reads no text; the
  /// upper ones tell its text from others nearby.
  [[nodiscard]] std::size_t home(std::uint32_t hash) const { return hash & (slots_.size() - 1); }

  std::vector<Slot> slots_;  // a power of two, at most half full
};

}  // namespace dovetail
