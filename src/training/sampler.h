#pragma once

#include <dovetail/encoder.h>
#include <dovetail/training.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "encoder/encoder.h"
#include "encoder/message_graph.h"

namespace dovetail {

/// What one step computes. Valid until the sampler's next draw but one: a step may run while the next one is
/// drawn.
struct Part {
  Computation computation;
  std::vector<std::uint32_t> nodes;  ///< the nodes that were asked for, by their numbers in the computation
};

/// Chooses which part of the graph a step computes for the nodes whose output it needs.
class Sampler {
 public:
  Sampler() = default;
  Sampler(const Sampler&) = delete;
  Sampler& operator=(const Sampler&) = delete;
  virtual ~Sampler() = default;

  [[nodiscard]] virtual Part draw(std::span<const std::uint32_t> nodes, std::uint64_t seed) = 0;

  /// What draws take beyond the whole graph.
  [[nodiscard]] virtual std::size_t memory_bytes() const = 0;

  /// Whether draws follow the attention, which renew() then tells from time to time:
  /// logits[k - 1][r] is layer k's attention to relation r before the softmax.
  [[nodiscard]] virtual bool follows_attention() const { return false; }
  virtual void renew(const std::vector<std::vector<double>>& logits) { (void)logits; }
};

/// Whether steps compute graphs that were drawn for them, and not parts of the whole one.
[[nodiscard]] constexpr bool draws_graphs(Sampling method) {
  return method == Sampling::attention || method == Sampling::uniform;
}

/// Whether the whole graph must have what only gradients, and attention that looks at senders, need.
[[nodiscard]] constexpr bool needs_backward(const EncoderOptions& encoder, Sampling method) {
  return !draws_graphs(method) || encoder.attention == Attention::three_part;
}

/// `options.method` is not automatic. The graph outlives the sampler.
[[nodiscard]] std::unique_ptr<Sampler> make_sampler(const SamplingOptions& options, std::size_t depth,
                                                    std::size_t relation_rows, const MessageGraph& graph);

}  // namespace dovetail
