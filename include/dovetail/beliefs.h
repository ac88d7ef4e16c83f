#pragma once

#include <cstddef>

namespace dovetail {

/// How a run goes from what it believes of pairs to the scores of their neighbours, and back.
struct BeliefOptions {
  // Rounds.
  std::size_t start_rounds = 8;      ///< before anything is trained
  std::size_t start_proposals = 20;  ///< pairs proposed for each left entity in each of them
  std::size_t rounds = 4;            ///< after a training
  std::size_t proposing_rounds = 2;  ///< of these, the first ones that propose pairs
  std::size_t proposals = 10;        ///< for each left entity

  // Probabilities.
  double most = 0.95;        ///< of a pair that is not a seed
  double settled = 0.9;      ///< above it no other candidate is searched for
  double support = 0.5;      ///< above it a pair outside of the pools speaks for its neighbours
  double forgotten = 0.001;  ///< below it a pair is no candidate unless it is found again
};

}  // namespace dovetail
