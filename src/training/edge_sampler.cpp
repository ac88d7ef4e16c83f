#include "training/edge_sampler.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace dovetail {
namespace {

/// Draws per edge wanted after which distinct edges are no longer waited for: what remains has next to no
/// attention.
constexpr std::size_t kTriesPerEdge = 4;
/// Draws for each place left: about every second one leads to a node that has been found before.
constexpr std::size_t kDrawsPerPlace = 2;
/// Draws of each node in the last hop, whose neighbours lend their embeddings only: a mean of few teaches as
/// much as one of all, and most of the rows that a step touches are theirs.
constexpr std::size_t kLastDraws = 2;

}  // namespace

EdgeSampler::EdgeSampler(const SamplingOptions& options, std::size_t depth, std::size_t relation_rows,
                         const MessageGraph& graph)
    : options_(options),
      depth_(depth),
      graph_(graph),
      weights_(depth, std::vector<double>(relation_rows, 1.0)),
      local_(graph.node_count, kNone) {}

void EdgeSampler::renew(const std::vector<std::vector<double>>& logits) {
  for (std::size_t k = 0; k < depth_; ++k) {
    const double highest = *std::ranges::max_element(logits[k]);
    for (std::size_t r = 0; r < logits[k].size(); ++r) weights_[k][r] = std::exp(logits[k][r] - highest);
  }
}

void EdgeSampler::draw_edges(std::size_t node, std::size_t layer, std::size_t most, Random& random) {
  const EdgeLists& out = graph_.out;
  const std::size_t first = out.first_edge(node);
  const std::size_t count = out.first_edge(node + 1) - first;
  drawn_.clear();
  cumulative_.clear();
  double total = 0, squares = 0;
  for (std::size_t g = out.node_begin[node]; g < out.node_begin[node + 1]; ++g) {
    const double weight = weights_[layer - 1][out.relation[g]];
    for (std::size_t e = out.group_begin[g]; e < out.group_begin[g + 1]; ++e) {
      total += weight;
      squares += weight * weight;
      cumulative_.push_back(total);
    }
  }
  const double tau_draws = squares > 0 ? std::ceil(options_.tau * total * total / squares - 1e-9) : INFINITY;
  const double wanted = std::min(tau_draws, static_cast<double>(most));
  if (wanted >= static_cast<double>(count) && (options_.distinct || !std::isfinite(tau_draws))) {
    drawn_.resize(count);
    std::iota(drawn_.begin(), drawn_.end(), static_cast<std::uint32_t>(first));
    return;
  }
  draw_some(first, static_cast<std::size_t>(std::max(wanted, 1.0)), random);
  std::ranges::sort(drawn_);
}

void EdgeSampler::draw_some(std::size_t first, std::size_t wanted, Random& random) {
  std::vector<bool> taken(cumulative_.size(), false);
  const std::size_t tries = options_.distinct ? wanted * kTriesPerEdge : wanted;
  for (std::size_t i = 0; i < tries && drawn_.size() < wanted; ++i) {
    std::size_t edge = 0;
    if (options_.method == Sampling::uniform) {
      edge = random.below(cumulative_.size());
    } else {
      const double at = random.uniform() * cumulative_.back();
      edge = static_cast<std::size_t>(std::ranges::upper_bound(cumulative_, at) - cumulative_.begin());
      edge = std::min(edge, cumulative_.size() - 1);
    }
    if (!taken[edge]) drawn_.push_back(static_cast<std::uint32_t>(first + edge));
    taken[edge] = true;
  }
}

/// There are such neighbours: at least the one that led here.
void EdgeSampler::take_found_neighbours(std::size_t node) {
  drawn_.clear();
  for (std::size_t e = graph_.out.first_edge(node); e < graph_.out.first_edge(node + 1); ++e) {
    if (local_[graph_.out.neighbour[e]] != kNone) drawn_.push_back(static_cast<std::uint32_t>(e));
  }
}

Part EdgeSampler::draw(std::span<const std::uint32_t> nodes, std::uint64_t seed) {
  std::vector<std::uint32_t> found;  // nodes in the order of discovery
  const auto discover = [&](std::uint32_t node) {
    if (local_[node] == kNone) found.push_back(node);
    local_[node] = 0;
  };
  for (const std::uint32_t node : nodes) discover(node);
  const std::size_t room = options_.reach == 0 ? SIZE_MAX : options_.reach * nodes.size();
  std::vector<DirectedEdge> edges;
  std::vector<std::size_t> hops;
  std::size_t begin = 0;
  for (std::size_t hop = 0; hop <= depth_; ++hop) {
    const std::size_t end = found.size();
    const bool last = hop == depth_;  // takes no room
    const bool bounded = !last && room != SIZE_MAX;
    const std::size_t left = room > end ? room - end : 0;
    std::size_t most = room == SIZE_MAX ? SIZE_MAX : kLastDraws;
    if (bounded) most = 1 + kDrawsPerPlace * left / std::max<std::size_t>(1, end - begin);
    for (; begin < end; ++begin) {
      const std::uint32_t node = found[begin];
      Random random(seed, node);
      if (bounded && hop > 0 && found.size() >= room) {
        take_found_neighbours(node);
      } else {
        draw_edges(node, last ? 1 : depth_ - hop, most, random);
      }
      std::size_t g = graph_.out.node_begin[node];
      for (const std::uint32_t e : drawn_) {
        while (graph_.out.group_begin[g + 1] <= e) ++g;
        edges.push_back({node, graph_.out.relation[g], graph_.out.neighbour[e]});
        discover(graph_.out.neighbour[e]);
      }
    }
    hops.push_back(end);
  }
  Drawn& drawn = parts_[draws_++ % parts_.size()];
  make_part(std::move(found), hops, std::move(edges), drawn);
  Part part{.computation = {&drawn.graph, drawn.need}, .nodes = {}};
  for (const std::uint32_t node : nodes) part.nodes.push_back(local_[node]);
  for (const std::uint32_t node : drawn.graph.row_of) local_[node] = kNone;
  return part;
}

/// Nodes that are needed deeper come first, so that each layer has rows for the first ones only; then by
/// their place in the whole graph, which keeps neighbours close.
void EdgeSampler::make_part(std::vector<std::uint32_t> found, std::span<const std::size_t> hops,
                            std::vector<DirectedEdge> edges, Drawn& part) {
  part.need.assign(found.size(), 0);
  std::size_t begin = 0;
  for (std::size_t hop = 0; hop <= hops.size(); ++hop) {
    const std::size_t end = hop < hops.size() ? hops[hop] : found.size();
    std::sort(found.begin() + static_cast<std::ptrdiff_t>(begin),
              found.begin() + static_cast<std::ptrdiff_t>(end));
    if (hop < hops.size()) {
      std::fill_n(part.need.begin() + static_cast<std::ptrdiff_t>(begin), end - begin,
                  static_cast<std::uint8_t>(depth_ + 1 - hop));
    }
    begin = end;
  }
  for (std::uint32_t i = 0; i < found.size(); ++i) local_[found[i]] = i;
  for (DirectedEdge& edge : edges) {
    edge.node = local_[edge.node];
    edge.neighbour = local_[edge.neighbour];
  }
  part.graph = make_message_graph(std::move(edges), std::move(found));
}

}  // namespace dovetail
