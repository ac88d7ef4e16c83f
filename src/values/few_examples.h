#pragma once

#include <span>

#include "values/value_learning.h"

namespace dovetail {

/// Whether there are too few pairs that may be right to learn from: rows against a table of any size, a few
/// entities each.
[[nodiscard]] bool too_few_examples(const PairList& list, std::span<const float> known);

/// What can be said without examples of right pairs: how alike all values of two entities are, beside how
/// alike those of wrong pairs are, which are always many. Of each entity one counterpart is expected among
/// those of the larger side.
[[nodiscard]] ValueModel model_without_examples(const ValueComparer& comparer, const PairList& list);

}  // namespace dovetail
