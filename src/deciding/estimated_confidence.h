#pragma once

#include <span>
#include <vector>

#include "deciding/decoys.h"

namespace dovetail {

/// How likely a link is right by its probability under Sinkhorn, estimated without any known link: links of
/// that probability are right ones and wrong ones, and decoys say how many wrong ones there are.
class EstimatedConfidence {
 public:
  /// `links`: probabilities of all links, pairs that are each other's likeliest. `decoys`: of rows and of
  /// columns; an estimate is made of each and their mean is taken.
  EstimatedConfidence(std::span<const float> links, std::span<const Decoys> decoys);

  /// Monotone in the probability; between 0 and 1.
  [[nodiscard]] double operator()(double probability) const;
  /// The share of entities without counterpart, or whose counterpart was not found, for each of `decoys`.
  [[nodiscard]] const std::vector<double>& share_without() const { return share_; }
  /// Rows that the decoys of one side were made of.
  [[nodiscard]] std::size_t examples() const { return examples_; }

 private:
  std::vector<double> at_, value_;  ///< ascending; between two the confidence is interpolated
  std::vector<double> share_;
  std::size_t examples_ = 0;
};

/// Estimates the confidence of links from probabilities alone. The sure pairs that decoys are made of are
/// links with a probability of at least .8 or, where these are few, the surer half.
[[nodiscard]] EstimatedConfidence estimate_confidence(const LinkProbabilities& probabilities);

}  // namespace dovetail
