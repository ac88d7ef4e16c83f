#pragma once

#include <dovetail/graph.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "literal/sparse_rows.h"

namespace dovetail {

/// Which of some names a term is in, and with what weight: the transpose of their rows.
class PostingLists {
 public:
  /// Column n stands for row names[n] of `rows`.
  PostingLists(const SparseRows& rows, std::span<const EntityId> names, std::size_t terms)
      : begin_(terms + 1, 0) {
    for (const EntityId name : names) {
      for (const std::uint32_t term : rows.terms_of(name)) ++begin_[term + 1];
    }
    for (std::size_t t = 0; t < terms; ++t) begin_[t + 1] += begin_[t];
    postings_.resize(begin_[terms]);
    std::vector<std::uint64_t> next(begin_.begin(), begin_.end() - 1);
    for (std::size_t column = 0; column < names.size(); ++column) {
      const auto own = rows.terms_of(names[column]);
      const auto weights = rows.weights_of(names[column]);
      for (std::size_t n = 0; n < own.size(); ++n) {
        postings_[next[own[n]]++] = {static_cast<std::uint32_t>(column), weights[n]};
      }
    }
  }

  /// scores += the product of a vector with every name; scores: [names]. A vector's terms ascend, so every
  /// score is summed in the order in which a merge of two rows would sum it, to the same bits.
  void add_scores(std::span<const std::uint32_t> terms, std::span<const float> weights, float* scores) const {
    for (std::size_t n = 0; n < terms.size(); ++n) {
      const float weight = weights[n];
      const Posting* const end = postings_.data() + begin_[terms[n] + 1];
      for (const Posting* p = postings_.data() + begin_[terms[n]]; p != end; ++p) {
        scores[p->column] += weight * p->weight;
      }
    }
  }

 private:
  struct Posting {
    std::uint32_t column;
    float weight;
  };

  std::vector<std::uint64_t> begin_;  // [terms + 1]
  std::vector<Posting> postings_;
};

}  // namespace dovetail
