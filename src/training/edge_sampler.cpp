#include "training/edge_sampler.h"

#include <algorithm>
#include <bit>
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
/// Edges that follow before one is followed.
constexpr std::size_t kBehind = 32;

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
    const double edges = out.group_begin[g + 1] - out.group_begin[g];
    total += weight * edges;
    squares += weight * weight * edges;
    cumulative_.push_back(total);
  }
  const double tau_draws = squares > 0 ? std::ceil(options_.tau * total * total / squares - 1e-9) : INFINITY;
  const double wanted = std::min(tau_draws, static_cast<double>(most));
  if (wanted >= static_cast<double>(count) && (options_.distinct || !std::isfinite(tau_draws))) {
    drawn_.resize(count);
    std::iota(drawn_.begin(), drawn_.end(), static_cast<std::uint32_t>(first));
    return;
  }
  draw_some(node, static_cast<std::size_t>(std::max(wanted, 1.0)), random);
  std::ranges::sort(drawn_);
}

void EdgeSampler::draw_some(std::size_t node, std::size_t wanted, Random& random) {
  const std::size_t first = graph_.out.first_edge(node);
  const std::size_t count = graph_.out.first_edge(node + 1) - first;
  if (taken_.size() < count) taken_.resize(count, false);
  const std::size_t tries = options_.distinct ? wanted * kTriesPerEdge : wanted;
  for (std::size_t i = 0; i < tries && drawn_.size() < wanted; ++i) {
    const std::size_t edge =
        options_.method == Sampling::uniform ? random.below(count) : edge_at(node, random.uniform()) - first;
    if (!taken_[edge]) drawn_.push_back(static_cast<std::uint32_t>(first + edge));
    taken_[edge] = true;
  }
  for (const std::uint32_t edge : drawn_) taken_[edge - first] = false;
}

/// The edges of a group have equal parts of what it adds to the sum.
std::size_t EdgeSampler::edge_at(std::size_t node, double place) const {
  const double at = place * cumulative_.back();
  const auto end = std::min(std::ranges::upper_bound(cumulative_, at), cumulative_.end() - 1);
  const auto number = static_cast<std::size_t>(end - cumulative_.begin());
  const double before = number == 0 ? 0 : cumulative_[number - 1];
  const std::size_t group = graph_.out.node_begin[node] + number;
  const std::size_t first = graph_.out.group_begin[group];
  const std::size_t count = graph_.out.group_begin[group + 1] - first;
  const double share = (at - before) / (*end - before) * static_cast<double>(count);
  return first + std::min(static_cast<std::size_t>(std::max(share, 0.0)), count - 1);
}

/// There are such neighbours: at least the one that led here.
void EdgeSampler::take_found_neighbours(std::size_t node) {
  drawn_.clear();
  for (std::size_t e = graph_.out.first_edge(node); e < graph_.out.first_edge(node + 1); ++e) {
    if (local_[graph_.out.neighbour[e]] != kNone) drawn_.push_back(static_cast<std::uint32_t>(e));
  }
}

/// The lists of nodes lie anywhere in memory: on the way to a node's edges there are three places.
void EdgeSampler::ask_ahead(std::span<const std::uint32_t> coming) const {
  constexpr std::size_t kNode = 24, kGroup = 16, kEdge = 8;
  const EdgeLists& out = graph_.out;
  if (kNode < coming.size()) __builtin_prefetch(&out.node_begin[coming[kNode]]);
  if (kGroup < coming.size()) {
    const std::size_t group = out.node_begin[coming[kGroup]];
    __builtin_prefetch(&out.group_begin[group]);
    __builtin_prefetch(&out.relation[group]);
  }
  if (kEdge < coming.size()) __builtin_prefetch(&out.neighbour[out.first_edge(coming[kEdge])]);
}

Part EdgeSampler::draw(std::span<const std::uint32_t> nodes, std::uint64_t seed) {
  std::vector<std::uint32_t> found;  // nodes in the order of discovery
  const auto discover = [&](std::uint32_t node) {
    if (local_[node] == kNone) found.push_back(node);
    local_[node] = 0;
  };
  for (const std::uint32_t node : nodes) discover(node);
  const std::size_t room = options_.reach == 0 ? SIZE_MAX : options_.reach * nodes.size();
  LargeVector<DirectedEdge>& edges = maker_.edges;
  std::size_t followed = 0;  // edges whose neighbours are discovered
  const auto follow = [&](std::size_t count) {
    for (; followed < count; ++followed) discover(edges[followed].neighbour);
  };
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
      ask_ahead({found.data() + begin, end - begin});
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
        const std::uint32_t neighbour = graph_.out.neighbour[e];
        __builtin_prefetch(&local_[neighbour], 1);
        edges.push_back({node, graph_.out.relation[g], neighbour});
      }
      // In the last hop, where how many are found does not matter, only when memory has had time.
      follow(edges.size() - std::min(last ? kBehind : 0, edges.size()));
    }
    follow(edges.size());
    hops.push_back(end);
  }
  Drawn& drawn = parts_[draws_++ % parts_.size()];
  make_part(std::move(found), hops, drawn);
  Part part{.computation = {&drawn.graph, drawn.need}, .nodes = {}};
  for (const std::uint32_t node : nodes) part.nodes.push_back(local_[node]);
  for (const std::uint32_t node : drawn.graph.row_of) local_[node] = kNone;
  return part;
}

/// Many are quicker marked than compared.
void EdgeSampler::sort_nodes(std::span<std::uint32_t> nodes) {
  constexpr std::size_t kBits = 64;
  const std::size_t words = (graph_.node_count + kBits - 1) / kBits;
  if (nodes.size() < words) {
    std::ranges::sort(nodes);
    return;
  }
  marks_.assign(words, 0);
  for (const std::uint32_t node : nodes) marks_[node / kBits] |= std::uint64_t{1} << node % kBits;
  std::size_t next = 0;
  for (std::size_t word = 0; word < words; ++word) {
    for (std::uint64_t left = marks_[word]; left != 0; left &= left - 1) {
      nodes[next++] =
          static_cast<std::uint32_t>(word * kBits + static_cast<std::size_t>(std::countr_zero(left)));
    }
  }
}

/// Nodes that are needed deeper come first, so that each layer has rows for the first ones only; then by
/// their place in the whole graph, which keeps neighbours close.
void EdgeSampler::make_part(std::vector<std::uint32_t> found, std::span<const std::size_t> hops,
                            Drawn& part) {
  part.need.assign(found.size(), 0);
  std::size_t begin = 0;
  for (std::size_t hop = 0; hop <= hops.size(); ++hop) {
    const std::size_t end = hop < hops.size() ? hops[hop] : found.size();
    sort_nodes(std::span(found).subspan(begin, end - begin));
    if (hop < hops.size()) {
      std::fill_n(part.need.begin() + static_cast<std::ptrdiff_t>(begin), end - begin,
                  static_cast<std::uint8_t>(depth_ + 1 - hop));
    }
    begin = end;
  }
  for (std::uint32_t i = 0; i < found.size(); ++i) local_[found[i]] = i;
  for (DirectedEdge& edge : maker_.edges) {
    edge.node = local_[edge.node];
    edge.neighbour = local_[edge.neighbour];
  }
  maker_.make(std::move(found), part.graph);
}

}  // namespace dovetail
