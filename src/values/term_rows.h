#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace dovetail {

/// A term of a text and what it counts there.
struct WeightedTerm {
  std::uint32_t term;
  float weight;
};

/// Sparse vectors, one a row, terms ascending within it.
class TermRows {
 public:
  [[nodiscard]] std::size_t rows() const { return begin_.size() - 1; }
  [[nodiscard]] std::span<const WeightedTerm> operator[](std::size_t row) const {
    return {terms_.data() + begin_[row], static_cast<std::size_t>(begin_[row + 1] - begin_[row])};
  }
  [[nodiscard]] std::span<WeightedTerm> mutable_row(std::size_t row) {
    return {terms_.data() + begin_[row], static_cast<std::size_t>(begin_[row + 1] - begin_[row])};
  }
  /// Adds a row that counts how often each term is in `terms`, which are sorted on the way.
  void append_counts(std::vector<std::uint32_t>& terms);
  [[nodiscard]] std::size_t memory_bytes() const {
    return begin_.capacity() * sizeof(std::uint64_t) + terms_.capacity() * sizeof(WeightedTerm);
  }

 private:
  std::vector<std::uint64_t> begin_{0};
  std::vector<WeightedTerm> terms_;
};

/// The product of two rows.
[[nodiscard]] float dot(std::span<const WeightedTerm> a, std::span<const WeightedTerm> b);

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
