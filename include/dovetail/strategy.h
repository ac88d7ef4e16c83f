#pragma once

#include <cstddef>
#include <cstdint>

namespace dovetail {

/// What links are found by.
enum class Mode : std::uint8_t {
  /// Values where most entities of both sides have literals beside names; else names where both sides have
  /// them and those of seeds are alike; else semi.
  automatic,
  basic,   ///< structure, trained once on the seeds
  semi,    ///< structure, trained again and again on seeds and what was found: a Strategy
  names,   ///< structure and names together
  values,  ///< structure and values together: all literals, labels among them
};

/// How semi-supervised training goes on from what it has found.
enum class Strategy : std::uint8_t {
  best,       ///< rules first, then embeddings and rules in turn
  restart,    ///< embeddings alone: from a new start each turn, on the seeds and the surest pairs, found anew
  rules,      ///< rules alone: from what is known to the neighbours, without any training
  paper,      ///< on new pairs and on old ones that have drifted apart, without a new start
  normal,     ///< the same on all pairs, old and new
  no_review,  ///< the same on new pairs only
};

struct SemiOptions {
  Strategy strategy = Strategy::best;
  std::size_t turns = 0;          ///< trainings, the first one included; 0: as many as the strategy wants
  std::size_t restart_steps = 8;  ///< of `restart` and `best`: steps from each new start, about; 0: by epochs
  std::size_t restart_batch = 4096;  ///< of `restart` and `best`: pairs in each of them, about
  double restart_rate = 0.01;        ///< of `restart` and `best`: its learning rate
  /// Of `restart`: the dimension of all turns but the last; of `best`: of all turns. Only if the encoder's is
  /// larger.
  std::size_t scout_dimension = 128;
  double sure = 0.7;            ///< of `restart` and `best`: probability from which a pair is trained on
  std::size_t turn_epochs = 5;  ///< of the others: epochs of each turn after the first
  double epsilon = 0.05;        ///< of `paper`: a pair whose cosine fell by more is trained on again
};

}  // namespace dovetail
