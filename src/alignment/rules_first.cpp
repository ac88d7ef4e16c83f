// Semi-supervised training with rules beside embeddings: rules go as far as the seeds lead them, embeddings
// learn from that and look at what is still open, and each has the other's findings in the next turn.
#include <algorithm>

#include "alignment/plan.h"
#include "alignment/strategy.h"
#include "common/stopwatch.h"
#include "deciding/belief_loop.h"

namespace dovetail {
namespace {

/// Where seeds are few there are more turns, as long as they bring something: the first one doubles what is
/// known, and each later one adds a hundredth.
constexpr std::size_t kMostTurns = 8;
constexpr double kMuch = 2, kSomething = 1.01;

}  // namespace

Trained train_with_rules(Workbench& bench, const Task& task, Observer& observer, Progress& progress) {
  const AlignOptions& options = bench.options();
  Signals signals = task.signals.in(task.pools, options, bench.pool());
  BeliefLoop loop(bench.pair(), task.pools, signals, options, bench.pool());
  TrainingReport& report = progress.report;
  const bool begun = progress.turn.has_value();
  if (!begun) progress.turn.emplace().beliefs = beliefs_of(bench.pair(), task.links.train);
  Beliefs& beliefs = progress.turn->beliefs;
  const auto tell_turn = [&](Turn turn) {
    if (turn.search_seconds > 0) {
      const std::vector<Link> sure = loop.sure_links(beliefs);
      turn.found = sure.size() - task.links.train.size();
      judge(sure, task.gold, turn);
    }
    report.turns.push_back(turn);
    tell(observer, report.turns.size(), turn);
  };
  Stopwatch watch;
  const auto search_after = [&](Turn& turn, const Believed& found) {
    judge_ranking(bench, task.pools, found.probabilities.pairs, task.gold, 0, turn);
    turn.search_seconds = watch.lap();
  };
  if (!begun) {
    Turn first{.trained_on = task.links.train.size()};
    search_after(first, loop.start(beliefs));  // without seeds, by signals that tell entities apart
    tell_turn(first);
  }
  Trained trained;
  const bool edges = bench.pair().left().triple_count() > 0 && bench.pair().right().triple_count() > 0;
  std::uint64_t& trainings = progress.turn->wanted;
  if (!begun) trainings = edges ? planned_trainings(options, task.signals.identify()) : 0;
  for (std::uint64_t& number = progress.turn->number; number < trainings; ++number) {
    observer.progress("turn", number + 1, trainings + 1, "turns");
    const std::vector<Link> links = loop.sure_links(beliefs);
    trained = train_from_new_start(bench, links, number, observer, progress);
    Turn turn{.trained_on = links.size(),
              .loss = report.epochs.back().loss,
              .steps = report.steps,
              .train_seconds = watch.lap()};
    if (number + 1 < trainings) {
      const MatchVectors vectors = bench.vectors(trained.parameters, trained.start(bench), task.pools);
      search_after(turn, loop.refine(&vectors, trained.tied, beliefs));
      const auto known = static_cast<double>(loop.sure_links(beliefs).size());
      const bool on = known > (number == 0 ? kMuch : kSomething) * static_cast<double>(links.size());
      if (options.semi.turns == 0 && on) trainings = std::min<std::uint64_t>(trainings + 1, kMostTurns);
    }
    tell_turn(turn);
  }
  observer.progress("turn", trainings + 1, trainings + 1, "turns");
  trained.beliefs = std::move(beliefs);
  return trained;
}

}  // namespace dovetail
