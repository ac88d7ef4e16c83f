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

void EdgeSampler::draw_edges(std::size_t node, std::size_t layer, Random& random) {
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
  const double wanted = squares > 0 ? std::ceil(options_.tau * total * total / squares - 1e-9) : INFINITY;
  if (wanted >= static_cast<double>(count) && (options_.distinct || !std::isfinite(wanted))) {
    drawn_.resize(count);
    std::iota(drawn_.begin(), drawn_.end(), static_cast<std::uint32_t>(first));
    return;
  }
  draw_some(first, static_cast<std::size_t>(std::max(wanted, 1.0)), random);
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

Part EdgeSampler::draw(std::span<const std::uint32_t> nodes, std::uint64_t seed) {
  std::vector<std::uint32_t> found;  // nodes in the order of discovery
  const auto discover = [&](std::uint32_t node) {
    if (local_[node] == kNone) found.push_back(node);
    local_[node] = 0;
  };
  for (const std::uint32_t node : nodes) discover(node);
  std::vector<DirectedEdge> edges;
  std::vector<std::uint8_t> need_of_found;
  std::size_t begin = 0;
  for (std::size_t hop = 0; hop <= depth_; ++hop) {
    const std::size_t end = found.size();
    for (; begin < end; ++begin) {
      const std::uint32_t node = found[begin];
      Random random(seed, node);
      draw_edges(node, hop < depth_ ? depth_ - hop : 1, random);
      std::sort(drawn_.begin(), drawn_.end());
      std::size_t g = graph_.out.node_begin[node];
      for (const std::uint32_t e : drawn_) {
        while (graph_.out.group_begin[g + 1] <= e) ++g;
        edges.push_back({node, graph_.out.relation[g], graph_.out.neighbour[e]});
        discover(graph_.out.neighbour[e]);
      }
      need_of_found.push_back(static_cast<std::uint8_t>(depth_ + 1 - hop));
    }
  }
  need_of_found.resize(found.size(), 0);  // the last hop lends its embeddings only

  std::vector<std::uint32_t> order(found.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](std::uint32_t i) { return found[i]; });
  std::vector<std::uint32_t> row_of(found.size());
  need_.resize(found.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    row_of[i] = found[order[i]];
    need_[i] = need_of_found[order[i]];
    local_[row_of[i]] = i;
  }
  for (DirectedEdge& edge : edges) {
    edge.node = local_[edge.node];
    edge.neighbour = local_[edge.neighbour];
  }
  Part part;
  for (const std::uint32_t node : nodes) part.nodes.push_back(local_[node]);
  for (const std::uint32_t node : row_of) local_[node] = kNone;
  part_ = make_message_graph(std::move(edges), std::move(row_of));
  part.computation = {&part_, need_};
  return part;
}

}  // namespace dovetail
