#include "kernels/propagate.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/propagate.cpp"
#include <hwy/foreach_target.h>

#include "kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dovetail::HWY_NAMESPACE {

/// sum += weight * row, or sum = weight * row for the first one.
template <class L>
HWY_INLINE void add_row(const typename L::Row* row, typename L::Real weight, bool first, std::size_t size,
                        typename L::Real* HWY_RESTRICT sum) {
  const auto w = L::set(weight);
  if (first) {
    for (std::size_t c = 0; c < size; c += L::lanes()) L::store(L::mul(w, L::load_row(row + c)), sum + c);
  } else {
    for (std::size_t c = 0; c < size; c += L::lanes()) {
      L::store(L::mul_add(w, L::load_row(row + c), L::load(sum + c)), sum + c);
    }
  }
}

/// As add_row, and dots[f] = r . sum's block f of the result.
template <class L, std::size_t F>
HWY_INLINE void add_last_row(const typename L::Row* row, typename L::Real weight, bool first,
                             std::size_t width, const typename L::Real* r, typename L::Real* HWY_RESTRICT sum,
                             typename L::Real (&dots)[F]) {
  const auto w = L::set(weight);
  typename L::V dot[F];
  for (std::size_t f = 0; f < F; ++f) dot[f] = L::zero();
  for (std::size_t c = 0; c < width; c += L::lanes()) {
    const auto rc = L::load(r + c);
    for (std::size_t f = 0; f < F; ++f) {
      auto s = L::mul(w, L::load_row(row + f * width + c));
      if (!first) s = L::add(s, L::load(sum + f * width + c));
      L::store(s, sum + f * width + c);
      dot[f] = L::mul_add(rc, s, dot[f]);
    }
  }
  for (std::size_t f = 0; f < F; ++f) dots[f] = L::sum(dot[f]);
}

template <class L, std::size_t F>
void forward_node(const PropagateForward<typename L::Real>& layer, std::size_t node,
                  typename L::Real* scratch) {
  using Real = typename L::Real;
  const std::size_t width = layer.shape.width;
  const std::size_t size = F * width;
  Real* const total = scratch;
  Real* const sum = scratch + size;
  clear<L>(total, size);
  const GroupedEdges& edges = layer.edges;
  for (std::uint32_t g = edges.node_begin[node]; g < edges.node_begin[node + 1]; ++g) {
    const std::uint32_t last = edges.group_begin[g + 1] - 1;
    const std::size_t relation = edges.relation[g];
    const Real* const r = layer.reflections.r + relation * width;
    prefetch_row(layer.reflections.r + edges.relation[g + 1] * width, width * sizeof(Real));
    bool first = true;
    for (std::uint32_t e = edges.group_begin[g]; e < last; ++e, first = false) {
      prefetch_row(layer.x + edges.neighbour[e + kPrefetchAhead] * size, size * sizeof(*layer.x));
      add_row<L>(layer.x + edges.neighbour[e] * size, layer.weight[e], first, size, sum);
    }
    prefetch_row(layer.x + edges.neighbour[last + kPrefetchAhead] * size, size * sizeof(*layer.x));
    Real dots[F];
    add_last_row<L, F>(layer.x + edges.neighbour[last] * size, layer.weight[last], first, width, r, sum,
                       dots);
    const Real scale = 2 * layer.reflections.p_scale[relation] * layer.reflections.q_scale[relation];
    typename L::V twice[F];
    for (std::size_t f = 0; f < F; ++f) twice[f] = L::set(scale * dots[f]);
    for (std::size_t c = 0; c < width; c += L::lanes()) {
      const auto rc = L::load(r + c);
      for (std::size_t f = 0; f < F; ++f) {
        Real* const t = total + f * width + c;
        L::store(L::add(L::load(t), L::neg_mul_add(twice[f], rc, L::load(sum + f * width + c))), t);
      }
    }
  }
  Stored<Real>* const y = layer.y + node * size;
  for (std::size_t c = 0; c < size; c += L::lanes()) {
    const auto sum_c = L::load(total + c);
    L::store_row(layer.elu ? L::elu(sum_c) : sum_c, y + c);
  }
}

/// What the edges of one group bring: t = sum of weight * above over the group's sources. False: nothing.
template <class L>
HWY_INLINE bool gather_above(const PropagateBackward<typename L::Real>& layer, std::uint32_t group,
                             typename L::Real* t) {
  const std::size_t size = layer.shape.size();
  bool any = false;
  for (std::uint32_t e = layer.in.group_begin[group]; e < layer.in.group_begin[group + 1]; ++e) {
    const std::uint32_t ahead = layer.in.neighbour[e + kPrefetchAhead];
    if (layer.need[ahead] > layer.least) {
      prefetch_row(layer.above + ahead * size, size * sizeof(*layer.above));
    }
    const std::uint32_t source = layer.in.neighbour[e];
    if (layer.need[source] <= layer.least) continue;
    add_row<L>(layer.above + source * size, layer.weight_above[layer.in_edge[e]], !any, size, t);
    any = true;
  }
  return any;
}

/// A relation's row of sums, cleared when it is first asked for.
template <class L>
HWY_INLINE typename L::Real* relation_row(const RelationSums<typename L::Real>& sums, std::size_t relation,
                                          std::size_t width) {
  typename L::Real* const row = sums.rows + relation * width;
  if (sums.touched[relation] == 0) {
    sums.touched[relation] = 1;
    clear<L>(row, width);
  }
  return row;
}

/// dx += phi^T(t, r), and what relation r gets from it; x is the node's own row.
template <class L, std::size_t F>
HWY_INLINE void backward_group(const PropagateBackward<typename L::Real>& layer,
                               const RelationSums<typename L::Real>& sums, std::size_t relation,
                               const typename L::Real* t, const typename L::Real* x,
                               typename L::Real* HWY_RESTRICT dx) {
  using Real = typename L::Real;
  const std::size_t width = layer.shape.width;
  const Real* const r = layer.reflections.r + relation * width;
  typename L::V rt[F], rx[F], tx[F];
  for (std::size_t f = 0; f < F; ++f) rt[f] = rx[f] = tx[f] = L::zero();
  for (std::size_t c = 0; c < width; c += L::lanes()) {
    const auto rc = L::load(r + c);
    for (std::size_t f = 0; f < F; ++f) {
      const auto tc = L::load(t + f * width + c);
      const auto xc = L::load(x + f * width + c);
      rt[f] = L::mul_add(rc, tc, rt[f]);
      rx[f] = L::mul_add(rc, xc, rx[f]);
      tx[f] = L::mul_add(tc, xc, tx[f]);
    }
  }
  const Real p_scale = layer.reflections.p_scale[relation];
  const Real q_scale = layer.reflections.q_scale[relation];
  Real normal = 0, direct = 0;
  typename L::V r_weight[F], t_weight[F], x_weight[F];
  for (std::size_t f = 0; f < F; ++f) {
    const Real qt = q_scale * L::sum(rt[f]);
    const Real px = p_scale * L::sum(rx[f]);
    normal += qt * px;
    direct += L::sum(tx[f]);
    r_weight[f] = L::set(2 * qt * p_scale);
    t_weight[f] = L::set(-2 * px * q_scale);
    x_weight[f] = L::set(-2 * qt * p_scale);
  }
  Real* const row = relation_row<L>(sums, relation, width);
  for (std::size_t c = 0; c < width; c += L::lanes()) {
    const auto rc = L::load(r + c);
    auto total = L::load(row + c);
    for (std::size_t f = 0; f < F; ++f) {
      const auto tc = L::load(t + f * width + c);
      Real* const d = dx + f * width + c;
      L::store(L::add(L::load(d), L::neg_mul_add(r_weight[f], rc, tc)), d);
      total = L::mul_add(t_weight[f], tc, L::mul_add(x_weight[f], L::load(x + f * width + c), total));
    }
    L::store(total, row + c);
  }
  sums.normal[relation] -= 2 * normal * layer.reflections.normal_scale[relation];
  if (sums.logit_above != nullptr) sums.logit_above[relation] += direct - 2 * normal;
}

/// Through the ELU and the scale, into the row; x is the row as it was. Returns dL/d(weighted sum) .
/// (weighted sum), which the softmax of this layer's attention needs.
template <class L>
HWY_INLINE typename L::Real finish_node(const PropagateBackward<typename L::Real>& layer, std::size_t node,
                                        const typename L::Real* x, typename L::Real* dx) {
  using Real = typename L::Real;
  const std::size_t width = layer.shape.width;
  Stored<Real>* const out = layer.rows + node * layer.shape.size();
  const std::uint32_t addend = layer.addend == nullptr ? UINT32_MAX : layer.addend_of[node];
  if (addend != UINT32_MAX) {
    const Stored<Real>* const a = layer.addend + addend * layer.addend_stride;
    add_row<L>(a, 1, false, layer.shape.size(), dx);
  }
  if (layer.dense_addend != nullptr) {
    add_row<L>(layer.dense_addend + node * layer.shape.size(), 1, false, layer.shape.size(), dx);
  }
  if (layer.stream != nullptr) {
    Stored<Real>* const stream = layer.stream + node * layer.shape.size();
    if (layer.need[node] > layer.least) add_row<L>(stream, 1, false, layer.shape.size(), dx);
    for (std::size_t c = 0; c < layer.shape.size(); c += L::lanes()) {
      L::store_row(L::load(dx + c), stream + c);
    }
  }
  auto carried = L::zero();
  for (std::size_t f = 0; f < layer.shape.features; ++f) {
    const Real s = layer.scale == nullptr ? Real{1} : layer.scale[node * layer.shape.features + f];
    const auto scale = L::set(s);
    const bool elu = !(layer.raw_entity && f == 0);
    for (std::size_t c = f * width; c < (f + 1) * width; c += L::lanes()) {
      const auto xc = L::load(x + c);
      auto d = L::mul(scale, L::load(dx + c));
      if (layer.weight_here != nullptr) carried = L::mul_add(d, L::elu_slope_times_input(xc), carried);
      if (elu) d = L::mul(d, L::elu_slope(xc));
      L::store(d, dx + c);
      L::store_row(d, out + c);
    }
  }
  return L::sum(carried);
}

template <class L, std::size_t F>
void backward_node(const PropagateBackward<typename L::Real>& layer,
                   const RelationSums<typename L::Real>& sums, std::size_t node, typename L::Real* scratch) {
  using Real = typename L::Real;
  const std::size_t width = layer.shape.width;
  const std::size_t size = F * width;
  Real* const x = scratch;
  Real* const dx = scratch + size;
  Real* const t = scratch + 2 * size;
  const auto load = [&](const Stored<Real>* rows) {
    for (std::size_t c = 0; c < size; c += L::lanes()) L::store(L::load_row(rows + node * size + c), x + c);
  };
  load(layer.input == nullptr ? layer.rows : layer.input);
  clear<L>(dx, size);
  if (layer.weight_above != nullptr) {
    for (std::uint32_t g = layer.in.node_begin[node]; g < layer.in.node_begin[node + 1]; ++g) {
      const std::size_t next = layer.in.relation[g + 1] * width;
      prefetch_row(layer.reflections.r + next, width * sizeof(Real));
      prefetch_row(sums.rows + next, width * sizeof(Real));
      if (gather_above<L>(layer, g, t)) backward_group<L, F>(layer, sums, layer.in.relation[g], t, x, dx);
    }
  }
  if (layer.input != nullptr) load(layer.rows);
  const Real carried = finish_node<L>(layer, node, x, dx);
  for (std::uint32_t g = layer.out.node_begin[node]; g < layer.out.node_begin[node + 1]; ++g) {
    const std::size_t relation = layer.out.relation[g];
    if (layer.weight_here != nullptr) {
      Real weight = 0;
      for (std::uint32_t e = layer.out.group_begin[g]; e < layer.out.group_begin[g + 1]; ++e) {
        weight += layer.weight_here[e];
      }
      sums.logit_here[relation] -= weight * carried;
    }
    if (layer.relation_block >= 0) {
      Real* const row = relation_row<L>(sums, relation, width);
      const Real* const d = dx + static_cast<std::size_t>(layer.relation_block) * width;
      for (std::size_t c = 0; c < width; c += L::lanes()) {
        L::store(L::add(L::load(row + c), L::load(d + c)), row + c);
      }
    }
  }
}

template <class L>
HWY_INLINE void forward_nodes(const PropagateForward<typename L::Real>& layer, std::size_t begin,
                              std::size_t end, typename L::Real* scratch) {
  for (std::size_t node = begin; node < end; ++node) {
    if (layer.need[node] < layer.least) continue;
    if (layer.shape.features == 2) {
      forward_node<L, 2>(layer, node, scratch);
    } else {
      forward_node<L, 1>(layer, node, scratch);
    }
  }
}

template <class L>
HWY_INLINE void backward_nodes(const PropagateBackward<typename L::Real>& layer,
                               const RelationSums<typename L::Real>& sums, std::size_t begin, std::size_t end,
                               typename L::Real* scratch) {
  for (std::size_t node = begin; node < end; ++node) {
    if (layer.need[node] < layer.least) continue;
    if (layer.shape.features == 2) {
      backward_node<L, 2>(layer, sums, node, scratch);
    } else {
      backward_node<L, 1>(layer, sums, node, scratch);
    }
  }
}

void forward_fast(const PropagateForward<float>& layer, std::size_t begin, std::size_t end, float* scratch) {
  forward_nodes<VectorLanes>(layer, begin, end, scratch);
}
void backward_fast(const PropagateBackward<float>& layer, const RelationSums<float>& sums, std::size_t begin,
                   std::size_t end, float* scratch) {
  backward_nodes<VectorLanes>(layer, sums, begin, end, scratch);
}

}  // namespace dovetail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dovetail {

HWY_EXPORT(forward_fast);
HWY_EXPORT(backward_fast);

template <>
void propagate_forward(const PropagateForward<float>& layer, std::size_t begin, std::size_t end,
                       float* scratch) {
  HWY_DYNAMIC_DISPATCH(forward_fast)(layer, begin, end, scratch);
}
template <>
void propagate_forward(const PropagateForward<double>& layer, std::size_t begin, std::size_t end,
                       double* scratch) {
  HWY_NAMESPACE::forward_nodes<HWY_NAMESPACE::ScalarLanes<double>>(layer, begin, end, scratch);
}
template <>
void propagate_backward(const PropagateBackward<float>& layer, const RelationSums<float>& sums,
                        std::size_t begin, std::size_t end, float* scratch) {
  HWY_DYNAMIC_DISPATCH(backward_fast)(layer, sums, begin, end, scratch);
}
template <>
void propagate_backward(const PropagateBackward<double>& layer, const RelationSums<double>& sums,
                        std::size_t begin, std::size_t end, double* scratch) {
  HWY_NAMESPACE::backward_nodes<HWY_NAMESPACE::ScalarLanes<double>>(layer, sums, begin, end, scratch);
}

namespace naive {
void propagate_forward(const PropagateForward<float>& layer, std::size_t begin, std::size_t end,
                       float* scratch) {
  HWY_NAMESPACE::forward_nodes<HWY_NAMESPACE::ScalarLanes<float>>(layer, begin, end, scratch);
}
void propagate_backward(const PropagateBackward<float>& layer, const RelationSums<float>& sums,
                        std::size_t begin, std::size_t end, float* scratch) {
  HWY_NAMESPACE::backward_nodes<HWY_NAMESPACE::ScalarLanes<float>>(layer, sums, begin, end, scratch);
}
}  // namespace naive

}  // namespace dovetail
#endif  // HWY_ONCE
