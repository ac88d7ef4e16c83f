#include "literal/name_search.h"

#include <dovetail/errors.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "kernels/scores.h"
#include "pairs/top_k.h"

namespace dovetail {

namespace {

constexpr std::size_t kRowGrain = 4;
constexpr std::size_t kColumnGrain = 512;
constexpr std::size_t kLook = 16;
constexpr std::size_t kPanelValues = std::size_t{4} << 20;  // 16 MiB of scores at a time

Matrix<Bfloat16> gathered(const Matrix<Bfloat16>& rows, std::span<const EntityId> entities) {
  Matrix<Bfloat16> out(entities.size(), rows.columns());
  for (std::size_t i = 0; i < entities.size(); ++i) {
    std::memcpy(out.row(i), rows.row(entities[i]), rows.columns() * sizeof(Bfloat16));
  }
  return out;
}

/// Calls offer(column) for the columns whose score is above 0 and at least `least` of the column; a look at
/// several at once passes over the many that are not.
template <typename Least, typename Offer>
void for_each_good(const float* scores, std::size_t begin, std::size_t end, const Least& least,
                   const Offer& offer) {
  const auto good = [&](std::size_t j) { return (scores[j] > 0) & (scores[j] >= least(j)); };
  std::size_t j = begin;
  for (; j + kLook <= end; j += kLook) {
    int any = 0;
    for (std::size_t n = 0; n < kLook; ++n) any |= good(j + n) ? 1 : 0;
    if (any == 0) continue;
    for (std::size_t n = 0; n < kLook; ++n) {
      if (good(j + n)) offer(j + n);
    }
  }
  for (; j < end; ++j) {
    if (good(j)) offer(j);
  }
}

/// Which of some names a term is in, and with what weight: the transpose of their rows. Column n stands for
/// row names[n] of `rows`.
TermRows posting_lists(const TermRows& rows, std::span<const EntityId> names, std::size_t terms) {
  return TermRows::grouped(terms, [&](const auto& body) {
    for (std::uint32_t column = 0; column < names.size(); ++column) {
      for (const auto& [term, weight] : rows[names[column]]) body(term, WeightedTerm{column, weight});
    }
  });
}

/// scores += the product of a name with every one in the lists; scores: [names]. A name's terms ascend, so
/// every score is summed in the order in which dot() would sum it, to the same bits.
void add_scores(std::span<const WeightedTerm> name, const TermRows& postings, float* scores) {
  for (const auto& [term, weight] : name) {
    for (const WeightedTerm& posting : postings[term]) scores[posting.term] += weight * posting.weight;
  }
}

}  // namespace

NameSimilarity::NameSimilarity(const GraphPair& pair, const NameOptions& options,
                               const WordVectorReader& read, ThreadPool& pool, Observer& observer)
    : vectors_(make_name_vectors(pair, options, read, pool, observer)) {}

NameSimilarity::NameSimilarity(const GraphPair& pair, const NameOptions& options, ThreadPool& pool) {
  Observer silent;
  vectors_ = make_name_vectors(pair, options, nullptr, pool, silent);
}

float NameSimilarity::score(EntityId left, EntityId right) const {
  const SideNameVectors &a = vectors_.sides[0], &b = vectors_.sides[1];
  float sum = 0;
  if (vectors_.has_means()) {
    // The kernel of the search, so that the two agree to the last bit.
    exact_scores(a.means.row(left), b.means.row(right),
                 {.a_rows = 1, .b_rows = 1, .columns = a.means.columns(), .out = &sum, .out_stride = 1});
  }
  return dot(a.terms[left], b.terms[right], sum);
}

SparseScores NameSimilarity::search(std::span<const EntityId> left, std::span<const EntityId> right,
                                    std::size_t k, ThreadPool& pool) const {
  if (k == 0) throw ParameterError("the number of candidates by name is 0; it must be at least 1");
  SparseScores result;
  result.columns = right.size();
  result.begin.assign(left.size() + 1, 0);
  if (left.empty() || right.empty()) return result;

  const SideNameVectors &a = vectors_.sides[0], &b = vectors_.sides[1];
  const TermRows postings = posting_lists(b.terms, right, vectors_.term_count);
  const Matrix<Bfloat16> left_means = vectors_.has_means() ? gathered(a.means, left) : Matrix<Bfloat16>();
  const Matrix<Bfloat16> right_means = vectors_.has_means() ? gathered(b.means, right) : Matrix<Bfloat16>();
  TopLists left_best(left.size(), std::min(k, right.size()));
  TopLists right_best(right.size(), std::min(k, left.size()));

  // Scores of some left names with all right ones at a time: first row by row, then column by column, so that
  // each list has one thread that fills it and candidates always come in the same order.
  const std::size_t most = std::clamp<std::size_t>(kPanelValues / right.size(), 16, 64);
  Matrix<float> panel(std::min(most, left.size()), right.size());
  for (std::size_t first = 0; first < left.size(); first += most) {
    const std::size_t rows = std::min(most, left.size() - first);
    pool.for_ranges(rows, kRowGrain, [&](std::size_t begin, std::size_t end) {
      if (vectors_.has_means()) {
        exact_scores(left_means.row(first + begin), right_means.row(0),
                     {.a_rows = end - begin,
                      .b_rows = right.size(),
                      .columns = left_means.columns(),
                      .out = panel.row(begin),
                      .out_stride = right.size()});
      } else {
        std::fill(panel.row(begin), panel.row(begin) + (end - begin) * right.size(), 0.0F);
      }
      for (std::size_t i = begin; i < end; ++i) {
        float* const scores = panel.row(i);
        const EntityId name = left[first + i];
        add_scores(a.terms[name], postings, scores);
        const float& least = left_best.least()[first + i];
        for_each_good(
            scores, 0, right.size(), [&](std::size_t) { return least; },
            [&](std::size_t j) {
              left_best.offer(first + i, {static_cast<std::uint32_t>(j), scores[j]});
            });
      }
    });
    pool.for_ranges(right.size(), kColumnGrain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = 0; i < rows; ++i) {
        const float* const scores = panel.row(i);
        const float* const least = right_best.least();
        for_each_good(
            scores, begin, end, [&](std::size_t j) { return least[j]; },
            [&](std::size_t j) {
              right_best.offer(j, {static_cast<std::uint32_t>(first + i), scores[j]});
            });
      }
    });
  }
  return union_of(left_best, right_best, pool);
}

}  // namespace dovetail
