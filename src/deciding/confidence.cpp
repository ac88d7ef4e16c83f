#include "deciding/confidence.h"

#include <dovetail/errors.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace dovetail {
namespace {

constexpr float kNothing = -std::numeric_limits<float>::infinity();

/// log(chance / against), between -21 and 21. `against` on its own, since 1 - chance has no digits left where
/// chance is near 1.
double log_odds(double chance, double against) {
  constexpr double kLeast = 1e-9;
  return std::log((chance + kLeast) / (against + kLeast));
}

/// The best and the second best of a row or a column.
struct Leader {
  std::uint64_t pair = 0;
  float best = kNothing;
  float second = kNothing;

  void offer(std::uint64_t candidate, float value) {
    if (value > best) {
      second = best;
      best = value;
      pair = candidate;
    } else {
      second = std::max(second, value);
    }
  }
  /// The best one besides this pair.
  [[nodiscard]] float other(std::uint64_t own) const { return own == pair ? second : best; }
};

/// The leaders by one source. Of equals the first pair leads, the one with the lower column or row.
class Leaders {
 public:
  Leaders(const SparseScores& pairs, std::span<const float> values)
      : values_(values), rows_(pairs.rows()), columns_(pairs.columns) {
    for (std::size_t row = 0; row < pairs.rows(); ++row) {
      for (std::uint64_t pair = pairs.begin[row]; pair < pairs.begin[row + 1]; ++pair) {
        rows_[row].offer(pair, values[pair]);
        columns_[pairs.column[pair]].offer(pair, values[pair]);
        least_ = std::min(least_, values[pair]);
      }
    }
  }

  [[nodiscard]] float value(std::uint64_t pair) const { return values_[pair]; }
  [[nodiscard]] const Leader& row(std::size_t i) const { return rows_[i]; }
  [[nodiscard]] const Leader& column(std::size_t j) const { return columns_[j]; }
  /// How far a pair is ahead of its best alternative in a row or a column; where it is the only candidate,
  /// of the least score anywhere.
  [[nodiscard]] double margin(const Leader& line, std::uint64_t pair) const {
    return static_cast<double>(values_[pair]) - std::max(line.other(pair), least_);
  }

 private:
  std::span<const float> values_;
  std::vector<Leader> rows_, columns_;
  float least_ = std::numeric_limits<float>::infinity();
};

std::uint64_t pair_of(const SparseScores& pairs, const Decision& decision) {
  const auto columns = pairs.columns_of(decision.row);
  const auto found = std::ranges::lower_bound(columns, decision.column);
  if (found == columns.end() || *found != decision.column)
    throw Error("a decision is not among the candidates");
  return pairs.begin[decision.row] + static_cast<std::uint64_t>(found - columns.begin());
}

std::vector<std::string> names_of(const ConfidenceSources& sources) {
  std::vector<std::string> names = {"log-odds",      "log-odds of no counterpart, left",
                                    "row margin",    "log-odds of no counterpart, right",
                                    "column margin", "best of row",
                                    "best of column"};
  for (const ScoreSource& source : sources.scores) {
    for (const char* what : {"", ", row margin", ", column margin", ", best of row", ", best of column"}) {
      names.push_back(source.name + what);
    }
  }
  if (!sources.row_degree.empty()) {
    names.emplace_back("log degree, left");
    names.emplace_back("log degree, right");
  }
  for (const ExtraFeature& feature : sources.extra) names.push_back(feature.name);
  return names;
}

void check(const LinkProbabilities& probabilities, std::size_t decisions, const ConfidenceSources& sources) {
  bool fits = sources.row_degree.empty() == sources.column_degree.empty();
  for (const ScoreSource& source : sources.scores) {
    fits = fits && source.score.size() == probabilities.pairs.size();
  }
  if (!sources.row_degree.empty()) {
    fits = fits && sources.row_degree.size() == probabilities.pairs.rows() &&
           sources.column_degree.size() == probabilities.pairs.columns;
  }
  for (const ExtraFeature& feature : sources.extra) fits = fits && feature.value.size() == decisions;
  if (!fits) throw Error("what a confidence is to be computed from differs in number");
}

}  // namespace

FeatureTable link_features(const LinkProbabilities& probabilities, std::span<const Decision> decisions,
                           const ConfidenceSources& sources) {
  check(probabilities, decisions.size(), sources);
  const SparseScores& pairs = probabilities.pairs;
  const Leaders chances(pairs, pairs.score);
  std::vector<Leaders> leaders;
  for (const ScoreSource& source : sources.scores) leaders.emplace_back(pairs, source.score);

  FeatureTable table{names_of(sources), {}};
  std::vector<double>& out = table.values;
  out.reserve(decisions.size() * table.names.size());
  for (std::size_t n = 0; n < decisions.size(); ++n) {
    const auto [row, column, score] = decisions[n];
    const std::uint64_t pair = pair_of(pairs, decisions[n]);
    const double chance = chances.value(pair);
    const double none_row = probabilities.none_row[row];
    const double none_column = probabilities.none_column[column];
    double others = 0;
    for (std::uint64_t other = pairs.begin[row]; other < pairs.begin[row + 1]; ++other) {
      others += other == pair ? 0 : pairs.score[other];
    }
    const double row_other = std::max<double>({0, chances.row(row).other(pair), none_row});
    const double column_other = std::max<double>({0, chances.column(column).other(pair), none_column});
    out.insert(out.end(),
               {log_odds(chance, others + none_row), log_odds(none_row, others + chance), chance - row_other,
                log_odds(none_column, 1 - none_column), chance - column_other,
                chances.row(row).pair == pair ? 1.0 : 0.0, chances.column(column).pair == pair ? 1.0 : 0.0});
    for (const Leaders& source : leaders) {
      const Leader& of_row = source.row(row);
      const Leader& of_column = source.column(column);
      out.insert(out.end(), {source.value(pair), source.margin(of_row, pair), source.margin(of_column, pair),
                             of_row.pair == pair ? 1.0 : 0.0, of_column.pair == pair ? 1.0 : 0.0});
    }
    if (!sources.row_degree.empty()) {
      out.push_back(std::log1p(sources.row_degree[row]));
      out.push_back(std::log1p(sources.column_degree[column]));
    }
    for (const ExtraFeature& feature : sources.extra) out.push_back(feature.value[n]);
  }
  return table;
}

}  // namespace dovetail
