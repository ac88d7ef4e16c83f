// PSR basic: train on the seeds once, then rank.
#include <dovetail/align.h>
#include <dovetail/errors.h>

#include <algorithm>
#include <chrono>
#include <span>
#include <utility>
#include <vector>

#include "alignment/model.h"
#include "alignment/strategy.h"
#include "alignment/workbench.h"
#include "matching/matcher.h"
#include "training/train_loop.h"

namespace dovetail {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

Candidates name_candidates(const SparseScores& scores, const std::vector<EntityId>& own,
                           const std::vector<EntityId>& other, std::size_t most) {
  Candidates result{.entities = own, .ranked = std::vector<std::vector<Candidate>>(own.size())};
  for (std::size_t i = 0; i < own.size(); ++i) {
    for (const Scored& item : ranked_row(scores, i)) {
      if (result.ranked[i].size() == most) break;
      result.ranked[i].push_back({other[item.number], item.score});
    }
  }
  return result;
}

/// The gold links by their rows in the pools; links outside of them are left out.
std::vector<std::pair<std::uint32_t, std::uint32_t>> rows_of(const GraphPair& pair, const Pools& pools,
                                                             const std::vector<Link>& gold) {
  std::vector<std::uint32_t> left(pair.left().entity_count(), kNone),
      right(pair.right().entity_count(), kNone);
  for (std::uint32_t i = 0; i < pools.left.size(); ++i) left[pools.left[i]] = i;
  for (std::uint32_t i = 0; i < pools.right.size(); ++i) right[pools.right[i]] = i;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> rows;
  for (const Link& link : gold) {
    if (left[link.left] != kNone && right[link.right] != kNone)
      rows.emplace_back(left[link.left], right[link.right]);
  }
  return rows;
}

}  // namespace

AlignOptions paper_options() {
  AlignOptions options;
  options.encoder.attention = Attention::three_part;
  options.encoder.reflection = Reflection::unit;
  options.sampling.method = Sampling::attention;
  options.sampling.distinct = false;
  options.sampling.reach = 0;
  options.loss.dropout = 0.3;
  options.training.tie_seeds = false;
  options.training.epochs = 14;
  options.training.learning_rate = 0.005;
  options.training.batch_size = 512;
  options.matching.clip = 0;
  return options;
}

void require_seeds(const SeedLinks& links) {
  if (!links.train.empty()) return;
  throw ParameterError("there are no seed links to learn from; give at least one pair known to be the same");
}

Trained train_once(Workbench& bench, const SeedLinks& links, Observer& observer, TrainingReport& report) {
  require_seeds(links);
  const AlignOptions& options = bench.options();
  const std::vector<NodePair> seeds = bench.nodes(links.train), valid = bench.nodes(links.valid);
  std::vector<NodePair> anchors = seeds;
  anchors.insert(anchors.end(), valid.begin(), valid.end());
  const bool tie = options.training.tie_seeds;
  Trainer<float> trainer =
      bench.trainer(options, {options.seed, tie ? seeds : std::vector<NodePair>()}, anchors);
  train_loop<float>(trainer, seeds, valid, options, observer, report);
  report.working_bytes = trainer.working_memory_bytes();
  report.step_seconds = trainer.seconds();
  return {std::move(trainer.parameters()), options.seed, tie ? links.train : std::vector<Link>()};
}

Model train(const GraphPair& pair, const SeedLinks& links, const AlignOptions& options, Observer& observer,
            TrainingReport* report) {
  require_seeds(links);
  TrainingReport own_report;
  TrainingReport& log = report == nullptr ? own_report : *report;
  log = {};
  const auto start = std::chrono::steady_clock::now();
  Workbench bench(pair, options);
  log.sampling = bench.options().sampling.method;
  const Trained trained = train_once(bench, links, observer, log);
  Model model = bench.model(trained.parameters, trained.seed, trained.tied);
  log.seconds = seconds_since(start);
  return model;
}

Pools closed_pools(const std::vector<Link>& links) {
  Pools pools;
  for (const Link& link : links) {
    pools.left.push_back(link.left);
    pools.right.push_back(link.right);
  }
  for (std::vector<EntityId>* side : {&pools.left, &pools.right}) {
    std::ranges::sort(*side);
    side->erase(std::unique(side->begin(), side->end()), side->end());
  }
  return pools;
}

Pools open_pools(const GraphPair& pair, const std::vector<Link>& taken) {
  const Pools used = closed_pools(taken);
  const auto rest = [](std::size_t count, const std::vector<EntityId>& without) {
    std::vector<EntityId> entities;
    for (EntityId entity = 0; entity < count; ++entity) {
      if (!std::ranges::binary_search(without, entity)) entities.push_back(entity);
    }
    return entities;
  };
  return {.left = rest(pair.left().entity_count(), used.left),
          .right = rest(pair.right().entity_count(), used.right)};
}

Alignment match(const GraphPair& pair, const Model& model, const Pools& pools, const std::vector<Link>& gold,
                const AlignOptions& options, Observer& observer) {
  Alignment alignment;
  const auto start = std::chrono::steady_clock::now();
  observer.progress("match", 0, 2, "passes");
  AlignOptions encoding = options;
  encoding.encoder = model.encoder;
  Workbench bench(pair, encoding);
  ThreadPool& pool = bench.pool();
  const MatchVectors vectors = bench.vectors(take_parameters(model, bench.layout(), bench.order()),
                                             {model.seed, bench.nodes(model.tied)}, pools);
  const Found found = search(vectors, options.matching, pool);
  const SparseScores scores = csls_scores(found, options.matching);
  const std::size_t most = options.matching.candidates;
  alignment.left = name_candidates(scores, pools.left, pools.right, most);
  alignment.right = name_candidates(transposed(scores), pools.right, pools.left, most);
  alignment.match_seconds = seconds_since(start);
  observer.progress("match", 1, 2, "passes");
  if (!gold.empty()) {
    const PairRanks ranks = rank_pairs(scores, found, vectors, rows_of(pair, pools, gold), pool);
    alignment.evaluation = {.left_to_right = rank_metrics(ranks.left_to_right),
                            .right_to_left = rank_metrics(ranks.right_to_left)};
  }
  alignment.evaluation_seconds = seconds_since(start) - alignment.match_seconds;
  observer.progress("match", 2, 2, "passes");
  return alignment;
}

}  // namespace dovetail
