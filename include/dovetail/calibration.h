#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace dovetail {

/// Whether confidences mean what they say: of links with confidence about .9, about 90% should be right.
struct Calibration {
  struct Bin {
    std::uint64_t count = 0;
    double confidence = 0;  ///< mean over the bin; 0 if it is empty
    double right = 0;       ///< share of the bin that is right; 0 if it is empty
  };
  std::array<Bin, 10> bins;
  std::uint64_t count = 0;
  double confidence = 0;  ///< mean over all
  double right = 0;       ///< share of all that is right
  /// Mean of |confidence - share right| over the bins, each weighed by its count.
  double expected_error = 0;
};

/// How confidences are divided into bins.
enum class Bins : std::uint8_t {
  equal_width,  ///< bin i has those from i / 10 to below (i + 1) / 10; the last one has 1 too
  equal_count,  ///< a tenth of them each, in ascending order; equal ones share what is right among them
};

/// `right` is 0 or 1 for each confidence. Throws Error if a confidence is not from 0 to 1.
[[nodiscard]] Calibration calibration(std::span<const double> confidence, std::span<const std::uint8_t> right,
                                      Bins bins = Bins::equal_width);

/// How many can be kept if those that are kept are to be right with a given precision.
struct Coverage {
  double share = 0;             ///< of all
  double least_confidence = 1;  ///< keep those with at least this; where share is 0 no bound does
};

/// The largest share with at least that precision; equal confidences are kept together or not at all.
[[nodiscard]] Coverage coverage_at_precision(std::span<const double> confidence,
                                             std::span<const std::uint8_t> right, double precision);

/// What is kept if only the surest are: from the surest ones to all of them.
struct CoveragePoint {
  double share = 0;             ///< of all that is kept
  double least_confidence = 0;  ///< of what is kept
  double precision = 0;         ///< share of it that is right
};

/// Points about 2% of all apart; equal confidences are kept together. The last point keeps everything.
[[nodiscard]] std::vector<CoveragePoint> precision_by_coverage(std::span<const double> confidence,
                                                               std::span<const std::uint8_t> right);

/// A probability from features: 1 / (1 + exp(-(intercept + sum of weight (feature - mean) / deviation))).
struct LogisticModel {
  std::vector<std::string> features;
  std::vector<double> mean, deviation, weight;  ///< a feature of deviation 0 is not looked at
  double intercept = 0;
};

/// What makes confidences of what a ranking knows; fitted on seeds that were held out of a training of its
/// own.
struct ConfidenceModel {
  LogisticModel link;  ///< the decided link is right
  LogisticModel
      none;  ///< the left entity has no counterpart in the pool; fitted where half of them have none
  LogisticModel none_right = {};  ///< the same of right entities; no features in runs of earlier versions
  LogisticModel link_right = {};  ///< the link of a right entity that has a counterpart is right; the same
  std::size_t examples = 0;       ///< held-out links that it was fitted on
};

/// How many links are right, and what share of them, by their confidences alone.
struct ExpectedPrecision {
  double right = 0, precision = 0;
  double precision_low = 0, precision_high = 0;  ///< an interval of 95%
};

/// `examples`: held-out links or decoys that the confidences rest on; the interval widens where they are few.
[[nodiscard]] ExpectedPrecision expected_precision(std::span<const double> confidence, std::size_t examples);

}  // namespace dovetail
