#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/bfloat16.h"

namespace dovetail {

/// Directed edges as index arrays: node -> groups of one relation each -> neighbours.
struct GroupedEdges {
  const std::uint32_t* node_begin;   ///< [nodes + 1] first group of a node
  const std::uint32_t* group_begin;  ///< [groups + 1] first edge of a group
  const std::uint32_t* relation;     ///< [groups]
  const std::uint32_t* neighbour;    ///< [edges]
};

/// phi(h, r) = h - 2 (p . h) q with p = p_scale r and q = q_scale r: both of unit length, or only p (the
/// released program's form).
template <typename Real>
struct Reflections {
  const Real* r;             ///< [relations, width]
  const Real* p_scale;       ///< [relations] 1 / |r|; dp/dr is (1 - p p^T) times this
  const Real* q_scale;       ///< [relations] dq/dr is this, projected in the same way if q has unit length
  const Real* normal_scale;  ///< [relations] the sum of the scales that are projected
};

/// Rows of `features` blocks of `width` values each, side by side; every block is treated alike.
struct RowShape {
  std::size_t width;     ///< a multiple of kRowUnit
  std::size_t features;  ///< 1 or 2
  [[nodiscard]] std::size_t size() const { return width * features; }
};

/// One layer: y_i = ELU(sum over i's edges of weight phi(x_neighbour, r)), for the nodes that need it; or the
/// sum itself.
template <typename Real>
struct PropagateForward {
  GroupedEdges edges;
  RowShape shape;
  Reflections<Real> reflections;
  const Real* weight;        ///< [edges] attention
  const std::uint8_t* need;  ///< [nodes] a node is computed where need >= least
  std::uint8_t least;
  bool elu;
  const Stored<Real>* x;  ///< [nodes, row]
  Stored<Real>* y;        ///< [nodes, row]
};

/// Where the backward pass adds what it finds for relations; one for each piece of nodes that runs alone.
template <typename Real>
struct RelationSums {
  Real* rows;             ///< [relations, width] p_scale dL/dp + q_scale dL/dq, and the relation feature's
  Real* normal;           ///< [relations] the part of that along r which the projection takes away again
  Real* logit_above;      ///< [relations] dL/dlogit of the layer above; null: not learned by relation
  Real* logit_here;       ///< [relations] dL/dlogit of this layer
  std::uint8_t* touched;  ///< [relations]
};

/// The gradient with respect to a layer's rows before their ELU, in place of the rows themselves:
///   rows_j <- scale_j ELU'(j) (addend_j + sum over edges (i, r, j) of weight phi^T(above_i, r)),
/// where `above` already holds the layer above's gradient. The relations' gradients go to RelationSums.
/// With residual connections the layer above took `input`, not these rows, and adds its rows to it: then the
/// gradient in `stream` is passed on from layer to layer beside what comes through the edges.
template <typename Real>
struct PropagateBackward {
  GroupedEdges in;   ///< by edge target: group relation as of the edge, neighbour = the edge's source
  GroupedEdges out;  ///< by edge source
  RowShape shape;
  Reflections<Real> reflections;
  const std::uint32_t* in_edge;  ///< [edges] number of in's edge among out's
  const Real* weight_above;      ///< [edges, as out] attention of the layer above; null: nothing is above
  const Stored<Real>* above;     ///< [nodes, row]
  const Real* weight_here;       ///< [edges, as out] attention by relation of this layer; null: none to learn
  const std::uint8_t* need;
  std::uint8_t least;  ///< for this layer; the layer above has least + 1
  const Stored<Real>*
      addend;  ///< [addends, addend_stride] gradient that the loss puts on these rows, or null
  const std::uint32_t* addend_of;  ///< [nodes] row of addend, or UINT32_MAX
  std::size_t addend_stride;
  const Stored<Real>* dense_addend;  ///< [nodes, row] more gradient on these rows; null: none
  const Real* scale;                 ///< [nodes, features]; null: 1
  bool raw_entity;                   ///< block 0 went through no ELU (input embeddings used as they are)
  int relation_block;                ///< block that is the mean of the node's relations' embeddings, or -1
  const Stored<Real>* input;         ///< [nodes, row] what the layer above took; null: rows
  Stored<Real>* stream;  ///< [nodes, row] dL/d(input) of the layer above, becomes this one's; or null
  Stored<Real>* rows;    ///< [nodes, row]
};

/// Nodes [begin, end). `scratch` holds 4 rows.
template <typename Real>
void propagate_forward(const PropagateForward<Real>& layer, std::size_t begin, std::size_t end,
                       Real* scratch);
template <typename Real>
void propagate_backward(const PropagateBackward<Real>& layer, const RelationSums<Real>& sums,
                        std::size_t begin, std::size_t end, Real* scratch);

namespace naive {
void propagate_forward(const PropagateForward<float>& layer, std::size_t begin, std::size_t end,
                       float* scratch);
void propagate_backward(const PropagateBackward<float>& layer, const RelationSums<float>& sums,
                        std::size_t begin, std::size_t end, float* scratch);
}  // namespace naive

}  // namespace dovetail
