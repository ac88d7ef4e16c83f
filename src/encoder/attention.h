#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "common/buffer.h"
#include "common/threads.h"
#include "encoder/message_graph.h"
#include "encoder/parameters.h"
#include "encoder/relations.h"

namespace dovetail {

/// One layer as its attention sees it.
template <typename Real>
struct AttentionInput {
  const MessageGraph* graph;
  std::span<const std::uint8_t> need;
  std::size_t layer;      ///< 1 .. depth; nodes with need > layer weigh their edges
  const Real* v;          ///< [layout.attention]
  const Stored<Real>* x;  ///< [nodes, row] the layer's input
};

/// The weights of edges, for all kinds of attention.
///
/// Three-part: v1 . phi(h_i, r) is v1 . h_i, the same for all edges of i and so without effect, and a term of
/// (i, r) alone; v3 . phi(h_j, r) is a term of (j, r) alone. So a logit is the sum of a scalar for its group
/// in `out` and one for its group in `in`, and no rows are gathered.
template <typename Real>
class AttentionLayer {
 public:
  AttentionLayer(const EncoderLayout& layout, ThreadPool& pool);

  /// weight: [edges, as out]
  void forward(const AttentionInput<Real>& input, const RelationScales<Real>& scales, Real* weight);

  /// For three-part attention, whose gradient does not come out of the layer's own backward pass: adds to
  /// `gradients`, and gives for each node with need >= layer the gradient on its row of x.
  /// dy: [nodes, row] gradient of the layer's weighted sums. The other kinds need no call.
  void backward(const AttentionInput<Real>& input, const RelationScales<Real>& scales, const Real* weight,
                const Stored<Real>* dy, RelationGradients<Real>& gradients);
  /// [nodes, row], after backward().
  [[nodiscard]] Stored<Real>* input_gradient() { return input_gradient_.data(); }
  [[nodiscard]] std::size_t memory_bytes() const {
    return scalars_.span().size_bytes() + logit_gradient_.span().size_bytes() +
           input_gradient_.span().size_bytes();
  }

 private:
  /// v_part . q_r for each part of v: [relation_rows, parts].
  void update_scalars(const AttentionInput<Real>& input, const RelationScales<Real>& scales);
  void symmetric(const AttentionInput<Real>& input, Real* weight);
  void add_group_terms(const AttentionInput<Real>& input, const RelationScales<Real>& scales, Real* logit);
  void edge_gradients(const AttentionInput<Real>& input, const RelationScales<Real>& scales,
                      const Stored<Real>* dy, Real* gradient);
  void node_backward(const AttentionInput<Real>& input, const RelationScales<Real>& scales, std::size_t node,
                     const RelationSums<Real>& sums, Real* scalars, Real* direct, Real* scratch);

  EncoderLayout layout_;
  ThreadPool& pool_;
  Buffer<Real> scalars_;
  Buffer<Real> logit_gradient_;          // [edges, as out]
  Buffer<Stored<Real>> input_gradient_;  // [nodes, row]
};

}  // namespace dovetail
