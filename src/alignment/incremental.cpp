// Incremental semi-supervised learning, the paper's Algorithm 1: each turn trains on what the last one found
// and on old pairs that have drifted apart since, with the same parameters.
#include <algorithm>
#include <utility>

#include "alignment/plan.h"
#include "alignment/strategy.h"
#include "common/random.h"
#include "common/stopwatch.h"

namespace dovetail {
namespace {

/// What is left of the pools when the entities of these links leave them.
void leave(const std::vector<Link>& links, Pools& pools) {
  const Pools ends = closed_pools(links);
  std::erase_if(pools.left, [&](EntityId entity) { return std::ranges::binary_search(ends.left, entity); });
  std::erase_if(pools.right, [&](EntityId entity) { return std::ranges::binary_search(ends.right, entity); });
}

class Incremental {
 public:
  Incremental(Workbench& bench, const Task& task, Progress& progress)
      : bench_(bench),
        task_(task),
        options_(bench.options()),
        start_{options_.seed,
               options_.training.tie_seeds ? bench.nodes(task.links.train) : std::vector<NodePair>()},
        valid_(bench.nodes(task.links.valid)),
        progress_(progress),
        state_(progress.turn
                   ? *progress.turn
                   : progress.turn.emplace(TurnState{.links = task.links.train, .pools = task.pools})),
        trainer_(bench.trainer(options_, start_, anchors(task.links.train))) {}

  Trained run(Observer& observer) {
    TrainingReport& report = progress_.report;
    const std::size_t turns = planned_trainings(options_, task_.signals.identify());
    std::vector<Link>& set = state_.links;
    for (std::uint64_t& number = state_.number; number < turns && !set.empty(); ++number) {
      observer.progress("turn", number, turns, "turns");
      Turn turn{.trained_on = set.size()};
      Stopwatch watch;
      train(set, number, observer);
      turn.loss = report.epochs.back().loss;
      turn.steps = report.steps;
      turn.train_seconds = watch.lap();
      const bool last = number + 1 == turns;
      if (!last) set = next_set(set, turn);
      turn.search_seconds = watch.lap();
      report.turns.push_back(turn);
      tell(observer, number + 1, turn);
      if (!last && turn.found == 0) break;
    }
    observer.progress("turn", turns, turns, "turns");
    report.working_bytes = trainer_.working_memory_bytes();
    report.step_seconds += trainer_.seconds();
    return {std::move(trainer_.parameters()), options_.seed,
            options_.training.tie_seeds ? task_.links.train : std::vector<Link>()};
  }

 private:
  std::vector<NodePair> anchors(std::span<const Link> links) const {
    std::vector<NodePair> nodes = bench_.nodes(links);
    nodes.insert(nodes.end(), valid_.begin(), valid_.end());
    return nodes;
  }

  void train(std::span<const Link> set, std::size_t number, Observer& observer) {
    AlignOptions options = options_;
    if (number > 0) {
      trainer_.anchor(anchors(set));
      options.seed = mix64(options_.seed + (std::uint64_t{number} << 48));
      options.training.epochs = options_.semi.turn_epochs;
    }
    progress_.report.stopped_early = false;
    train_kept(trainer_, bench_.nodes(set), valid_, options, observer, progress_);
  }

  /// New pairs of the pool, and what the strategy takes of the old ones.
  std::vector<Link> next_set(std::span<const Link> trained, Turn& turn) {
    const MatchVectors vectors = bench_.vectors(trainer_.parameters(), start_, state_.pools);
    Found found = search(vectors, options_.matching, bench_.pool());
    found.similarity =
        without(state_.pools.apart, state_.pools.left, state_.pools.right, std::move(found.similarity));
    const SparseScores scores = csls_scores(found, options_.matching);
    std::vector<Link> next = named_pairs(state_.pools, mutual_best(scores));
    turn.found = next.size();
    judge(next, task_.gold, turn);
    judge_ranking(bench_, state_.pools, scores, task_.gold, state_.right, turn);
    state_.right += turn.right;
    leave(next, state_.pools);
    const std::vector<Link> old = taken_up_again(trained);
    turn.reviewed = old.size();
    next.insert(next.end(), old.begin(), old.end());
    return next;
  }

  std::vector<Link> taken_up_again(std::span<const Link> trained) {
    if (options_.semi.strategy == Strategy::no_review) return {};
    if (options_.semi.strategy == Strategy::normal) return {trained.begin(), trained.end()};
    std::vector<Link> again = drifted();
    remember(trained);
    return again;
  }

  /// Pairs of earlier turns that are less alike than they were.
  std::vector<Link> drifted() {
    std::vector<Link> links;
    for (const TrainedPair& pair : state_.known) links.push_back(pair.link);
    const std::vector<float> now = bench_.similarities(trainer_.parameters(), links);
    std::vector<Link> result;
    for (std::size_t n = 0; n < state_.known.size(); ++n) {
      if (now[n] < state_.known[n].similarity - options_.semi.epsilon) result.push_back(state_.known[n].link);
    }
    return result;
  }

  /// Stores how alike the pairs of this turn are, in place of what was known of them.
  void remember(std::span<const Link> trained) {
    const std::vector<float> now = bench_.similarities(trainer_.parameters(), trained);
    std::vector<Link> sorted(trained.begin(), trained.end());
    std::ranges::sort(sorted);
    std::erase_if(state_.known,
                  [&](const TrainedPair& pair) { return std::ranges::binary_search(sorted, pair.link); });
    for (std::size_t n = 0; n < trained.size(); ++n) state_.known.push_back({trained[n], now[n]});
  }

  Workbench& bench_;
  const Task& task_;
  const AlignOptions& options_;
  Initialisation start_;
  std::vector<NodePair> valid_;
  Progress& progress_;
  TurnState& state_;
  Trainer<float> trainer_;
};

}  // namespace

Trained train_incrementally(Workbench& bench, const Task& task, Observer& observer, Progress& progress) {
  require_seeds(task.links);
  return Incremental(bench, task, progress).run(observer);
}

}  // namespace dovetail
