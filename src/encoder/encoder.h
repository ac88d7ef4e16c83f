#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/buffer.h"
#include "common/threads.h"
#include "encoder/attention.h"
#include "encoder/linear.h"
#include "encoder/message_graph.h"
#include "encoder/parameters.h"
#include "encoder/relations.h"

namespace dovetail {

/// What a step computes: the edges messages run along, and how deep each node is needed.
struct Computation {
  const MessageGraph* graph;
  /// [nodes] layers of the node that are needed: 0 none, 1 the input feature, depth + 1 the output.
  std::span<const std::uint8_t> need;
};

/// The gradient that the loss puts on output rows.
template <typename Real>
struct OutputGradient {
  const Stored<Real>* rows;           ///< [rows, layout.output]
  std::span<const std::uint32_t> of;  ///< [nodes] row, or kNone
};

/// Features of entities from graph and parameters. Layers lie apart: layer k is [nodes, row], and the output
/// of a node is its row of every output layer, one after the other.
template <typename Real>
class Encoder {
 public:
  Encoder(const EncoderLayout& layout, ThreadPool& pool);

  void forward(const Computation& computation, const Parameters<Real>& parameters);

  /// After forward() with the same arguments. Relation and attention gradients go to relation_gradients();
  /// the gradient of the entity features takes the place of layer 0 (see entity_gradient()).
  void backward(const Computation& computation, const Parameters<Real>& parameters,
                const OutputGradient<Real>& output);

  /// After backward(): dL/d(embedding of the node), [width]. False: the node's embedding had no influence.
  [[nodiscard]] bool entity_gradient(const Computation& computation, std::size_t node, Real* gradient) const;

  [[nodiscard]] const EncoderLayout& layout() const { return layout_; }
  /// The n-th of layout.output_layers: [nodes, row].
  [[nodiscard]] const Stored<Real>* output_layer(std::size_t n) const;
  /// The output of a node: its row of every output layer, [layout.output].
  void copy_output(std::size_t node, Stored<Real>* out) const;
  [[nodiscard]] const RelationGradients<Real>& relation_gradients() const { return gradients_; }
  /// dL/d(row of Parameters::linear).
  [[nodiscard]] const Real* linear_gradient(std::size_t row) const { return linear_.gradient(row); }
  /// The attention by relation before the softmax, of one layer: v . q_r.
  [[nodiscard]] std::vector<Real> relation_logits(const Parameters<Real>& parameters, std::size_t layer);
  /// Memory of features, edge weights and relation gradients.
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  void input_forward(const Computation& computation, const Parameters<Real>& parameters);
  void layer_forward(const Computation& computation, const Parameters<Real>& parameters, std::size_t k);
  void add_residual(const Computation& computation, std::size_t k);
  /// What layer k + 1 takes: layer k, or with residual connections the sum of all layers up to it.
  [[nodiscard]] const Stored<Real>* input_above(std::size_t k) const {
    return residual() && k > 0 ? streams_[k].data() : rows_[k].data();
  }
  [[nodiscard]] bool residual() const { return layout_.options.representation == Representation::residual; }
  [[nodiscard]] bool linear() const { return layout_.options.transform == Transform::linear; }
  void layer_backward(const Computation& computation, std::size_t k, const OutputGradient<Real>& output);
  /// 1 / (number of embeddings in the mean), for each feature of each node.
  void update_input_scale(const Computation& computation);

  EncoderLayout layout_;
  ThreadPool& pool_;
  RelationScales<Real> relations_;
  RelationGradients<Real> gradients_;
  AttentionLayer<Real> attention_;
  LinearLayers<Real> linear_;
  std::vector<Buffer<Stored<Real>>> rows_;  // [depth + 1] of [nodes, row]
  std::vector<Buffer<Real>> weights_;       // [depth + 1] of [edges]; 0 unused
  Buffer<Real> input_scale_;                // [nodes, features]
  // With residual connections only.
  std::vector<Buffer<Stored<Real>>> streams_;  // [depth + 1] of [nodes, row]: sums of layers; 0 unused
  Buffer<Stored<Real>> stream_gradient_;       // [nodes, row]
};

}  // namespace dovetail
