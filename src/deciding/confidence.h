#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "deciding/decoders.h"
#include "deciding/logistic.h"
#include "deciding/sinkhorn.h"

namespace dovetail {

/// What one source, structure or names, says of every pair.
struct ScoreSource {
  std::string name;
  std::span<const float> score;  ///< [pairs], in the order of the probabilities' pairs
};

/// A feature that the caller brings along.
struct ExtraFeature {
  std::string name;
  std::span<const double> value;  ///< by decision
};

/// What a confidence is computed from, besides the probabilities. All of it outlives the call only.
struct ConfidenceSources {
  std::vector<ScoreSource> scores = {};
  std::span<const std::uint32_t> row_degree = {}, column_degree = {};  ///< both or neither
  std::vector<ExtraFeature> extra = {};
};

/// What speaks for and against each decision: log-odds of its probability and of either end having no
/// counterpart; how far it is ahead of the best alternative of its row and of its column, in probability and
/// in each source's score; whether it is their best; the logarithms of the degrees.
///
/// For the confidence of links, fit with whether the decision is right as the outcome. For "no counterpart",
/// fit a second regression on the same features of each row's best candidate (`best_of_rows`), with whether
/// the row has no counterpart as the outcome; a row without candidates is not in question. Fit on links that
/// were held out of training, the counterparts of some of them deleted for the second one.
[[nodiscard]] FeatureTable link_features(const LinkProbabilities& probabilities,
                                         std::span<const Decision> decisions,
                                         const ConfidenceSources& sources);

}  // namespace dovetail
