#pragma once

#include <dovetail/align.h>
#include <dovetail/observer.h>

#include <cstdint>
#include <span>
#include <vector>

#include "alignment/progress.h"
#include "alignment/workbench.h"
#include "pairs/best_pairs.h"
#include "signals/list.h"

namespace dovetail {

/// What a strategy works on.
struct Task {
  const SeedLinks& links;
  const Pools& pools;          ///< where new pairs are looked for
  std::span<const Link> gold;  ///< only to say how right they are
  const SignalSources& signals;
};

/// What was trained, as users and files see it.
[[nodiscard]] Model model_of(const Workbench& bench, const Trained& trained);

/// Throws ParameterError if there is nothing to learn from.
void require_seeds(const SeedLinks& links);

/// As the options' mode and strategy say.
[[nodiscard]] Trained train_as_asked(Workbench& bench, const Task& task, Observer& observer,
                                     Progress& progress);

/// Once on the seeds: PSR basic.
[[nodiscard]] Trained train_once(Workbench& bench, const SeedLinks& links, Observer& observer,
                                 Progress& progress);

/// The paper's Algorithm 1, and its two baselines: one model goes on learning from what it finds.
[[nodiscard]] Trained train_incrementally(Workbench& bench, const Task& task, Observer& observer,
                                          Progress& progress);

/// From a new start each turn, on the seeds and the surest pairs of the turn before.
[[nodiscard]] Trained train_with_restarts(Workbench& bench, const Task& task, Observer& observer,
                                          Progress& progress);

/// Rules first, then embeddings and rules in turn; rules alone if that is the strategy.
[[nodiscard]] Trained train_with_rules(Workbench& bench, const Task& task, Observer& observer,
                                       Progress& progress);

/// One turn's training, from a start of its own, on all of the links.
[[nodiscard]] Trained train_from_new_start(Workbench& bench, const std::vector<Link>& links, std::size_t turn,
                                           Observer& observer, Progress& progress);

/// The links of a strategy's turn, as links of the two graphs.
[[nodiscard]] std::vector<Link> named_pairs(const Pools& pools, std::span<const Decision> pairs);

/// Counts the found links that are known to be right, and those whose left or right end is in a gold link.
void judge(std::span<const Link> found, std::span<const Link> gold, Turn& turn);

/// Says how many of the gold links the search after a turn ranks first, from the user's right to the left, by
/// scores of the pools' pairs. `before` counts gold links that were found earlier and have left the pools.
void judge_ranking(const Workbench& bench, const Pools& pools, const SparseScores& scores,
                   std::span<const Link> gold, std::size_t before, Turn& turn);

/// Reports a turn that is done.
void tell(Observer& observer, std::size_t number, const Turn& turn);

}  // namespace dovetail
