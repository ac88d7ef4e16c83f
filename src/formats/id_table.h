#pragma once

#include <dovetail/graph.h>
#include <dovetail/observer.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "formats/name_limit.h"
#include "formats/text_input.h"

namespace dovetail {

/// From the ids of a file to our numbers. Ids that lie densely from the first one on cost four bytes each; a
/// few wild ones cost a hash table entry and not a huge array.
class IdMap {
 public:
  void insert(std::uint64_t id, std::uint32_t number) {
    if (count_++ == 0) base_ = id & ~std::uint64_t{0xFFFF};
    const std::uint64_t at = id - base_;  // wraps to something huge below the base
    if (at < 4 * count_ + (1 << 16)) {
      if (at >= dense_.size()) dense_.resize(at + at / 2 + 1024, kNone);
      dense_[at] = number;
    } else {
      sparse_[id] = number;
    }
  }

  /// Where find() will look for an id that lies densely; null for others.
  [[nodiscard]] const void* place(std::uint64_t id) const {
    const std::uint64_t at = id - base_;
    return at < dense_.size() ? dense_.data() + at : nullptr;
  }

  [[nodiscard]] std::uint32_t find(std::uint64_t id) const {
    const std::uint64_t at = id - base_;
    if (at < dense_.size() && dense_[at] != kNone) return dense_[at];
    if (sparse_.empty()) return kNone;
    const auto found = sparse_.find(id);
    return found == sparse_.end() ? kNone : found->second;
  }

 private:
  std::uint64_t base_ = 0;
  std::vector<std::uint32_t> dense_;
  std::unordered_map<std::uint64_t, std::uint32_t> sparse_;
  std::uint64_t count_ = 0;
};

/// The id that `text` spells; false if it is not a whole number of at most 18 digits.
[[nodiscard]] bool parse_id(std::string_view text, std::uint64_t& id);

/// Throws the InputError for a line that is not `columns` ids between tabs.
[[noreturn]] void fail_id_row(const TextInput& input, std::string_view line, std::uint64_t line_number,
                              std::size_t columns);

/// Reads the id at `at`, which stands before some other character, and moves behind it; false if there is
/// none. Eight characters at once: a loop over digits costs a mispredicted branch for each number. TextInput
/// keeps what is read beyond the block readable.
inline bool take_id(const char*& at, std::uint64_t& id) {
  static_assert(std::endian::native == std::endian::little);
  std::uint64_t digits = 0;
  std::memcpy(&digits, at, sizeof digits);
  digits ^= 0x3030303030303030ULL;  // a digit becomes its value; anything else at least ten
  const std::uint64_t others = ((digits + 0x7676767676767676ULL) | digits) & 0x8080808080808080ULL;
  const int count =
      std::countr_zero(others) / 8;  // exact: carries only reach bytes behind the first other one
  if (count == 0) return false;
  at += count;
  digits <<= 64 - 8 * count;                                       // the missing leading digits become zeros
  digits = (digits * 10 + (digits >> 8)) & 0x00FF00FF00FF00FFULL;  // four numbers of two digits
  digits = (digits * 100 + (digits >> 16)) & 0x0000FFFF0000FFFFULL;  // two of four
  id = (digits * 10000 + (digits >> 32)) & 0xFFFFFFFFULL;            // one of eight
  if (count < 8) return true;
  const char* const limit = at + 11;  // 18 digits at most
  for (unsigned digit = 0; (digit = static_cast<unsigned char>(*at) - unsigned{'0'}) < 10; ++at) {
    if (at + 1 == limit) return false;
    id = id * 10 + digit;
  }
  return true;
}

/// Reads a file of rows of kColumns ids between tabs and calls row(ids, line) for each. The whole format of
/// the largest id files, so written for speed: one pass over the digits, no copy.
template <std::size_t kColumns, typename Row>
void read_id_rows(const std::filesystem::path& path, Observer& observer, const Row& row) {
  TextInput input(path, observer);
  std::string_view block;
  while (input.next_block(block)) {
    std::uint64_t line = input.block_line();
    const char* at = block.data();
    const char* const end = at + block.size();
    for (; at < end; ++line) {
      const char* const begin = at;
      std::array<std::uint64_t, kColumns> ids{};
      bool good = take_id(at, ids[0]);
      for (std::size_t column = 1; column < kColumns && good; ++column) {
        good = *at++ == '\t' && take_id(at, ids[column]);
      }
      if (good && *at == '\r') ++at;
      if (good && *at == '\n') {
        row(ids, line);
      } else {
        at = static_cast<const char*>(std::memchr(begin, '\n', static_cast<std::size_t>(end - begin) + 1));
        std::string_view text(begin, static_cast<std::size_t>(at - begin));
        if (text.ends_with('\r')) text.remove_suffix(1);
        if (!text.empty()) fail_id_row(input, text, line, kColumns);
      }
      ++at;
    }
  }
}

template <std::size_t kColumns>
struct IdRow {
  std::array<std::uint64_t, kColumns> ids;
  std::uint64_t line;
};

/// The same, but calls take(rows) for many at a time: places(ids), an array, says where a row will look for
/// something, which may be anywhere in memory and so is asked for before it is needed.
template <std::size_t kColumns, typename Places, typename Take>
void read_waiting_rows(const std::filesystem::path& path, Observer& observer, const Places& places,
                       const Take& take) {
  std::array<IdRow<kColumns>, 64> waiting;
  std::size_t count = 0;
  const auto take_all = [&] {
    take(std::span<const IdRow<kColumns>>(waiting.data(), std::exchange(count, 0)));
  };
  read_id_rows<kColumns>(path, observer, [&](const auto& ids, std::uint64_t line) {
    for (const void* const place : places(ids)) __builtin_prefetch(place);
    waiting[count++] = {ids, line};
    if (count == waiting.size()) take_all();
  });
  take_all();
}

/// Reads a file of `id TAB name` rows and calls row(id, name, line) for each.
template <typename Row>
void read_id_names(const std::filesystem::path& path, Observer& observer, const Row& row) {
  TextInput input(path, observer);
  std::string_view block;
  while (input.next_block(block)) {
    std::uint64_t line_number = input.block_line();
    for (; !block.empty(); ++line_number) {
      const std::size_t length = std::min(block.find('\n'), block.size());
      std::string_view line = block.substr(0, length);
      block.remove_prefix(std::min(length + 1, block.size()));
      if (line.ends_with('\r')) line.remove_suffix(1);
      if (line.empty()) continue;
      const std::size_t tab = line.find('\t');
      std::uint64_t id = 0;
      if (tab == std::string_view::npos || tab + 1 == line.size()) {
        input.fail(line_number, "found one column; expected two, an id and a name, between a tab");
      }
      if (line.find('\t', tab + 1) != std::string_view::npos) {
        input.fail(line_number, "found over two columns; expected an id and a name, between a tab");
      }
      if (!parse_id(line.substr(0, tab), id)) fail_id_row(input, line, line_number, 1);
      check_name(input.name(), line_number, line.substr(tab + 1));
      row(id, line.substr(tab + 1), line_number);
    }
  }
}

}  // namespace dovetail
