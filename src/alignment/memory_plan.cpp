#include "alignment/memory_plan.h"

#include <dovetail/errors.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fmt/format.h>
#include <utility>
#include <vector>

#include "common/text.h"
#include "encoder/parameters.h"
#include "matching/match_vectors.h"
#include "matching/matcher.h"
#include "signals/list.h"
#include "signals/structure.h"
#include "training/sampler.h"

namespace dovetail {
namespace {

/// Features of all entities up to which every step computes all that it depends on.
constexpr std::uint64_t kSmallFeatures = std::uint64_t{1} << 30;
/// Dimensions that `auto` chooses among.
constexpr std::array<std::size_t, 9> kDimensions = {300, 256, 192, 128, 96, 64, 48, 32, 16};
/// Candidates that are kept where memory is short.
constexpr std::size_t kFewCandidates = 20;

/// Bytes by measurement: of an edge and a node in the message graph, of a node in the graphs that are drawn
/// for this step and the next, of the program itself, and of a pair on its way from the search to a decision.
constexpr std::uint64_t kEdge = 40, kForwardEdge = 25, kNode = 48, kDrawnNode = 700, kProgram = 96 << 20,
                        kPair = 64;
/// Pairs that are kept for each candidate of an entity, left or right: some are both's.
constexpr double kPairsPerCandidate = 0.75;
/// Rows in files that are in memory at a time, and codes of a row in a search.
constexpr std::uint64_t kResting = 4 * kRowsAtATime, kCodes = 768;

/// Features of one entity in all layers.
std::uint64_t feature_bytes(const EncoderLayout& layout) {
  return layout.layers * layout.shape.size() * sizeof(Bfloat16);
}

bool embeds(const AlignOptions& options) {
  return options.mode == Mode::basic || options.semi.strategy != Strategy::rules;
}

/// Whether beliefs go round beside embeddings.
bool believes(const AlignOptions& options) {
  return options.mode != Mode::basic &&
         (options.semi.strategy == Strategy::rules || options.semi.strategy == Strategy::best);
}

}  // namespace

RunSize run_size(const LoadedPair& pair, const Pools& pools, const AlignOptions& options) {
  const GraphPair& graphs = pair.graphs;
  RunSize size{.left_entities = graphs.left().entity_count(),
               .right_entities = graphs.right().entity_count(),
               .edges = 2 * (graphs.left().triple_count() + graphs.right().triple_count()),
               .seeds = pair.links.train.size(),
               .left_pool = pools.left.size(),
               .right_pool = pools.right.size(),
               .graph_bytes = 0};
  for (const Side side : {Side::left, Side::right}) {
    size.graph_bytes += graphs.graph(side).edge_memory_bytes() + graphs.graph(side).string_memory_bytes();
  }
  // Where rules find most pairs, embeddings are trained on them too.
  if (believes(options)) size.seeds = std::max(size.seeds, std::min(size.left_entities, size.right_entities));
  return size;
}

bool features_are_small(const EncoderOptions& encoder, std::size_t entities) {
  return entities * feature_bytes(EncoderLayout(encoder, 1)) <= kSmallFeatures;
}

Sampling settled_sampling(const AlignOptions& options, std::size_t entities) {
  if (options.sampling.method != Sampling::automatic) return options.sampling.method;
  if (options.encoder.attention == Attention::symmetric) return Sampling::none;
  return features_are_small(options.encoder, entities) ? Sampling::none : Sampling::attention;
}

std::size_t settled_batch(const AlignOptions& options, std::size_t seeds) {
  const auto [asked, most] = std::pair(options.training.batch_size, options.training.most_batches);
  if (options.mode != Mode::basic || asked == 0 || most == 0) return asked;
  return std::max(asked, (seeds + most - 1) / most);
}

std::uint64_t planned_bytes(const RunSize& size, const AlignOptions& options, const MemoryPlan& plan) {
  const std::uint64_t entities = size.left_entities + size.right_entities;
  const std::uint64_t larger_graph = std::max(size.left_entities, size.right_entities);
  const std::uint64_t pool_rows = size.left_pool + size.right_pool;
  AlignOptions searched = options;
  searched.matching.candidates = plan.candidates;
  const std::size_t candidates = settled_candidates(searched, size.left_pool, size.right_pool);
  auto pairs = static_cast<std::uint64_t>(kPairsPerCandidate * static_cast<double>(candidates * pool_rows));
  std::uint64_t of_signals = 0;
  for (const SignalKind& kind : signal_kinds()) {
    if (!kind.used(options)) continue;
    pairs += size.left_pool * kind.pairs_per_entity;
    of_signals += entities * kind.bytes_per_entity;
  }
  const bool sampled = draws_graphs(plan.sampling);
  const std::uint64_t edge = needs_backward(options.encoder, plan.sampling) ? kEdge : kForwardEdge;
  const std::uint64_t base = kProgram + size.graph_bytes + size.edges * edge + entities * kNode + of_signals;
  const std::uint64_t lists = pool_rows * 2 * sizeof(std::uint64_t) * candidates;
  const std::uint64_t deciding = pairs * kPair;
  if (!embeds(options)) return base + deciding;
  EncoderOptions encoder = options.encoder;
  encoder.dimension = plan.dimension;
  const EncoderLayout layout(encoder, 1);  // relations are few
  const std::uint64_t width = layout.shape.width, features = feature_bytes(layout);
  const std::uint64_t parameters = entities * width * (sizeof(float) + sizeof(Bfloat16));
  // While training.
  const std::uint64_t states = options.training.optimiser == Optimiser::gradient_descent ? 0 : 2;
  const std::uint64_t optimiser = entities * width * sizeof(float) * states;
  const std::uint64_t anchors = 2 * size.seeds * layout.output * sizeof(Bfloat16);
  const std::size_t batch = options.mode == Mode::basic ? plan.batch_size : options.semi.restart_batch;
  const std::uint64_t in_batch = batch == 0 ? size.seeds : std::min(batch, size.seeds);
  const std::uint64_t reached =
      std::min(entities, 2 * in_batch * std::max<std::size_t>(1, options.sampling.reach));
  // The hop that most of them are found in needs the first layer only.
  const std::uint64_t step = sampled && options.sampling.reach > 0
                                 ? reached * (features / 2 + kDrawnNode)
                                 : entities * features + 3 * sizeof(float) * size.edges;
  const std::uint64_t training = parameters + optimiser + anchors + step;
  // One graph's features at a time, but weights of all edges.
  const std::uint64_t one_graph = larger_graph * features + encoder.depth * sizeof(float) * size.edges;
  const std::uint64_t starting = parameters + anchors + one_graph;
  // While vectors are made, and searched.
  const std::uint64_t row = MatchVectors::padded_columns(layout.output) * sizeof(Bfloat16);
  const std::uint64_t vectors = plan.vectors_in_files ? kResting * row : pool_rows * row;
  const std::uint64_t making = parameters + entities * width * sizeof(Bfloat16) + vectors + one_graph;
  const std::uint64_t codes = pool_rows * std::max(kCodes, row / sizeof(Bfloat16) / options.matching.fold);
  const std::uint64_t searching = parameters + vectors + codes + lists;
  const std::uint64_t model = entities * width * sizeof(float);
  const std::uint64_t rest = parameters + (believes(options) ? vectors : 0) + std::max(deciding, model);
  return base + std::max({training, starting, making, searching, rest});
}

namespace {

/// Ways to go, the best first.
std::vector<MemoryPlan> possible_plans(const RunSize& size, const AlignOptions& options) {
  std::vector<std::size_t> dimensions = {options.encoder.dimension};
  if (options.encoder.dimension == 0) {
    dimensions.assign(kDimensions.begin(), kDimensions.end());
    const bool small = options.mode != Mode::basic && options.semi.strategy == Strategy::best;
    std::erase_if(dimensions, [&](std::size_t d) { return small && d > options.semi.scout_dimension; });
  }
  const std::size_t usual = options.matching.candidates, few = std::min(usual, kFewCandidates);
  const std::size_t least_batch = options.training.batch_size;
  std::vector<std::size_t> batches = {settled_batch(options, size.seeds)};
  while (batches.back() > least_batch) batches.push_back(std::max(least_batch, batches.back() / 2));
  // CSLS finds as much among few candidates, Sinkhorn much less: it rather has a smaller dimension.
  std::vector<MemoryPlan> plans, last_resorts;
  for (const std::size_t dimension : dimensions) {
    AlignOptions of_dimension = options;
    of_dimension.encoder.dimension = dimension;
    const Sampling whole = settled_sampling(of_dimension, size.left_entities + size.right_entities);
    const Sampling least =
        options.sampling.method == Sampling::automatic && options.encoder.attention != Attention::symmetric
            ? Sampling::attention
            : whole;
    plans.push_back({dimension, whole, false, batches.front(), usual});
    plans.push_back({dimension, least, false, batches.front(), usual});
    for (const std::size_t batch : batches) plans.push_back({dimension, least, true, batch, usual});
    (options.mode == Mode::basic ? plans : last_resorts)
        .push_back({dimension, least, true, batches.back(), few});
  }
  plans.insert(plans.end(), last_resorts.begin(), last_resorts.end());
  for (MemoryPlan& plan : plans) plan.bytes = planned_bytes(size, options, plan);
  return plans;
}

}  // namespace

MemoryPlan plan_memory(const RunSize& size, const AlignOptions& options, std::uint64_t budget,
                       std::string_view budget_name, const std::optional<MemoryPlan>& begun) {
  const std::vector<MemoryPlan> plans = begun ? std::vector{*begun} : possible_plans(size, options);
  const auto fitting =
      std::ranges::find_if(plans, [&](const MemoryPlan& plan) { return plan.bytes <= budget; });
  if (fitting != plans.end()) return *fitting;
  const std::uint64_t least = std::ranges::min(plans, {}, &MemoryPlan::bytes).bytes;
  const char* const also = begun                            ? ""
                           : options.encoder.dimension == 0 ? ", or --strategy rules"
                                                            : ", --dimension auto, or --strategy rules";
  throw SystemError(fmt::format("this alignment needs {}M of memory; found {}, {}; use more{}",
                                (least + (1 << 20) - 1) >> 20,  // as --memory takes it
                                human_bytes(budget), budget_name, also),
                    ENOMEM);
}

}  // namespace dovetail
