#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "training/sampler.h"

namespace dovetail {

/// No sampling: everything that the output of the nodes depends on, marked in the whole graph.
class ReceptiveField final : public Sampler {
 public:
  /// `everything`: all nodes to full depth, whatever is asked for.
  ReceptiveField(const MessageGraph& graph, std::size_t depth, bool everything)
      : graph_(graph), depth_(depth), everything_(everything), need_(graph.node_count) {}

  [[nodiscard]] Part draw(std::span<const std::uint32_t> nodes, std::uint64_t seed) override;
  [[nodiscard]] std::size_t memory_bytes() const override { return need_.capacity(); }

 private:
  const MessageGraph& graph_;
  std::size_t depth_;
  bool everything_;
  std::vector<std::uint8_t> need_;
};

}  // namespace dovetail
