#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/buffer.h"
#include "common/threads.h"
#include "encoder/message_graph.h"
#include "encoder/parameters.h"

namespace dovetail {

/// Linear transformation in place of reflections: layer k is y = ELU(W_k s) for the weighted sum s of a
/// node's neighbours, with the same W_k for every feature. As W is the same for all edges of a node, it does
/// not matter that it comes after the sum.
template <typename Real>
class LinearLayers {
 public:
  LinearLayers(const EncoderLayout& layout, ThreadPool& pool);

  /// Where the weighted sums of layer k go: [nodes, row].
  [[nodiscard]] Stored<Real>* sums(std::size_t k, std::size_t nodes);

  /// From sums(k) to y, for the nodes with need > k.
  void forward(std::size_t k, std::span<const std::uint8_t> need, const Parameters<Real>& parameters,
               Stored<Real>* y);

  /// rows: [nodes, row] dL/d(W_k s), becomes dL/ds. The gradient of W_k goes to gradient().
  void backward(std::size_t k, const MessageGraph& graph, std::span<const std::uint8_t> need,
                const Parameters<Real>& parameters, Stored<Real>* rows);

  /// dL/d(row of Parameters::linear).
  [[nodiscard]] const Real* gradient(std::size_t row) const { return gradient_.row(row); }
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  void add_gradient(const Stored<Real>* outer, const Stored<Real>* inner, std::size_t rows,
                    Matrix<Real>& sum) const;

  EncoderLayout layout_;
  ThreadPool& pool_;
  std::vector<Buffer<Stored<Real>>> sums_;  // [layers] of [nodes, row]; 0 unused
  std::vector<Matrix<Real>> stripes_;       // [kStripes] of [dimension, width]
  Matrix<Real> gradient_;                   // as Parameters::linear
};

}  // namespace dovetail
