#pragma once

#include <dovetail/graph.h>
#include <dovetail/links.h>

#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "common/threads.h"
#include "pairs/sparse_scores.h"
#include "values/blocking.h"
#include "values/value_features.h"
#include "values/value_learning.h"
#include "values/value_table.h"
#include "values/value_terms.h"

namespace dovetail {

/// Pairs of attributes that a user knows to correspond, or not to; by their numbers in the two graphs.
struct AttributeChoices {
  std::set<AttributePair> same, different;
};

/// Values of both sides that speak for two entities being the same, or against it.
struct ValueReason {
  std::uint32_t left_attribute, right_attribute;  ///< kAllValues: of all values together
  std::uint32_t left_value, right_value;          ///< numbers in literal_values(); kNone for all together
  double weight;                                  ///< what it adds to the log-odds
};

struct ValueReasons {
  std::vector<ValueReason> in_favour, against;  ///< largest first
};

/// Finds and scores pairs of entities by their values, learning without supervision what each agreement and
/// disagreement is worth. The pair must outlive it.
class ValueMatcher {
 public:
  ValueMatcher(const GraphPair& pair, const ValueOptions& options, AttributeChoices choices = {});

  /// Pairs with something rare in common; see value_candidates(). Their scores are first, unlearned ones.
  [[nodiscard]] SparseScores candidates(std::span<const EntityId> left, std::span<const EntityId> right,
                                        ThreadPool& pool) const;

  /// Learns from pairs of candidates(); `known`: for each of them its probability, below 0 where nothing is
  /// known; or empty.
  [[nodiscard]] ValueModel learn(std::span<const EntityId> left, std::span<const EntityId> right,
                                 const SparseScores& pairs, std::span<const float> known,
                                 ThreadPool& pool) const;

  /// The log-odds of these pairs being the same.
  [[nodiscard]] SparseScores scores(const ValueModel& model, std::span<const EntityId> left,
                                    std::span<const EntityId> right, const SparseScores& pairs,
                                    ThreadPool& pool) const;
  [[nodiscard]] float score(const ValueModel& model, EntityId left, EntityId right) const {
    return score_pair(comparer_, model, left, right);
  }
  [[nodiscard]] const ValueTable& table(Side side) const { return side == Side::left ? left_ : right_; }

  /// What speaks for a pair and what against it, the `most` weightiest of each.
  [[nodiscard]] ValueReasons reasons(const ValueModel& model, EntityId left, EntityId right,
                                     std::size_t most) const;

 private:
  ValueTable left_, right_;
  ValueTerms terms_;
  ValueComparer comparer_;
  ValueOptions options_;
  AttributeChoices choices_;
};

}  // namespace dovetail
