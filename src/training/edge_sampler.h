#pragma once

#include <dovetail/training.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/random.h"
#include "training/sampler.h"

namespace dovetail {

/// Relational attention graph sampling (RAGS): hop by hop from the nodes asked for, each node draws
/// t = ceil(tau / sum of squared attention) of its edges, in proportion to the attention or all alike; the
/// step then runs on the drawn edges alone. Attention is taken by relation, with the layer that the hop
/// belongs to. One array of the graph's size apart, memory depends on what is drawn.
class EdgeSampler final : public Sampler {
 public:
  EdgeSampler(const SamplingOptions& options, std::size_t depth, std::size_t relation_rows,
              const MessageGraph& graph);

  [[nodiscard]] Part draw(std::span<const std::uint32_t> nodes, std::uint64_t seed) override;
  [[nodiscard]] bool follows_attention() const override { return true; }
  [[nodiscard]] std::size_t memory_bytes() const override {
    std::size_t bytes = local_.capacity() * sizeof(std::uint32_t);
    for (const Drawn& part : parts_) bytes += part.graph.memory_bytes() + part.need.capacity();
    return bytes;
  }
  void renew(const std::vector<std::vector<double>>& logits) override;

 private:
  /// Puts what `node` draws, at most `most`, into drawn_, as edges of `out` in ascending order.
  void draw_edges(std::size_t node, std::size_t layer, std::size_t most, Random& random);
  void draw_some(std::size_t node, std::size_t wanted, Random& random);
  /// The edge of `out` that a place in [0, 1) of the node's attention, summed up in cumulative_, belongs to.
  [[nodiscard]] std::size_t edge_at(std::size_t node, double place) const;
  /// Has the edges of nodes that come after the first few brought from memory.
  [[gnu::always_inline]] inline void ask_ahead(std::span<const std::uint32_t> coming) const;
  /// Puts the node's edges to nodes found already into drawn_, for when there is no room for more.
  void take_found_neighbours(std::size_t node);
  /// Into ascending order; they are distinct.
  void sort_nodes(std::span<std::uint32_t> nodes);
  struct Drawn {
    MessageGraph graph;
    std::vector<std::uint8_t> need;  ///< of the graph's nodes, descending
  };
  /// Of the nodes found, hop by hop (`hops` are the ends of those that need features), and the edges between
  /// them that the maker has, by the whole graph's numbers.
  void make_part(std::vector<std::uint32_t> found, std::span<const std::size_t> hops, Drawn& part);

  SamplingOptions options_;
  std::size_t depth_;
  const MessageGraph& graph_;
  std::vector<std::vector<double>> weights_;  // [depth][relations] exp(logit)

  LargeVector<std::uint32_t> local_;  // [nodes] number in the part, or kNone; all kNone between draws
  std::vector<std::uint32_t> drawn_;  // of one node
  std::vector<double> cumulative_;    // attention of one node's groups of edges, summed up
  std::vector<bool> taken_;           // of one node's edges; all false between nodes
  std::vector<std::uint64_t> marks_;  // a bit for each node
  MessageGraphMaker maker_;
  std::array<Drawn, 2> parts_;  // the last two draws
  std::size_t draws_ = 0;
};

}  // namespace dovetail
