#include "alignment/run_phases.h"

#include <algorithm>

#include "alignment/confidence_fit.h"

namespace dovetail {
namespace {

/// Costs of the two operations that most of a run consists of, from runs on generated pairs and DBP15K.
struct UnitCosts {
  double training, search;
};

UnitCosts unit_costs(const Plan& plan, const LoadedPair& pair) {
  constexpr double kTripleStep = 2e-8;  // seconds for a feature of a triple in a training step
  constexpr double kOfPairs = 4e-11;    // seconds for a feature of a pair of entities that are compared
  constexpr double kCandidate = 8e-7;   // seconds for a candidate that is scored and normalised
  const AlignOptions& options = plan.options;
  const auto dimension = static_cast<double>(options.encoder.dimension);
  const GraphPair& graphs = pair.graphs;
  const auto triples = static_cast<double>(graphs.left().triple_count() + graphs.right().triple_count());
  const auto left = static_cast<double>(plan.left_pool), right = static_cast<double>(plan.right_pool);
  double steps = static_cast<double>(options.semi.restart_steps);
  if (options.mode == Mode::basic) {
    const auto batch = static_cast<double>(std::max<std::size_t>(1, options.training.batch_size));
    const double batches = std::max(1.0, static_cast<double>(pair.links.train.size()) / batch);
    steps = static_cast<double>(options.training.epochs) *
            std::min(batches, static_cast<double>(std::max<std::size_t>(1, options.training.most_batches)));
  }
  // A signal beside structure and rules has a search of its own.
  const double signals = plan.signals.size() > 2 ? 2 : 1;
  return {.training = triples * dimension * std::max(steps, 1.0) * kTripleStep,
          .search = signals * (left * right * dimension * kOfPairs +
                               (left + right) * static_cast<double>(plan.candidates) * kCandidate)};
}

}  // namespace

RunPhases::RunPhases(const Plan& plan, const LoadedPair& pair, bool update, Observer& observer)
    : observer_(observer) {
  const AlignOptions& options = plan.options;
  const auto [training, search] = unit_costs(plan, pair);
  const bool basic = options.mode == Mode::basic, compare = options.deciding.compare;
  const bool tested = !pair.links.test.empty(), closed = options.deciding.pool == CandidatePool::test;
  const auto trainings = static_cast<double>(plan.trainings);
  phases_.push_back({.name = "training",
                     .cost = trainings * training + (basic ? 0 : std::max(trainings, 1.0) * search),
                     .unit = basic ? "batches" : "turns"});
  if (tested && (closed || compare)) phases_.push_back({.name = "ranking", .cost = search});
  if (!closed || compare) phases_.push_back({.name = "ranking", .cost = search});
  if (tested && compare && plan.signals.size() > 2 && !update) {
    phases_.push_back({.name = "structure alone", .cost = training + search});
  }
  if (options.deciding.calibrate && !update && hold_out(pair.links, {}, options)) {
    const double turns = basic ? 1 : 2;
    phases_.push_back({.name = "confidences", .cost = turns * training + (basic ? 1 : 4) * search});
  }
  phases_.push_back({.name = "deciding", .cost = 0.2 * search});
  constexpr double kWritten = 2e-5;  // seconds for an entity with its reasons
  const double entities = static_cast<double>(plan.left_pool + plan.right_pool);
  phases_.push_back({.name = "writing", .cost = 0.2 + kWritten * entities});
  double after = 0;
  for (std::size_t n = phases_.size(); n-- > 0; after += phases_[n].cost) phases_[n].after = after;
}

void RunPhases::begin(std::string_view name) {
  const auto found = std::ranges::find(phases_.begin() + static_cast<std::ptrdiff_t>(next_), phases_.end(),
                                       name, &Phase::name);
  if (found == phases_.end()) return;
  begin_phase(observer_, *found);
  next_ = static_cast<std::size_t>(found - phases_.begin()) + 1;
}

}  // namespace dovetail
