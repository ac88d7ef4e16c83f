#include "deciding/sinkhorn.h"

#include <dovetail/errors.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <span>

namespace dovetail {
namespace {

constexpr std::size_t kGrain = 256;  // rows or columns
constexpr double kNothing = -std::numeric_limits<double>::infinity();

/// log(exp(a) + exp(b)); either may be kNothing.
double log_add(double a, double b) {
  if (a < b) std::swap(a, b);
  return b == kNothing ? a : a + std::log1p(std::exp(b - a));
}

/// One side's half of an iteration: `lines` are its rows, `across` the potentials of the other side.
struct Axis {
  const SparseScores& lines;
  double scale;  ///< 1 / temperature
  const std::vector<double>& across;

  [[nodiscard]] double exponent(std::uint64_t pair) const {
    return lines.score[pair] * scale - across[lines.column[pair]];
  }

  /// The log of the sum of a line's exponentials. `reference` is what it was one iteration ago: with it as
  /// the offset one pass does, unless the sum leaves the range in which doubles are accurate.
  [[nodiscard]] double log_sum(std::size_t line, double reference) const {
    const std::uint64_t begin = lines.begin[line];
    const std::uint64_t end = lines.begin[line + 1];
    if (begin == end) return kNothing;
    const auto sum_above = [&](double offset) {
      double sum = 0;
      for (std::uint64_t pair = begin; pair < end; ++pair) sum += std::exp(exponent(pair) - offset);
      return sum;
    };
    if (const double sum = sum_above(reference); sum > 1e-200 && sum < 1e200)
      return reference + std::log(sum);
    double most = kNothing;
    for (std::uint64_t pair = begin; pair < end; ++pair) most = std::max(most, exponent(pair));
    return most + std::log(sum_above(most));
  }
};

/// The same half with exponentials taken once: at potentials that are nearly right, so that from then on only
/// factors near 1 change, without logarithms.
struct LinearSide {
  const SparseScores& lines;
  std::vector<double> kernel;  ///< [pairs] exp(score - both potentials)
  std::vector<double> slack;   ///< by line, the same of having no counterpart
  std::vector<double> most;    ///< by line, of its factor
  std::vector<double> factor;  ///< by line, exp(old potential - new potential)

  /// `own` are the potentials of this side; they may not fall below `least`.
  LinearSide(const Axis& side, const std::vector<double>& own, double slack_score, double least,
             ThreadPool& pool)
      : lines(side.lines),
        kernel(side.lines.size()),
        slack(own.size()),
        most(own.size()),
        factor(own.size(), 1) {
    pool.for_ranges(own.size(), kGrain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t line = begin; line < end; ++line) {
        slack[line] = std::exp(slack_score - own[line]);
        most[line] = std::exp(own[line] - least);
        for (std::uint64_t pair = lines.begin[line]; pair < lines.begin[line + 1]; ++pair) {
          kernel[pair] = std::exp(side.exponent(pair) - own[line]);
        }
      }
    });
  }

  /// Brings the lines to sum 1; false if a factor left the range in which doubles are accurate.
  [[nodiscard]] bool normalise(const std::vector<double>& across, ThreadPool& pool) {
    std::atomic<bool> accurate = true;
    pool.for_ranges(factor.size(), kGrain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t line = begin; line < end; ++line) {
        if (lines.begin[line] == lines.begin[line + 1]) continue;
        double sum = slack[line];
        for (std::uint64_t pair = lines.begin[line]; pair < lines.begin[line + 1]; ++pair) {
          sum += kernel[pair] * across[lines.column[pair]];
        }
        if (!(sum > 1e-100 && sum < 1e100)) accurate = false;
        factor[line] = std::min(1 / sum, most[line]);
      }
    });
    return accurate;
  }
};

void absorb(const std::vector<double>& factor, std::vector<double>& potential) {
  for (std::size_t line = 0; line < factor.size(); ++line) potential[line] -= std::log(factor[line]);
}

void check(const SparseScores& scores, const SinkhornOptions& options) {
  if (!(options.temperature > 0)) throw ParameterError("the temperature of Sinkhorn must be above 0");
  double largest = std::abs(options.no_counterpart.value_or(0));
  for (const float score : scores.score) {
    if (!std::isfinite(score)) throw Error("a candidate's score is not a finite number");
    largest = std::max(largest, std::abs(static_cast<double>(score)));
  }
  if (!(largest / options.temperature < 1e300)) {
    throw ParameterError("the temperature of Sinkhorn is too low for the scores, or a score is not a number");
  }
}

/// The last pass over a row, which leaves probabilities that sum to 1 even where rounding has eaten the
/// differences of huge scores. Returns the row's potential.
double finish_row(const Axis& rows, std::size_t row, double slack, LinkProbabilities& out) {
  const std::uint64_t begin = rows.lines.begin[row];
  const std::uint64_t end = rows.lines.begin[row + 1];
  if (begin == end) return 0;
  double most = slack;
  for (std::uint64_t pair = begin; pair < end; ++pair) most = std::max(most, rows.exponent(pair));
  double sum = std::exp(slack - most);
  for (std::uint64_t pair = begin; pair < end; ++pair) sum += std::exp(rows.exponent(pair) - most);
  for (std::uint64_t pair = begin; pair < end; ++pair) {
    out.pairs.score[pair] = static_cast<float>(std::exp(rows.exponent(pair) - most) / sum);
  }
  out.none_row[row] = static_cast<float>(std::exp(slack - most) / sum);
  return most + std::log(sum);
}

}  // namespace

LinkProbabilities sinkhorn(const SparseScores& scores, const SinkhornOptions& options, ThreadPool& pool) {
  check(scores, options);
  const SparseScores by_column = transposed(scores);
  const double scale = 1 / options.temperature;
  const double slack = options.no_counterpart ? *options.no_counterpart * scale : kNothing;
  // A pair's probability is exp(score * scale - row potential - column potential).
  std::vector<double> row_potential(scores.rows(), 0);
  std::vector<double> column_potential(scores.columns, 0);
  const Axis rows{scores, scale, column_potential};
  const Axis columns{by_column, scale, row_potential};
  const auto normalise = [&](const Axis& side, std::vector<double>& potential, double least) {
    pool.for_ranges(potential.size(), kGrain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t line = begin; line < end; ++line) {
        const double sum = log_add(side.log_sum(line, potential[line]), slack);
        if (sum != kNothing) potential[line] = std::max(sum, least);
      }
    });
  };
  const double least_column = options.cap_columns ? 0 : kNothing;
  for (std::size_t i = 0; i < options.iterations;) {
    normalise(rows, row_potential, kNothing);
    normalise(columns, column_potential, least_column);
    if (++i == options.iterations) break;
    LinearSide by_row(rows, row_potential, slack, kNothing, pool);
    LinearSide by_line(columns, column_potential, slack, least_column, pool);
    while (i < options.iterations) {
      const std::vector<double> row_factor = by_row.factor, column_factor = by_line.factor;
      if (by_row.normalise(by_line.factor, pool) && by_line.normalise(by_row.factor, pool)) {
        ++i;
        continue;
      }
      by_row.factor = row_factor;  // the iteration is made with logarithms, and all goes on from there
      by_line.factor = column_factor;
      break;
    }
    absorb(by_row.factor, row_potential);
    absorb(by_line.factor, column_potential);
  }

  LinkProbabilities out{scores, std::vector<float>(scores.rows(), 1), std::vector<float>(scores.columns, 1)};
  pool.for_ranges(scores.rows(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) row_potential[row] = finish_row(rows, row, slack, out);
  });
  pool.for_ranges(scores.columns, kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t column = begin; column < end; ++column) {
      const double claims = columns.log_sum(column, column_potential[column]);
      if (claims == kNothing) continue;
      out.none_column[column] =
          static_cast<float>(options.cap_columns && !options.no_counterpart
                                 ? std::max(0.0, 1 - std::exp(claims - column_potential[column]))
                                 : 1 / (1 + std::exp(claims - slack)));
    }
  });
  return out;
}

}  // namespace dovetail
