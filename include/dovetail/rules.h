#pragma once

#include <cstddef>

namespace dovetail {

/// How rules go from what is believed of pairs to evidence for their neighbours.
struct RuleOptions {
  // What evidence is worth beside the other signals: weight * evidence^power, in logits.
  double weight = 15;
  double power = 0.4;           ///< below 1: the first reasons count most
  std::size_t iterations = 30;  ///< of Sinkhorn; evidence is uneven, so that rows and columns agree later

  std::size_t support_proposals = 20;  ///< pairs proposed for each left entity outside of the pools
  std::size_t likely_rounds = 5;       ///< to find pairs that an approximate search looks at too

  // Probabilities.
  double partner = 0.3;        ///< from which a pair counts when relations are compared
  double least_belief = 0.05;  ///< from which an entity speaks for its neighbours

  // Weights of single reasons.
  double least_weight = 0.005;   ///< below it a pair of relations says nothing
  double most_weight = 0.99;     ///< of one reason, as a probability
  double least_doubt = 0.05;     ///< below it a reason against a pair is not listed
  double least_proposal = 0.05;  ///< evidence from which a pair is proposed
  std::size_t crowd = 300;       ///< a neighbour that more entities share by one relation says nothing
};

}  // namespace dovetail
