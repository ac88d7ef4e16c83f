// Nothing depends on how entities are numbered, or on which graph is called the left one.
#include <gtest/gtest.h>
#include <numeric>
#include <rapidcheck/gtest.h>
#include <vector>

#include "common/random.h"
#include "common/threads.h"
#include "deciding/assignment.h"
#include "deciding/sinkhorn.h"
#include "pairs/random_scores.h"

namespace dovetail {
namespace {

std::vector<std::uint32_t> any_order(std::size_t count) {
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0U);
  Random(*rc::gen::arbitrary<std::uint64_t>()).shuffle(std::span(order));
  return order;
}

/// Row i becomes row rows[i], column j column columns[j].
SparseScores renumbered(const SparseScores& scores, const std::vector<std::uint32_t>& rows,
                        const std::vector<std::uint32_t>& columns) {
  std::vector<std::vector<std::pair<std::uint32_t, float>>> lists(scores.rows());
  for (std::size_t i = 0; i < scores.rows(); ++i) {
    for (std::size_t k = 0; k < scores.columns_of(i).size(); ++k) {
      lists[rows[i]].emplace_back(columns[scores.columns_of(i)[k]], scores.scores_of(i)[k]);
    }
    std::ranges::sort(lists[rows[i]]);
  }
  return sparse(scores.columns, lists);
}

double total(const Assignment& assignment) {
  double sum = 0;
  for (const Decision& decision : assignment.decisions) sum += decision.score;
  return sum;
}

RC_GTEST_PROP(Symmetry, RenumberingRenumbersSinkhornsProbabilities, ()) {
  const SparseScores scores = any_scores(8);
  const auto rows = any_order(scores.rows()), columns = any_order(scores.columns);
  const SinkhornOptions options;
  ThreadPool pool(1);
  const LinkProbabilities before = sinkhorn(scores, options, pool);
  const LinkProbabilities after = sinkhorn(renumbered(scores, rows, columns), options, pool);
  const SparseScores expected = renumbered(before.pairs, rows, columns);
  RC_ASSERT(after.pairs.column == expected.column);
  for (std::size_t k = 0; k < expected.score.size(); ++k) {
    RC_ASSERT(std::abs(after.pairs.score[k] - expected.score[k]) < 1e-5F);
  }
  for (std::size_t i = 0; i < scores.rows(); ++i) {
    RC_ASSERT(std::abs(after.none_row[rows[i]] - before.none_row[i]) < 1e-5F);
  }
}

RC_GTEST_PROP(Symmetry, RenumberingAndSwappingKeepTheBestTotal, ()) {
  const SparseScores scores = any_scores(8);
  const double best = total(assign(scores, 0));
  const double tolerance = 1e-6 * (1 + std::abs(best));
  RC_ASSERT(
      std::abs(total(assign(renumbered(scores, any_order(scores.rows()), any_order(scores.columns)), 0)) -
               best) < tolerance);
  RC_ASSERT(std::abs(total(assign(transposed(scores), 0)) - best) < tolerance);
}

}  // namespace
}  // namespace dovetail
