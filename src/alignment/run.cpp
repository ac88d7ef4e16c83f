#include <dovetail/errors.h>
#include <dovetail/run.h>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>
#include <set>

#include "alignment/confidence_fit.h"
#include "alignment/deciding.h"
#include "alignment/learned_units.h"
#include "alignment/plan.h"
#include "alignment/ranking.h"
#include "alignment/signal_inputs.h"
#include "alignment/strategy.h"
#include "alignment/update.h"
#include "common/buffer.h"
#include "common/stopwatch.h"
#include "common/text.h"
#include "deciding/decoders.h"
#include "values/value_learning.h"

namespace dovetail {
namespace {

class Aligning {
 public:
  /// `earlier` may be null.
  Aligning(const LoadedPair& pair, const AlignOptions& options, const Run* earlier, Observer& observer,
           Keeper& keeper)
      : pair_(pair), earlier_(earlier), observer_(observer), keeper_(keeper), options_(options) {}

  Run run() {
    Stopwatch watch;
    Run run;
    ThreadPool pool(options_.threads, &observer_);
    Progress progress = keeper_.kept();
    const Settled settled = settle(pair_, options_, progress.plan, pool, observer_);
    options_ = settled.plan.options;
    sources_ = &settled.sources;
    if (options_.memory.count > 0) sparing_.emplace();
    tell_memory(settled.plan);
    const std::vector<Link>& test = pair_.links.test;
    const Pools &closed = settled.closed, &open = settled.open, &pools = settled.pools();
    const bool closed_pool = options_.deciding.pool == CandidatePool::test;
    progress.plan = settled.plan.memory;
    run.planned_memory_bytes = progress.plan->bytes;
    Workbench bench(pair_.graphs, options_, &observer_);
    if (options_.deciding.learn_scales && sources_->identify() && earlier_ == nullptr) learn(pools, bench);
    watch.lap();
    train(bench, {pair_.links, pools, test, *sources_}, progress);
    const Trained& trained = *progress.trained;
    run.training = std::move(progress.report);
    run.training.seconds = run.seconds.train = watch.lap();

    Ranking ranking;
    const auto rank = [&](const Pools& among) {
      return rank_pools(bench, trained, among, test, *sources_, options_.deciding.decoder, observer_);
    };
    const bool compare = options_.deciding.compare;
    if (!test.empty() && (closed_pool || compare)) {
      Ranking found = rank(closed);
      run.closed = std::move(found.alignment);
      if (closed_pool) ranking = std::move(found);
    }
    if (!closed_pool || compare) {
      Ranking found = rank(open);
      run.open = std::move(found.alignment);
      if (!closed_pool) ranking = std::move(found);
    }
    if (compare && sources_->identify() && !test.empty() && !pair_.links.train.empty() &&
        earlier_ == nullptr) {
      run.structure_only = structure_alone(bench, closed);
    }
    run.seconds.match = run.closed.match_seconds + run.open.match_seconds;
    watch.lap();
    run.confidence = confidence_model(pools);
    run.decisions = decide(bench.pair(), pools, ranking, run.confidence, options_.deciding);
    // Seeds are in the pools only to be linked once more.
    const Pools seeded = closed_pools(pair_.links.train);
    std::erase_if(run.decisions.unmatched_left,
                  [&](const Unmatched& own) { return std::ranges::binary_search(seeded.left, own.entity); });
    judge_decisions(run.decisions);
    run.seconds.confidence = watch.lap();
    ranking = Ranking();  // the model takes as much
    if (trained.embeds()) run.model = model_of(bench, trained);
    run.values = sources_->learned(pools.known).values;
    if (run.values != nullptr) run.attributes = run.values->attributes;
    run.options = options_;
    run.graphs = sizes_of(pair_.graphs);
    run.seconds.total = watch.seconds();
    run.peak_memory_bytes = peak_memory_bytes();
    return run;
  }

 private:
  /// Says how the run keeps to the memory that it may take, where that is worth saying.
  void tell_memory(const Plan& plan) {
    const MemoryPlan& memory = plan.memory;
    if (options_.memory.count == 0 && !memory.vectors_in_files) return;
    const bool batches = options_.mode == Mode::basic && memory.batch_size > 0;
    observer_.note(fmt::format(
        "about {} of memory: dimension {}, {} steps{}, vectors in {}, {} candidates each",
        human_bytes(memory.bytes), memory.dimension, memory.sampling == Sampling::none ? "whole" : "sampled",
        batches ? fmt::format(" of {} pairs", memory.batch_size) : "",
        memory.vectors_in_files ? "files" : "memory", plan.candidates));
  }

  /// From where the progress stands to the end, where it is kept once more.
  void train(Workbench& bench, const Task& task, Progress& progress) {
    if (progress.trained) return;
    progress.keeper = &keeper_;
    progress.report.sampling = bench.options().sampling.method;
    progress.trained = earlier_ == nullptr ? train_as_asked(bench, task, observer_, progress)
                                           : train_further(bench, task, *earlier_, observer_, progress);
    progress.turn.reset();
    keeper_.keep(progress, nullptr);
  }

  /// How much each signal counts, from the seeds.
  void learn(const Pools& pools, Workbench& bench) {
    if (!learn_units(pair_.graphs, pair_.links, pools, *sources_, options_, observer_)) {
      observer_.warning("too few seed links to learn scales from: the given ones are used");
      return;
    }
    bench.set_options(options_);
  }

  /// By what is trained once on the seeds, and nothing else.
  Evaluation structure_alone(Workbench& bench, const Pools& closed) {
    Progress unused;
    AlignOptions basic = options_;
    basic.mode = Mode::basic;
    const SignalSources sources =
        make_signals(pair_.graphs, pair_.links, basic, signal_inputs(), bench.pool(), observer_);
    const Trained trained = train_once(bench, pair_.links, observer_, unused);
    return rank_pools(bench, trained, closed, pair_.links.test, sources, Decoder::csls, observer_)
        .alignment.evaluation;
  }

  /// That of the earlier run holds for what goes on from it.
  std::optional<ConfidenceModel> confidence_model(const Pools& pools) {
    if (!options_.deciding.calibrate) return std::nullopt;
    if (earlier_ != nullptr && earlier_->confidence) return earlier_->confidence;
    return fit_confidence(pair_.graphs, pair_.links, pools, options_, *sources_, options_.deciding.decoder,
                          observer_);
  }

  void judge_decisions(Decisions& decisions) const {
    const std::vector<Link>& test = pair_.links.test;
    if (test.empty()) return;
    const std::set<Link> known(test.begin(), test.end());
    const Pools judged = closed_pools(test);
    std::vector<double> confidence;
    std::vector<std::uint8_t> right;
    Verdicts said;
    said.none_left = without_counterpart(decisions.unmatched_left);
    said.none_right = without_counterpart(decisions.unmatched_right);
    for (const DecidedLink& link : decisions.links) {
      said.links.push_back({link.left, link.right});
      if (!std::ranges::binary_search(judged.left, link.left)) continue;
      confidence.push_back(link.confidence);
      right.push_back(known.contains({link.left, link.right}) ? 1 : 0);
    }
    decisions.reliability = calibration(confidence, right);
    decisions.at_95 = coverage_at_precision(confidence, right, 0.95);
    decisions.by_coverage = precision_by_coverage(confidence, right);
    decisions.verdicts = verdict_metrics(said, {.links = test, .none_left = {}, .none_right = {}});
  }

  const LoadedPair& pair_;
  const Run* earlier_;
  Observer& observer_;
  Keeper& keeper_;
  AlignOptions options_;
  const SignalSources* sources_ = nullptr;  ///< of the run that is going on
  std::optional<NoSpareMemory> sparing_;
};

}  // namespace

GraphSizes sizes_of(const GraphPair& graphs) {
  return {.left_entities = graphs.left().entity_count(),
          .right_entities = graphs.right().entity_count(),
          .left_relations = graphs.left().relation_count(),
          .right_relations = graphs.right().relation_count()};
}

Run run_alignment(const LoadedPair& pair, const AlignOptions& options, Observer& observer) {
  Keeper none;
  return run_alignment(pair, options, observer, none);
}

Run run_alignment(const LoadedPair& pair, const AlignOptions& options, Observer& observer, Keeper& keeper) {
  Run run = Aligning(pair, options, nullptr, observer, keeper).run();
  drop_spare_memory();
  return run;
}

Run update_alignment(const LoadedPair& pair, const Run& before, const AlignOptions& options,
                     Observer& observer) {
  Keeper none;
  Run run = Aligning(pair, options, &before, observer, none).run();
  drop_spare_memory();
  return run;
}

}  // namespace dovetail
