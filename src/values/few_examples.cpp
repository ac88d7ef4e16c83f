#include "values/few_examples.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "pairs/best_pairs.h"

namespace dovetail {

namespace {

/// Right pairs from which on levels can be weighed; half of those that are best for both are taken first.
constexpr std::size_t kEnough = 10;
constexpr double kDoubt = 0.1;  // of a wrong pair, on each level where none was seen

}  // namespace

bool too_few_examples(const PairList& list, std::span<const float> known) {
  const auto given = static_cast<std::size_t>(std::ranges::count_if(known, [](float p) { return p > 0.5F; }));
  return given < kEnough && mutual_best(*list.pairs).size() < kEnough;
}

ValueModel model_without_examples(const ValueComparer& comparer, const PairList& list) {
  const SparseScores& pairs = *list.pairs;
  std::vector<bool> may_be_right(pairs.size(), false);
  for (const Decision& pair : mutual_best(pairs)) {
    may_be_right[find_column(pairs, pair.row, pair.column)] = true;
  }
  const ValueFeature feature{kAllValues, kAllValues, Measure::grams};
  const std::size_t levels = level_count(feature.measure);
  std::vector<double> wrong(levels, kDoubt);
  // Pairs that are not listed have no rare term in common.
  wrong[0] += static_cast<double>(list.left.size()) * static_cast<double>(list.right.size()) -
              static_cast<double>(pairs.size());
  for (std::uint32_t row = 0; row < pairs.rows(); ++row) {
    for (std::uint64_t n = pairs.begin[row]; n < pairs.begin[row + 1]; ++n) {
      const std::uint8_t level = comparer.level(feature, list.left[row], list.right[pairs.column[n]]);
      if (!may_be_right[n] && level != kNoLevel) ++wrong[level];
    }
  }
  double wrongs = 0;
  for (const double count : wrong) wrongs += count;
  WeighedFeature weighed{};
  weighed.feature = feature;
  const auto ranks = static_cast<double>(levels * (levels + 1) / 2);
  for (std::size_t level = 0; level < levels; ++level) {
    // Right pairs may be on any level, the more likely the higher it is.
    const double right = static_cast<double>(level + 1) / ranks;
    weighed.weight.push_back(static_cast<float>(std::log(right / (wrong[level] / wrongs))));
  }
  ValueModel model;
  model.features = {std::move(weighed)};
  model.intercept =
      -std::log(static_cast<double>(std::max<std::size_t>({1, list.left.size(), list.right.size()})));
  return model;
}

}  // namespace dovetail
