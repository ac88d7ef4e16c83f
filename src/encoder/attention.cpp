#include "encoder/attention.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/rows.h"

namespace dovetail {
namespace {

constexpr std::size_t kAttentionGrain = 256;

/// In place. Edges of one group often have one logit, and then share one exponential.
template <typename Real>
void softmax(Real* values, std::size_t count) {
  if (count == 0) return;
  const Real highest = *std::max_element(values, values + count);
  Real total = 0, last_logit = highest, last = 1;
  for (std::size_t e = 0; e < count; ++e) {
    if (values[e] != last_logit) {
      last_logit = values[e];
      last = std::exp(last_logit - highest);
    }
    values[e] = last;
    total += last;
  }
  for (std::size_t e = 0; e < count; ++e) values[e] /= total;
}

/// The group's edges.
struct EdgeRange {
  std::size_t begin, end;
  EdgeRange(const EdgeLists& lists, std::size_t group)
      : begin(lists.group_begin[group]), end(lists.group_begin[group + 1]) {}
};

/// Parts of a three-part attention vector: 0 is v2, then v1 and v3 for each feature.
std::size_t receiver_part(std::size_t feature) {
  return 1 + feature;
}
std::size_t sender_part(const RowShape& shape, std::size_t feature) {
  return 1 + shape.features + feature;
}

}  // namespace

template <typename Real>
AttentionLayer<Real>::AttentionLayer(const EncoderLayout& layout, ThreadPool& pool)
    : layout_(layout), pool_(pool) {}

template <typename Real>
void AttentionLayer<Real>::update_scalars(const AttentionInput<Real>& input,
                                          const RelationScales<Real>& scales) {
  const std::size_t parts = layout_.attention / layout_.shape.width;
  scalars_.require(layout_.relation_rows * parts);
  pool_.for_ranges(layout_.relation_rows, kAttentionGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin * parts; i < end * parts; ++i) {
      scalars_[i] = scales.q_scale(i / parts) *
                    dot(input.v + i % parts * layout_.shape.width, scales.r(i / parts), layout_.shape.width);
    }
  });
}

template <typename Real>
void AttentionLayer<Real>::forward(const AttentionInput<Real>& input, const RelationScales<Real>& scales,
                                   Real* weight) {
  const Attention kind = layout_.options.attention;
  if (kind == Attention::symmetric) return symmetric(input, weight);
  if (kind != Attention::none) update_scalars(input, scales);
  if (kind == Attention::three_part) add_group_terms(input, scales, weight);
  const EdgeLists& out = input.graph->out;
  pool_.for_ranges(input.graph->node_count, kAttentionGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t node = begin; node < end; ++node) {
      if (input.need[node] <= input.layer) continue;
      if (kind != Attention::three_part) {
        for (std::size_t g = out.node_begin[node]; g < out.node_begin[node + 1]; ++g) {
          const EdgeRange edges(out, g);
          const Real logit = kind == Attention::none ? Real{0} : scalars_[out.relation[g]];
          std::fill(weight + edges.begin, weight + edges.end, logit);
        }
      }
      softmax(weight + out.first_edge(node), out.first_edge(node + 1) - out.first_edge(node));
    }
  });
}

/// By degrees in the graph at hand, so this is for graphs that are whole.
template <typename Real>
void AttentionLayer<Real>::symmetric(const AttentionInput<Real>& input, Real* weight) {
  const EdgeLists& out = input.graph->out;
  const auto degree = [&](std::size_t node) { return out.first_edge(node + 1) - out.first_edge(node); };
  pool_.for_ranges(input.graph->node_count, kAttentionGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t node = begin; node < end; ++node) {
      if (input.need[node] <= input.layer) continue;
      for (std::size_t e = out.first_edge(node); e < out.first_edge(node + 1); ++e) {
        weight[e] = 1 / std::sqrt(static_cast<Real>(degree(node) * degree(out.neighbour[e])));
      }
    }
  });
}

/// Writes the logits: first what (sender, relation) adds, then what (receiver, relation) does.
template <typename Real>
void AttentionLayer<Real>::add_group_terms(const AttentionInput<Real>& input,
                                           const RelationScales<Real>& scales, Real* logit) {
  const MessageGraph& graph = *input.graph;
  const RowShape& shape = layout_.shape;
  const std::size_t parts = layout_.attention / shape.width;
  pool_.for_ranges(graph.node_count, kAttentionGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t node = begin; node < end; ++node) {
      if (input.need[node] < input.layer) continue;
      const Stored<Real>* const x = input.x + node * shape.size();
      Real own = 0;
      for (std::size_t f = 0; f < shape.features; ++f) {
        own +=
            dot_stored<Real>(input.v + sender_part(shape, f) * shape.width, x + f * shape.width, shape.width);
      }
      for (std::size_t g = graph.in.node_begin[node]; g < graph.in.node_begin[node + 1]; ++g) {
        const std::size_t r = graph.in.relation[g];
        Real term = own;
        for (std::size_t f = 0; f < shape.features; ++f) {
          term -= 2 * scalars_[r * parts + sender_part(shape, f)] * scales.p_scale(r) *
                  dot_stored<Real>(scales.r(r), x + f * shape.width, shape.width);
        }
        const EdgeRange edges(graph.in, g);
        for (std::size_t e = edges.begin; e < edges.end; ++e) logit[graph.in_edge[e]] = term;
      }
    }
  });
  pool_.for_ranges(graph.node_count, kAttentionGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t node = begin; node < end; ++node) {
      if (input.need[node] <= input.layer) continue;
      const Stored<Real>* const x = input.x + node * shape.size();
      for (std::size_t g = graph.out.node_begin[node]; g < graph.out.node_begin[node + 1]; ++g) {
        const std::size_t r = graph.out.relation[g];
        Real term = scalars_[r * parts];
        for (std::size_t f = 0; f < shape.features; ++f) {
          term -= 2 * scalars_[r * parts + receiver_part(f)] * scales.p_scale(r) *
                  dot_stored<Real>(scales.r(r), x + f * shape.width, shape.width);
        }
        const EdgeRange edges(graph.out, g);
        for (std::size_t e = edges.begin; e < edges.end; ++e) logit[e] += term;
      }
    }
  });
}

/// gradient[e] = dL/dweight of edge e = dy_i . phi(x_j, r); then through the softmax to dL/dlogit.
template <typename Real>
void AttentionLayer<Real>::edge_gradients(const AttentionInput<Real>& input,
                                          const RelationScales<Real>& scales, const Stored<Real>* dy,
                                          Real* gradient) {
  const MessageGraph& graph = *input.graph;
  const RowShape& shape = layout_.shape;
  pool_.for_ranges(graph.node_count, kAttentionGrain, [&](std::size_t begin, std::size_t end) {
    std::vector<Real> x(shape.size());
    for (std::size_t node = begin; node < end; ++node) {
      if (input.need[node] < input.layer) continue;
      std::ranges::fill(x, Real{0});
      add_scaled_stored<Real>(input.x + node * shape.size(), Real{1}, shape.size(), x.data());
      for (std::size_t g = graph.in.node_begin[node]; g < graph.in.node_begin[node + 1]; ++g) {
        const std::size_t r = graph.in.relation[g];
        const EdgeRange edges(graph.in, g);
        for (std::size_t e = edges.begin; e < edges.end; ++e) {
          const std::size_t receiver = graph.in.neighbour[e];
          if (input.need[receiver] <= input.layer) continue;
          Real sum = 0;
          for (std::size_t f = 0; f < shape.features; ++f) {
            const Stored<Real>* const d = dy + receiver * shape.size() + f * shape.width;
            const Real* const xf = x.data() + f * shape.width;
            sum += dot_stored<Real>(xf, d, shape.width) - 2 * scales.p_scale(r) * scales.q_scale(r) *
                                                              dot(scales.r(r), xf, shape.width) *
                                                              dot_stored<Real>(scales.r(r), d, shape.width);
          }
          gradient[graph.in_edge[e]] = sum;
        }
      }
    }
  });
}

/// The gradient of one node's terms, as sender (`in`) and as receiver (`out`), on x, v, p and q.
template <typename Real>
void AttentionLayer<Real>::node_backward(const AttentionInput<Real>& input,
                                         const RelationScales<Real>& scales, std::size_t node,
                                         const RelationSums<Real>& sums, Real* scalars, Real* direct,
                                         Real* scratch) {
  const MessageGraph& graph = *input.graph;
  const RowShape& shape = layout_.shape;
  const std::size_t parts = layout_.attention / shape.width;
  Real* const x = scratch;
  Real* const dx = scratch + shape.size();
  std::fill_n(scratch, 2 * shape.size(), Real{0});
  add_scaled_stored<Real>(input.x + node * shape.size(), Real{1}, shape.size(), x);
  // A term -2 (v_part . q)(p . x_f) with gradient d.
  const auto group_term = [&](std::size_t r, std::size_t part, std::size_t f, Real d) {
    const Real vq = scalars_[r * parts + part];
    const Real px = scales.p_scale(r) * dot(scales.r(r), x + f * shape.width, shape.width);
    add_scaled(scales.r(r), -2 * vq * d * scales.p_scale(r), shape.width, dx + f * shape.width);
    scales.add_p_gradient(x + f * shape.width, -2 * vq * d, px, r, sums);
    scalars[r * parts + part] -= 2 * px * d;
  };
  Real sent = 0;
  for (std::size_t g = graph.in.node_begin[node]; g < graph.in.node_begin[node + 1]; ++g) {
    Real d = 0;
    const EdgeRange edges(graph.in, g);
    for (std::size_t e = edges.begin; e < edges.end; ++e) {
      if (input.need[graph.in.neighbour[e]] > input.layer) d += logit_gradient_[graph.in_edge[e]];
    }
    sent += d;
    for (std::size_t f = 0; f < shape.features; ++f) {
      group_term(graph.in.relation[g], sender_part(shape, f), f, d);
    }
  }
  for (std::size_t f = 0; f < shape.features; ++f) {
    const std::size_t at = sender_part(shape, f) * shape.width;
    add_scaled(input.v + at, sent, shape.width, dx + f * shape.width);
    add_scaled(x + f * shape.width, sent, shape.width, direct + at);
  }
  if (input.need[node] > input.layer) {
    for (std::size_t g = graph.out.node_begin[node]; g < graph.out.node_begin[node + 1]; ++g) {
      Real d = 0;
      const EdgeRange edges(graph.out, g);
      for (std::size_t e = edges.begin; e < edges.end; ++e) d += logit_gradient_[e];
      scalars[graph.out.relation[g] * parts] += d;
      for (std::size_t f = 0; f < shape.features; ++f) {
        group_term(graph.out.relation[g], receiver_part(f), f, d);
      }
    }
  }
  store_row<Real>(dx, shape.size(), input_gradient_.data() + node * shape.size());
}

template <typename Real>
void AttentionLayer<Real>::backward(const AttentionInput<Real>& input, const RelationScales<Real>& scales,
                                    const Real* weight, const Stored<Real>* dy,
                                    RelationGradients<Real>& gradients) {
  const MessageGraph& graph = *input.graph;
  logit_gradient_.require(graph.out.edge_count());
  input_gradient_.require(graph.node_count * layout_.shape.size());
  update_scalars(input, scales);
  edge_gradients(input, scales, dy, logit_gradient_.data());
  pool_.for_ranges(graph.node_count, kAttentionGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t node = begin; node < end; ++node) {
      if (input.need[node] <= input.layer) continue;
      Real mean = 0;
      const std::size_t first = graph.out.first_edge(node), last = graph.out.first_edge(node + 1);
      for (std::size_t e = first; e < last; ++e) mean += weight[e] * logit_gradient_[e];
      for (std::size_t e = first; e < last; ++e) logit_gradient_[e] = weight[e] * (logit_gradient_[e] - mean);
    }
  });
  pool_.run(kStripes, [&](std::size_t stripe) {
    std::vector<Real> scratch(2 * layout_.shape.size());
    for (std::size_t node = graph.stripes[stripe]; node < graph.stripes[stripe + 1]; ++node) {
      if (input.need[node] < input.layer) continue;
      node_backward(input, scales, node, gradients.sums(stripe, 0),
                    gradients.attention_scalars(stripe, input.layer),
                    gradients.attention_direct(stripe, input.layer), scratch.data());
    }
  });
}

template class AttentionLayer<float>;
template class AttentionLayer<double>;

}  // namespace dovetail
