#include <dovetail/errors.h>
#include <dovetail/run.h>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <optional>

#include "alignment/confidence_fit.h"
#include "alignment/deciding.h"
#include "alignment/learned_units.h"
#include "alignment/memory_plan.h"
#include "alignment/parameters.h"
#include "alignment/ranking.h"
#include "alignment/strategy.h"
#include "alignment/update.h"
#include "common/buffer.h"
#include "common/memory_limit.h"
#include "common/stopwatch.h"
#include "common/text.h"
#include "deciding/decoders.h"
#include "signals/structure.h"

namespace dovetail {
namespace {

class Aligning {
 public:
  /// `earlier` may be null.
  Aligning(const LoadedPair& pair, const AlignOptions& options, const Earlier* earlier, Observer& observer,
           Keeper& keeper)
      : pair_(pair), earlier_(earlier), observer_(observer), keeper_(keeper), options_(options) {
    check_options(options);
  }

  Run run() {
    Stopwatch watch;
    Run run;
    ThreadPool pool(options_.threads, &observer_);
    settle(pool);
    const std::vector<Link>& test = pair_.links.test;
    Pools closed = closed_pools(test), open = open_pools(pair_.graphs, pair_.links.train);
    closed.apart = open.apart = pair_.links.apart;
    const bool closed_pool = options_.deciding.pool == CandidatePool::test;
    const Pools& pools = closed_pool ? closed : open;
    Progress progress = keeper_.kept();
    progress.plan = keep_to_memory(closed_pool && !options_.deciding.compare ? closed : open, progress.plan);
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
    judge_decisions(run.decisions);
    run.seconds.confidence = watch.lap();
    ranking = Ranking();  // the model takes as much
    if (trained.embeds()) run.model = model_of(bench, trained);
    run.options = options_;
    run.seconds.total = watch.seconds();
    run.peak_memory_bytes = peak_memory_bytes();
    return run;
  }

 private:
  /// Everything that is still automatic becomes what it means here.
  void settle(ThreadPool& pool) {
    sources_.emplace(make_signals(pair_.graphs, pair_.links, options_, pool, observer_));
    if (pair_.links.train.empty()) {
      if (!sources_->identify()) require_seeds(pair_.links);
      observer_.note("there are no seed links: alignment starts from the surest matches of names");
    }
    DecidingOptions& deciding = options_.deciding;
    if (deciding.pool == CandidatePool::automatic) {
      // In a user's own files all is looked at, test links or not.
      const bool own_files = !pair_.source.left.empty();
      deciding.pool = pair_.links.test.empty() || own_files ? CandidatePool::open : CandidatePool::test;
    }
    if (deciding.pool == CandidatePool::test && pair_.links.test.empty()) {
      throw ParameterError(
          "candidates is test, but there are no test links; expected open, or links divided with "
          "--seed-ratio");
    }
    if (options_.mode != Mode::basic && options_.semi.strategy == Strategy::best) {
      EncoderOptions& encoder = options_.encoder;
      const std::size_t most = options_.semi.scout_dimension;
      encoder.dimension = encoder.dimension == 0 ? 0 : std::min(encoder.dimension, most);
    }
    if (deciding.decoder == Decoder::automatic) {
      deciding.decoder = options_.mode == Mode::basic ? Decoder::csls : Decoder::sinkhorn;
    }
  }

  /// Chooses how the run keeps to the memory it may take, unless it has begun in some way, and says so.
  MemoryPlan keep_to_memory(const Pools& pools, const std::optional<MemoryPlan>& begun) {
    const MemoryLimit limit = memory_limit();
    const bool asked = options_.memory.count > 0;
    const MemoryPlan plan =
        plan_memory(run_size(pair_, pools, options_), options_, asked ? options_.memory.count : limit.bytes,
                    asked ? "--memory" : fmt::format("the limit of {}", limit.origin), begun);
    if (asked) sparing_.emplace();
    options_.encoder.dimension = plan.dimension;
    options_.sampling.method = plan.sampling;
    options_.training.batch_size = plan.batch_size;
    options_.matching.candidates = plan.candidates;
    if (!plan.vectors_in_files) {
      options_.scratch.clear();
    } else if (options_.scratch.empty()) {
      options_.scratch = std::filesystem::temp_directory_path();
    }
    if (asked || plan.vectors_in_files) {
      observer_.note(fmt::format(
          "about {} of memory: dimension {}, {} steps{}, vectors in {}, {} candidates each",
          human_bytes(plan.bytes), plan.dimension, plan.sampling == Sampling::none ? "whole" : "sampled",
          options_.mode == Mode::basic && plan.batch_size > 0 ? fmt::format(" of {} pairs", plan.batch_size)
                                                              : "",
          plan.vectors_in_files ? "files" : "memory",
          settled_candidates(options_, pools.left.size(), pools.right.size())));
    }
    return plan;
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
    const SignalSources sources = make_signals(pair_.graphs, pair_.links, basic, bench.pool(), observer_);
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
    std::map<EntityId, EntityId> counterpart;
    for (const Link& link : test) counterpart.emplace(link.left, link.right);
    std::vector<double> confidence;
    std::vector<std::uint8_t> right;
    Verdicts said;
    said.none_left = without_counterpart(decisions.unmatched_left);
    said.none_right = without_counterpart(decisions.unmatched_right);
    for (const DecidedLink& link : decisions.links) {
      said.links.push_back({link.left, link.right});
      const auto known = counterpart.find(link.left);
      if (known == counterpart.end()) continue;
      confidence.push_back(link.confidence);
      right.push_back(known->second == link.right ? 1 : 0);
    }
    decisions.reliability = calibration(confidence, right);
    decisions.at_95 = coverage_at_precision(confidence, right, 0.95);
    decisions.by_coverage = precision_by_coverage(confidence, right);
    decisions.verdicts = verdict_metrics(said, {.links = test, .none_left = {}, .none_right = {}});
  }

  const LoadedPair& pair_;
  const Earlier* earlier_;
  Observer& observer_;
  Keeper& keeper_;
  AlignOptions options_;
  std::optional<SignalSources> sources_;
  std::optional<NoSpareMemory> sparing_;
};

}  // namespace

Run run_alignment(const LoadedPair& pair, const AlignOptions& options, Observer& observer) {
  Keeper none;
  return run_alignment(pair, options, observer, none);
}

Run run_alignment(const LoadedPair& pair, const AlignOptions& options, Observer& observer, Keeper& keeper) {
  Run run = Aligning(pair, options, nullptr, observer, keeper).run();
  drop_spare_memory();
  return run;
}

Run update_alignment(const LoadedPair& pair, const Earlier& earlier, const AlignOptions& options,
                     Observer& observer) {
  Keeper none;
  Run run = Aligning(pair, options, &earlier, observer, none).run();
  drop_spare_memory();
  return run;
}

}  // namespace dovetail
