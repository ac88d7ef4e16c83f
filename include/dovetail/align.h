#pragma once

#include <dovetail/evaluation.h>
#include <dovetail/graph.h>
#include <dovetail/links.h>
#include <dovetail/model.h>
#include <dovetail/observer.h>
#include <dovetail/options.h>
#include <dovetail/pools.h>
#include <dovetail/training.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dovetail {

/// Learns from links.train, watches links.valid. Throws ParameterError if there is nothing to learn from.
[[nodiscard]] Model train(const GraphPair& pair, const SeedLinks& links, const AlignOptions& options,
                          Observer& observer, TrainingReport* report = nullptr);

struct Candidate {
  EntityId entity;
  float score;  ///< the decoder's
};

/// For each entity of a pool its ranked candidates on the other side.
struct Candidates {
  std::vector<EntityId> entities;
  std::vector<std::vector<Candidate>> ranked;  ///< as `entities`; best first; rules alone may find none
};

/// How well one signal alone ranks the gold links.
struct SignalEvaluation {
  std::string signal;  ///< its name in the list of signals
  Evaluation evaluation;
};

struct Alignment {
  /// By the signal of this name alone; null if it was not evaluated.
  [[nodiscard]] const Evaluation* of_signal(std::string_view signal) const {
    for (const SignalEvaluation& own : alone) {
      if (own.signal == signal) return &own.evaluation;
    }
    return nullptr;
  }

  Candidates left, right;
  // Of the gold links within the pools; count 0 if there are none.
  Evaluation evaluation;                ///< by the decoder
  std::vector<SignalEvaluation> alone;  ///< by each signal that looked at all pairs, CSLS
  std::vector<DegreeHits> by_degree;    ///< by the decoder, right to left, for right entities by their degree
  std::optional<Evaluation> plain_sum;  ///< structure and names simply added, the paper's ls + ss
  double match_seconds = 0;
  double evaluation_seconds = 0;
};

/// Ranks the entities of the pools by the model's score; `gold`, where known, only to say how well.
[[nodiscard]] Alignment match(const GraphPair& pair, const Model& model, const Pools& pools,
                              const std::vector<Link>& gold, const AlignOptions& options, Observer& observer);

}  // namespace dovetail
