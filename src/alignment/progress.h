#pragma once

#include <dovetail/align.h>
#include <dovetail/observer.h>
#include <dovetail/run.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "alignment/memory_plan.h"
#include "encoder/parameters.h"
#include "evidence/relation_links.h"
#include "training/train_loop.h"

namespace dovetail {

class Workbench;

/// What a strategy leaves: parameters, and what they started from.
struct Trained {
  Parameters<float> parameters;
  std::uint64_t seed = 1;
  std::vector<Link> tied;
  /// Of a strategy with rules; there are no parameters where it has nothing else.
  std::optional<Beliefs> beliefs = std::nullopt;
  InitialKeys keys = {};

  [[nodiscard]] Initialisation start(const Workbench& bench) const;
  [[nodiscard]] bool embeds() const { return parameters.entities.rows() > 0; }
};

/// A pair that was trained on, and how alike its ends were when that had been done.
struct TrainedPair {
  Link link;
  float similarity;
};

/// What a strategy knows between its trainings; each fills what it needs.
struct TurnState {
  std::uint64_t number = 0;          ///< trainings that are done
  std::uint64_t wanted = 0;          ///< trainings that there are to be, as far as is known by then
  Beliefs beliefs{};                 ///< of rules
  std::vector<Link> links{};         ///< found in the turn before, or to be trained on in the next
  Pools pools{};                     ///< where pairs are still looked for
  std::vector<TrainedPair> known{};  ///< from earlier turns
  std::uint64_t right = 0;           ///< gold links among the pairs that have left the pools
};

struct Progress;

/// Keeps how far a run has come; this one keeps nothing.
class Keeper {
 public:
  Keeper() = default;
  Keeper(const Keeper&) = delete;
  Keeper& operator=(const Keeper&) = delete;
  virtual ~Keeper() = default;

  /// Whether steps are to be finished before the work is given up.
  [[nodiscard]] virtual bool keeps() const { return false; }
  /// Keeps the progress, if it is time to. There is a trainer while a training is going on.
  virtual void keep(Progress& progress, Trainer<float>* trainer) { (void)progress, (void)trainer; }
  /// Where the run stood when it was last kept; it goes on from there.
  [[nodiscard]] virtual Progress kept();
  /// Brings the trainer to where it was then, if a training was going on: only the first one that asks.
  virtual void restore(Trainer<float>& trainer) { (void)trainer; }
};

/// How far a run has come: all that going on takes beside the inputs and the options.
struct Progress {
  std::optional<MemoryPlan> plan;  ///< by which it began: on a machine with other memory too
  TrainingReport report;
  std::optional<TurnState> turn;   ///< nothing before the strategy has begun
  TrainingPosition position;       ///< in the training that is going on
  std::optional<Trained> trained;  ///< when all of it is done
  Keeper* keeper = nullptr;
};

/// train_loop() that goes on from where the progress says and is kept from time to time.
void train_kept(Trainer<float>& trainer, std::span<const NodePair> links, std::span<const NodePair> valid,
                const AlignOptions& options, Observer& observer, Progress& progress);

/// run_alignment() that goes on from where the keeper says, and is kept by it.
[[nodiscard]] Run run_alignment(const LoadedPair& pair, const AlignOptions& options, Observer& observer,
                                Keeper& keeper);

// For archives to write or to read.

template <typename Archive>
void visit_state(Archive& archive, SparseScores& scores) {
  std::uint64_t columns = scores.columns;
  archive(columns, scores.begin, scores.column, scores.score);
  scores.columns = columns;
}

template <typename Archive>
void visit_state(Archive& archive, Pools& pools) {
  archive(pools.left, pools.right, pools.apart);
}

template <typename Archive>
void visit_state(Archive& archive, Trained& trained) {
  archive(trained.parameters, trained.seed, trained.tied, trained.beliefs, trained.keys.entities,
          trained.keys.relations);
}

template <typename Archive>
void visit_state(Archive& archive, TurnState& turn) {
  archive(turn.number, turn.wanted, turn.beliefs, turn.links, turn.pools, turn.known, turn.right);
}

template <typename Archive>
void visit_state(Archive& archive, Turn& turn) {
  archive(turn.trained_on, turn.found, turn.reviewed, turn.judged, turn.right, turn.loss, turn.steps,
          turn.hits_at_1, turn.train_seconds, turn.search_seconds);
}

template <typename Archive>
void visit_state(Archive& archive, TrainingReport& report) {
  archive(report.epochs, report.turns, report.steps, report.stopped_early, report.sampling,
          report.step_seconds, report.working_bytes);
}

template <typename Archive>
void visit_state(Archive& archive, MemoryPlan& plan) {
  archive(plan.dimension, plan.sampling, plan.vectors_in_files, plan.batch_size, plan.candidates, plan.bytes);
}

template <typename Archive>
void visit_state(Archive& archive, Progress& progress) {
  archive(progress.plan, progress.report, progress.turn, progress.position, progress.trained);
}

}  // namespace dovetail
