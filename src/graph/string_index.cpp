#include "graph/string_index.h"

#include <dovetail/errors.h>

#include <algorithm>
#include <array>
#include <bit>
#include <xxhash.h>

namespace dovetail {

namespace {

std::uint32_t hash_of(std::string_view text) {
  return static_cast<std::uint32_t>(XXH3_64bits(text.data(), text.size()));
}

}  // namespace

StringIndex::StringIndex(const StringTable& table) {
  reserve(table.size());
  for (std::uint32_t i = 0; i < table.size(); ++i) {
    const std::uint32_t hash = hash_of(table[i]);
    Slot& slot = slots_[locate(table, table[i], hash)];
    if (slot.number == kNone) slot = {hash, i};
  }
}

std::uint32_t StringIndex::find(const StringTable& table, std::string_view text) const {
  if (slots_.empty()) return kNone;
  return slots_[locate(table, text, hash_of(text))].number;
}

std::uint32_t StringIndex::find_or_append(StringTable& table, std::string_view text) {
  if (2 * (table.size() + 1) > slots_.size()) reserve(2 * table.size() + 1024);
  return find_or_append(table, text, hash_of(text));
}

void StringIndex::find_or_append(StringTable& table, std::span<const std::string_view> texts,
                                 std::uint32_t* numbers) {
  static constexpr std::size_t kBatch = 64;
  std::array<std::uint32_t, kBatch> hashes{};
  for (; !texts.empty(); texts = texts.subspan(std::min(kBatch, texts.size())), numbers += kBatch) {
    const std::size_t count = std::min(kBatch, texts.size());
    if (2 * (table.size() + count) > slots_.size()) reserve(2 * (table.size() + count) + 1024);
    for (std::size_t i = 0; i < count; ++i) {
      hashes[i] = hash_of(texts[i]);
      __builtin_prefetch(&slots_[home(hashes[i])]);
    }
    for (std::size_t i = 0; i < count; ++i) {
      const Slot& slot = slots_[home(hashes[i])];
      if (slot.hash == hashes[i] && slot.number != kNone) table.prefetch_place(slot.number);
    }
    for (std::size_t i = 0; i < count; ++i) {
      const Slot& slot = slots_[home(hashes[i])];
      if (slot.hash == hashes[i] && slot.number != kNone) table.prefetch_text(slot.number);
    }
    for (std::size_t i = 0; i < count; ++i) numbers[i] = find_or_append(table, texts[i], hashes[i]);
  }
}

std::uint32_t StringIndex::find_or_append(StringTable& table, std::string_view text, std::uint32_t hash) {
  Slot& slot = slots_[locate(table, text, hash)];
  if (slot.number == kNone) {
    if (table.size() == kNone) throw UnsupportedError("more than 4,294,967,294 different names in one graph");
    slot = {hash, static_cast<std::uint32_t>(table.size())};
    table.append(text);
  }
  return slot.number;
}

std::size_t StringIndex::locate(const StringTable& table, std::string_view text, std::uint32_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t i = home(hash);; i = (i + 1) & mask) {
    const Slot& slot = slots_[i];
    if (slot.number == kNone) return i;
    if (slot.hash == hash && table[slot.number] == text) return i;
  }
}

void StringIndex::reserve(std::size_t count) {
  std::vector<Slot> grown(std::bit_ceil(2 * count + 2));
  grown.swap(slots_);
  const std::size_t mask = slots_.size() - 1;
  for (const Slot& slot : grown) {
    if (slot.number == kNone) continue;
    std::size_t i = home(slot.hash);
    while (slots_[i].number != kNone) i = (i + 1) & mask;
    slots_[i] = slot;
  }
}

}  // namespace dovetail
