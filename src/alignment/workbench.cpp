#include "alignment/workbench.h"

#include <dovetail/parameters.h>

#include <algorithm>
#include <cmath>

#include "alignment/memory_plan.h"
#include "common/tally.h"
#include "kernels/scores.h"
#include "training/receptive_field.h"

namespace dovetail {
namespace {

const AlignOptions& checked(const AlignOptions& options) {
  check_options(options);
  return options;
}

/// Puts the trained or the initial features of some nodes, from column `place` on, into the vectors.
void put_features(Encoder<float>& encoder, const Part& part, const Parameters<float>& parameters, double clip,
                  std::size_t place, ThreadPool& pool, Matrix<Bfloat16>& vectors) {
  const EncoderLayout& layout = encoder.layout();
  encoder.forward(part.computation, parameters);
  const std::size_t used = layout.output_layers * layout.shape.features * layout.options.dimension;
  constexpr std::size_t kRowGrain = 64;
  for_rows(vectors, kRowGrain, pool, [&](std::size_t begin, std::size_t end) {
    std::vector<Bfloat16> row(layout.output);
    for (std::size_t i = begin; i < end; ++i) {
      encoder.copy_output(part.nodes[i], row.data());
      put_normalised(row.data(), layout.output, used, clip, vectors.row(i) + place);
    }
  });
}

}  // namespace

LearningOptions learning_options(const AlignOptions& options) {
  return {
      .sampling = options.sampling, .loss = options.loss, .training = options.training, .seed = options.seed};
}

Workbench::Workbench(const GraphPair& pair, const AlignOptions& options, Observer* observer)
    : pair_(pair),
      options_(checked(options)),
      observer_(observer),
      pool_(options.threads, observer),
      layout_(options.encoder, pair.relation_count()),
      order_(breadth_first_order(pair, pool_)) {
  options_.sampling.method = settled_sampling(options_, pair.entity_count());
  graph_ = whole_graph(pair, order_, pool_,
                       {.self_loops = options.encoder.self_loops,
                        .forward_only = !needs_backward(options.encoder, options_.sampling.method)});
}

void Workbench::set_options(const AlignOptions& options) {
  const SamplingOptions settled = options_.sampling;
  options_ = options;
  options_.sampling = settled;
}

std::vector<NodePair> Workbench::nodes(std::span<const Link> links) const {
  std::vector<NodePair> nodes;
  nodes.reserve(links.size());
  for (const Link& link : links) {
    nodes.push_back({order_.node_of[pair_.shared_id(Side::left, link.left)],
                     order_.node_of[pair_.shared_id(Side::right, link.right)]});
  }
  return nodes;
}

Trainer<float> Workbench::trainer(const AlignOptions& options, const Initialisation& start,
                                  std::span<const NodePair> anchors) {
  LearningOptions settled = learning_options(options);
  settled.sampling.method = options_.sampling.method;  // a graph for sampled steps has no backward pass
  return {graph_, order_, layout_, settled, start, anchors, pool_};
}

MatchVectors Workbench::vectors(const Parameters<float>& trained, const Initialisation& start,
                                const Pools& pools) {
  // A triplet loss brings trained features together, the symmetric one trained and initial ones.
  const bool symmetric = options_.loss.kind == LossKind::symmetric;
  Parameters<float> initial =
      symmetric ? start_parameters<float>(layout_, order_, start, pool_) : Parameters<float>();
  initial.entities.keep_gathered();
  MatchVectors vectors(pools.left.size(), pools.right.size(), layout_.output, options_.scratch);
  Tally tally(pool_, "features", 4, "passes");
  // One graph after the other: no more than one of them has its features in memory.
  for (const Side side : {Side::left, Side::right}) {
    std::vector<std::uint32_t> nodes;
    for (const EntityId entity : side == Side::left ? pools.left : pools.right) {
      nodes.push_back(order_.node_of[pair_.shared_id(side, entity)]);
    }
    Encoder<float> encoder(layout_, pool_);
    ReceptiveField field(graph_, layout_.options.depth, false);
    const Part part = field.draw(nodes, 0);
    Matrix<Bfloat16>& rows = side == Side::left ? vectors.left : vectors.right;
    const std::size_t trained_place = side == Side::left ? 0 : layout_.output;
    const double clip = options_.matching.clip;
    put_features(encoder, part, trained, clip, trained_place, pool_, rows);
    tally.add(1);
    put_features(encoder, part, symmetric ? initial : trained, clip, layout_.output - trained_place, pool_,
                 rows);
    // Without edges there is no structure: the embedding of a pair that was tied would only confirm itself.
    const std::vector<EntityId>& entities = side == Side::left ? pools.left : pools.right;
    for (std::size_t i = 0; i < entities.size(); ++i) {
      if (pair_.graph(side).degree(entities[i]) == 0) std::fill_n(rows.row(i), rows.columns(), Bfloat16());
    }
    tally.add(1);
  }
  return vectors;
}

std::vector<float> Workbench::similarities(const Parameters<float>& parameters, std::span<const Link> links) {
  std::vector<std::uint32_t> ends;
  for (const NodePair& pair : nodes(links)) {
    ends.push_back(pair.left);
    ends.push_back(pair.right);
  }
  std::vector<float> result(links.size());
  if (links.empty()) return result;
  Matrix<Bfloat16> features(ends.size(), layout_.output);
  put_output_features<float>(layout_, graph_, parameters, ends, pool_, features.data());
  for (std::size_t n = 0; n < links.size(); ++n) {
    const Bfloat16 *left = features.row(2 * n), *right = features.row(2 * n + 1);
    const float lengths = dot_rows(left, left, layout_.output) * dot_rows(right, right, layout_.output);
    result[n] = lengths > 0 ? dot_rows(left, right, layout_.output) / std::sqrt(lengths) : 0.0F;
  }
  return result;
}

}  // namespace dovetail
