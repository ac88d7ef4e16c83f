#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "common/term_rows.h"

namespace dovetail {

/// Adds a row that counts how often each term is in `terms`, which are sorted on the way.
void append_counts(TermRows& rows, std::vector<std::uint32_t>& terms);

/// Numbers hashes in the order of their first mention.
class TermNumbers {
 public:
  std::uint32_t operator()(std::uint64_t hash);
  [[nodiscard]] std::size_t size() const { return count_; }

 private:
  void grow();
  struct Slot {
    std::uint64_t hash = 0;
    std::uint32_t number = UINT32_MAX;
  };
  std::vector<Slot> slots_ = std::vector<Slot>(1024);  // a power of two, at most half full
  std::uint32_t count_ = 0;
};

/// Turns counts into (1 + ln count) * idf, each row of length 1; idf by term. Rows whose terms all count
/// nothing stay 0.
void weigh(TermRows& rows, std::span<const float> idf);

/// ln((N + 1) / df) of each term: in how many of the N rows of both sides it is, a row counted `uses` times.
[[nodiscard]] std::vector<float> inverse_frequencies(
    std::size_t terms, std::span<const std::pair<const TermRows*, const std::vector<std::uint32_t>*>> sides);

}  // namespace dovetail
