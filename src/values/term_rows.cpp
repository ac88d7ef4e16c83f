#include "values/term_rows.h"

#include <algorithm>
#include <cmath>

#include "common/random.h"

namespace dovetail {

void append_counts(TermRows& rows, std::vector<std::uint32_t>& terms) {
  std::ranges::sort(terms);
  const std::size_t first = rows.size();
  for (const std::uint32_t term : terms) {
    if (rows.size() == first || rows.unended().back().term != term) rows.push_back({term, 0});
    rows.unended().back().weight += 1;
  }
  rows.end_row();
}

std::uint32_t TermNumbers::operator()(std::uint64_t hash) {
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = mix64(hash) & mask;
  while (slots_[at].number != UINT32_MAX && slots_[at].hash != hash) at = (at + 1) & mask;
  if (slots_[at].number != UINT32_MAX) return slots_[at].number;
  slots_[at] = {hash, count_++};
  if (std::size_t{count_} * 2 > slots_.size()) grow();
  return count_ - 1;
}

void TermNumbers::grow() {
  std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(slots_.size() * 2));
  const std::size_t mask = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.number == UINT32_MAX) continue;
    std::size_t at = mix64(slot.hash) & mask;
    while (slots_[at].number != UINT32_MAX) at = (at + 1) & mask;
    slots_[at] = slot;
  }
}

void weigh(TermRows& rows, std::span<const float> idf) {
  for (std::size_t row = 0; row < rows.rows(); ++row) {
    const std::span<WeightedTerm> terms = rows[row];
    double square = 0;
    for (WeightedTerm& term : terms) {
      term.weight = (1 + std::log(term.weight)) * idf[term.term];
      square += static_cast<double>(term.weight) * term.weight;
    }
    if (square <= 0) continue;
    const auto scale = static_cast<float>(1 / std::sqrt(square));
    for (WeightedTerm& term : terms) term.weight *= scale;
  }
}

std::vector<float> inverse_frequencies(
    std::size_t terms, std::span<const std::pair<const TermRows*, const std::vector<std::uint32_t>*>> sides) {
  std::vector<double> frequency(terms, 0);
  double rows = 0;
  for (const auto& [side, uses] : sides) {
    for (std::size_t row = 0; row < side->rows(); ++row) {
      const double count = uses == nullptr ? 1 : (*uses)[row];
      const std::span<const WeightedTerm> own = (*side)[row];
      rows += own.empty() ? 0 : count;
      for (const WeightedTerm& term : own) frequency[term.term] += count;
    }
  }
  std::vector<float> idf(terms);
  for (std::size_t t = 0; t < terms; ++t) {
    idf[t] = static_cast<float>(std::log((rows + 1) / std::max(frequency[t], 1.0)));
  }
  return idf;
}

}  // namespace dovetail
