// PSR basic: train on the seeds once, then rank.
#include <dovetail/align.h>
#include <dovetail/errors.h>

#include <algorithm>
#include <chrono>
#include <span>
#include <utility>
#include <vector>

#include "alignment/model.h"
#include "alignment/parameters.h"
#include "common/threads.h"
#include "encoder/encoder.h"
#include "encoder/message_graph.h"
#include "matching/matcher.h"
#include "training/receptive_field.h"
#include "training/train_loop.h"
#include "training/trainer.h"

namespace dovetail {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::vector<NodePair> node_pairs(const GraphPair& pair, const NodeOrder& order, std::span<const Link> links) {
  std::vector<NodePair> nodes;
  nodes.reserve(links.size());
  for (const Link& link : links) {
    nodes.push_back({order.node_of[pair.shared_id(Side::left, link.left)],
                     order.node_of[pair.shared_id(Side::right, link.right)]});
  }
  return nodes;
}

/// The features of every node in every layer: what training without sampling keeps in memory.
std::uint64_t feature_bytes(const EncoderLayout& layout, std::size_t nodes) {
  return std::uint64_t{nodes} * layout.output * sizeof(Bfloat16);
}

std::vector<std::uint32_t> pool_nodes(const GraphPair& pair, const NodeOrder& order, const Pools& pools) {
  std::vector<std::uint32_t> nodes;
  for (const EntityId entity : pools.left) nodes.push_back(order.node_of[pair.shared_id(Side::left, entity)]);
  for (const EntityId entity : pools.right)
    nodes.push_back(order.node_of[pair.shared_id(Side::right, entity)]);
  return nodes;
}

/// Left vectors are [trained | initial], right ones [initial | trained]: their product is the symmetric
/// score.
class VectorBuilder {
 public:
  VectorBuilder(const GraphPair& pair, const Model& model, const Pools& pools, double clip, ThreadPool& pool)
      : pair_(pair),
        model_(model),
        order_(breadth_first_order(pair)),
        graph_(whole_graph(pair, order_)),
        layout_(model.encoder, pair.relation_count()),
        left_(pools.left.size()),
        nodes_(pool_nodes(pair, order_, pools)),
        clip_(clip),
        pool_(pool),
        vectors_(pools.left.size(), pools.right.size(), layout_.output) {}

  MatchVectors build() && {
    Encoder<float> encoder(layout_, pool_);
    put(encoder, take_parameters(model_, layout_, order_), true);
    Parameters<float> initial = initial_parameters<float>(layout_, order_, model_.seed);
    tie(node_pairs(pair_, order_, model_.tied), initial);
    put(encoder, initial, false);
    return std::move(vectors_);
  }

 private:
  void put(Encoder<float>& encoder, const Parameters<float>& parameters, bool trained) {
    ReceptiveField field(graph_, layout_.options.depth, false);
    const Part part = field.draw(nodes_, 0);
    encoder.forward(part.computation, parameters);
    const std::size_t used = layout_.layers * layout_.shape.features * layout_.options.dimension;
    constexpr std::size_t kRowGrain = 64;
    pool_.for_ranges(nodes_.size(), kRowGrain, [&](std::size_t begin, std::size_t end) {
      std::vector<Bfloat16> row(layout_.output);
      for (std::size_t i = begin; i < end; ++i) {
        encoder.copy_output(part.nodes[i], row.data());
        const bool is_left = i < left_;
        Bfloat16* const vector = is_left ? vectors_.left.row(i) : vectors_.right.row(i - left_);
        put_normalised(row.data(), layout_.output, used, clip_,
                       vector + (trained == is_left ? 0 : layout_.output));
      }
    });
  }

  const GraphPair& pair_;
  const Model& model_;
  NodeOrder order_;
  MessageGraph graph_;
  EncoderLayout layout_;
  std::size_t left_;
  std::vector<std::uint32_t> nodes_;
  double clip_;
  ThreadPool& pool_;
  MatchVectors vectors_;
};

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

Model train(const GraphPair& pair, const SeedLinks& links, const AlignOptions& options, Observer& observer,
            TrainingReport* report) {
  check_options(options);
  if (links.train.empty()) {
    throw ParameterError(
        "there are no seed links to learn from; give at least one pair known to be the same");
  }
  TrainingReport own_report;
  TrainingReport& log = report == nullptr ? own_report : *report;
  log = {};
  const auto start = std::chrono::steady_clock::now();
  ThreadPool pool(options.threads);
  const EncoderLayout layout(options.encoder, pair.relation_count());
  const NodeOrder order = breadth_first_order(pair);
  const MessageGraph graph = whole_graph(pair, order);

  AlignOptions settled = options;
  if (options.sampling.method == Sampling::automatic) {
    const bool fits = feature_bytes(layout, graph.node_count) <= options.sampling.memory;
    settled.sampling.method = fits ? Sampling::none : Sampling::attention;
  }
  log.sampling = settled.sampling.method;

  std::vector<NodePair> anchors = node_pairs(pair, order, links.train);
  const std::vector<NodePair> valid = node_pairs(pair, order, links.valid);
  anchors.insert(anchors.end(), valid.begin(), valid.end());
  const std::size_t seeds = links.train.size();
  Trainer<float> trainer(graph, order, layout, settled, anchors, options.training.tie_seeds ? seeds : 0,
                         pool);
  train_loop<float>(trainer, std::span(anchors).first(seeds), valid, settled, observer, log);

  Model model;
  model.encoder = options.encoder;
  model.seed = options.seed;
  if (options.training.tie_seeds) model.tied = links.train;
  put_parameters(trainer.parameters(), layout, order, model);
  log.working_bytes = trainer.working_memory_bytes();
  log.step_seconds = trainer.seconds();
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
  ThreadPool pool(options.threads);
  observer.progress("match", 0, 2, "passes");
  const MatchVectors vectors = VectorBuilder(pair, model, pools, options.matching.clip, pool).build();
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
