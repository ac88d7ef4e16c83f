// Semi-supervised training from a new start each turn: what was learned from wrong pairs is forgotten, what
// was learned from right ones is learned again.
#include <algorithm>

#include "alignment/plan.h"
#include "alignment/strategy.h"
#include "common/random.h"
#include "common/stopwatch.h"
#include "deciding/belief_loop.h"
#include "training/train_loop.h"

namespace dovetail {
namespace {

/// A start of its own for each turn; the first one is that of basic training.
std::uint64_t turn_seed(std::uint64_t seed, std::size_t turn) {
  return turn == 0 ? seed : mix64(seed + (std::uint64_t{turn} << 48));
}

}  // namespace

Trained train_from_new_start(Workbench& bench, const std::vector<Link>& links, std::size_t turn,
                             Observer& observer, Progress& progress) {
  AlignOptions options = bench.options();
  const std::uint64_t seed = turn_seed(options.seed, turn);
  options.seed = seed;
  options.training.batch_size = options.semi.restart_batch;
  options.training.learning_rate = options.semi.restart_rate;
  if (options.semi.restart_steps > 0) {
    const std::size_t batches = batch_count(links.size(), options.training.batch_size);
    options.training.epochs = std::max<std::size_t>(1, (options.semi.restart_steps + batches / 2) / batches);
  }
  const std::vector<NodePair> nodes = bench.nodes(links);
  Trainer<float> trainer = bench.trainer(options, {seed, nodes, {}}, nodes);
  train_kept(trainer, nodes, {}, options, observer, progress);
  progress.report.working_bytes = trainer.working_memory_bytes();
  progress.report.step_seconds += trainer.seconds();
  return {.parameters = std::move(trainer.parameters()), .seed = seed, .tied = links};
}

Trained train_with_restarts(Workbench& bench, const Task& task, Observer& observer, Progress& progress) {
  const AlignOptions& options = bench.options();
  const std::size_t turns = planned_trainings(options, task.signals.identify());
  AlignOptions scouting = options;
  scouting.encoder.dimension = std::min(options.encoder.dimension, options.semi.scout_dimension);
  Workbench scout(bench.pair(), scouting, bench.observer());
  Signals signals = task.signals.in(task.pools, options, bench.pool());
  const auto sure_pairs = [&](const PairScores& scores) {
    std::vector<Decision> pairs = mutual_best(probabilities_of(scores, bench.pool()).pairs);
    std::erase_if(pairs, [&](const Decision& pair) { return pair.score < options.semi.sure; });
    return named_pairs(task.pools, pairs);
  };
  TrainingReport& report = progress.report;
  if (!progress.turn) {
    progress.turn.emplace();
    if (task.links.train.empty() && task.signals.identify())
      progress.turn->links = sure_pairs(signals.find());
  }
  std::vector<Link>& found = progress.turn->links;
  Trained trained;
  for (std::uint64_t& number = progress.turn->number; number < turns; ++number) {
    observer.progress("turn", number, turns, "turns");
    std::vector<Link> links = task.links.train;
    links.insert(links.end(), found.begin(), found.end());
    Turn turn{.trained_on = links.size()};
    Stopwatch watch;
    const bool last = number + 1 == turns;
    Workbench& turn_bench = last ? bench : scout;
    trained = train_from_new_start(turn_bench, links, number, observer, progress);
    turn.loss = report.epochs.back().loss;
    turn.steps = report.steps;
    turn.train_seconds = watch.lap();
    if (!last) {
      const MatchVectors vectors = scout.vectors(trained.parameters, trained.start(scout), task.pools);
      signals.take_vectors(&vectors, trained.tied);
      const PairScores scores = signals.find();
      found = sure_pairs(scores);
      turn.found = found.size();
      judge(found, task.gold, turn);
      judge_ranking(bench, task.pools, scores.combined, task.gold, 0, turn);
      turn.search_seconds = watch.lap();
    }
    report.turns.push_back(turn);
    tell(observer, number + 1, turn);
  }
  observer.progress("turn", turns, turns, "turns");
  return trained;
}

}  // namespace dovetail
