#pragma once

#include <array>
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
      : graph_(graph), depth_(depth), everything_(everything) {}

  [[nodiscard]] Part draw(std::span<const std::uint32_t> nodes, std::uint64_t seed) override;
  [[nodiscard]] std::size_t memory_bytes() const override {
    return need_[0].capacity() + need_[1].capacity();
  }

 private:
  const MessageGraph& graph_;
  std::size_t depth_;
  bool everything_;
  std::array<std::vector<std::uint8_t>, 2> need_;  // of the last two draws
  std::size_t draws_ = 0;
};

}  // namespace dovetail
