#include "encoder/encoder.h"

#include <algorithm>

#include "kernels/propagate.h"
#include "kernels/rows.h"

namespace dovetail {
namespace {

constexpr std::size_t kNodeGrain = 256;

std::uint8_t level(std::size_t layer) {
  return static_cast<std::uint8_t>(layer + 1);
}

/// Rows a layer has: up to the last node that needs it.
std::size_t rows_needed(std::span<const std::uint8_t> need, std::uint8_t least) {
  std::size_t rows = need.size();
  while (rows > 0 && need[rows - 1] < least) --rows;
  return rows;
}

}  // namespace

template <typename Real>
Encoder<Real>::Encoder(const EncoderLayout& layout, ThreadPool& pool)
    : layout_(layout),
      pool_(pool),
      relations_(layout),
      gradients_(layout),
      attention_(layout, pool),
      linear_(layout, pool),
      rows_(layout.layers),
      weights_(layout.layers),
      streams_(layout.layers) {}

template <typename Real>
void Encoder<Real>::forward(const Computation& computation, const Parameters<Real>& parameters) {
  relations_.update(parameters, pool_);
  for (std::size_t k = 0; k < layout_.layers; ++k) {
    rows_[k].require(rows_needed(computation.need, level(k)) * layout_.shape.size());
    if (k > 0) weights_[k].require(computation.graph->out.edge_count());
  }
  input_forward(computation, parameters);
  for (std::size_t k = 1; k < layout_.layers; ++k) {
    layer_forward(computation, parameters, k);
    if (residual()) add_residual(computation, k);
  }
}

template <typename Real>
void Encoder<Real>::layer_forward(const Computation& computation, const Parameters<Real>& parameters,
                                  std::size_t k) {
  const MessageGraph& graph = *computation.graph;
  attention_.forward({&graph, computation.need, k, parameters.attention.row(k - 1), input_above(k - 1)},
                     relations_, weights_[k].data());
  const PropagateForward<Real> propagate{
      .edges = graph.out.view(),
      .shape = layout_.shape,
      .reflections = relations_.view(),
      .weight = weights_[k].data(),
      .need = computation.need.data(),
      .least = level(k),
      .elu = !linear(),
      .x = input_above(k - 1),
      .y = linear() ? linear_.sums(k, rows_needed(computation.need, level(k))) : rows_[k].data()};
  pool_.for_ranges(graph.node_count, kNodeGrain, [&](std::size_t begin, std::size_t end) {
    Buffer<Real> scratch(4 * layout_.shape.size());
    propagate_forward(propagate, begin, end, scratch.data());
  });
  if (linear()) linear_.forward(k, computation.need, parameters, rows_[k].data());
}

template <typename Real>
void Encoder<Real>::add_residual(const Computation& computation, std::size_t k) {
  const std::size_t size = layout_.shape.size();
  streams_[k].require(rows_[k].size());
  pool_.for_ranges(computation.need.size(), kNodeGrain, [&](std::size_t begin, std::size_t end) {
    std::vector<Real> sum(size);
    for (std::size_t node = begin; node < end; ++node) {
      if (computation.need[node] < level(k)) continue;
      std::ranges::fill(sum, Real{0});
      add_scaled_stored<Real>(input_above(k - 1) + node * size, Real{1}, size, sum.data());
      add_scaled_stored<Real>(rows_[k].data() + node * size, Real{1}, size, sum.data());
      store_row<Real>(sum.data(), size, streams_[k].data() + node * size);
    }
  });
}

template <typename Real>
void Encoder<Real>::input_forward(const Computation& computation, const Parameters<Real>& parameters) {
  const MessageGraph& graph = *computation.graph;
  const std::size_t width = layout_.shape.width;
  const EntityFeature entity = layout_.options.entity_feature;
  pool_.for_ranges(graph.node_count, kNodeGrain, [&](std::size_t begin, std::size_t end) {
    Buffer<Real> scratch(width);
    for (std::size_t node = begin; node < end; ++node) {
      if (computation.need[node] < level(0)) continue;
      Stored<Real>* out = rows_[0].data() + node * layout_.shape.size();
      if (entity == EntityFeature::neighbour_mean) {
        mean_rows_forward<Real>(graph.closed.of(node), parameters.entities.gathered().data(), width, true,
                                scratch.data(), out);
      } else if (entity == EntityFeature::raw) {
        std::copy_n(parameters.entities.gathered().row(graph.row_of[node]), width, out);
      }
      if (layout_.relation_block < 0) continue;
      const std::uint32_t first = graph.out.node_begin[node];
      mean_rows_forward<Real>({graph.out.relation.data() + first, graph.out.node_begin[node + 1] - first},
                              parameters.relations.gathered().data(), width, true, scratch.data(),
                              out + static_cast<std::size_t>(layout_.relation_block) * width);
    }
  });
}

template <typename Real>
void Encoder<Real>::update_input_scale(const Computation& computation) {
  const MessageGraph& graph = *computation.graph;
  const std::size_t features = layout_.shape.features;
  const auto share = [](std::size_t count) {
    return count == 0 ? Real{0} : Real{1} / static_cast<Real>(count);
  };
  input_scale_.require(graph.node_count * features);
  for (std::size_t node = 0; node < graph.node_count; ++node) {
    Real* const scale = input_scale_.data() + node * features;
    scale[0] = layout_.options.entity_feature == EntityFeature::neighbour_mean
                   ? share(graph.closed.of(node).count)
                   : Real{1};
    if (layout_.relation_block < 0) continue;
    scale[layout_.relation_block] = share(graph.out.node_begin[node + 1] - graph.out.node_begin[node]);
  }
}

template <typename Real>
void Encoder<Real>::backward(const Computation& computation, const Parameters<Real>& parameters,
                             const OutputGradient<Real>& output) {
  gradients_.clear();
  update_input_scale(computation);
  if (residual()) stream_gradient_.require(rows_[0].size());
  for (std::size_t k = layout_.layers; k-- > 0;) {
    if (layout_.options.attention == Attention::three_part && k + 1 < layout_.layers) {
      attention_.backward(
          {computation.graph, computation.need, k + 1, parameters.attention.row(k), input_above(k)},
          relations_, weights_[k + 1].data(), rows_[k + 1].data(), gradients_);
    }
    layer_backward(computation, k, output);
    if (linear() && k > 0) {
      linear_.backward(k, *computation.graph, computation.need, parameters, rows_[k].data());
    }
  }
  gradients_.finish(relations_, parameters, pool_);
}

template <typename Real>
void Encoder<Real>::layer_backward(const Computation& computation, std::size_t k,
                                   const OutputGradient<Real>& output) {
  const MessageGraph& graph = *computation.graph;
  const bool top = k + 1 == layout_.layers;
  const bool by_relation = layout_.options.attention == Attention::by_relation;
  const bool from_attention = layout_.options.attention == Attention::three_part && !top;
  const bool all_layers = layout_.output_layers > 1;
  const PropagateBackward<Real> propagate{
      .in = graph.in.view(),
      .out = graph.out.view(),
      .shape = layout_.shape,
      .reflections = relations_.view(),
      .in_edge = graph.in_edge.data(),
      .weight_above = top ? nullptr : weights_[k + 1].data(),
      .above = top ? nullptr : rows_[k + 1].data(),
      .weight_here = by_relation && k > 0 ? weights_[k].data() : nullptr,
      .need = computation.need.data(),
      .least = level(k),
      .addend = all_layers ? output.rows + k * layout_.shape.size() : (top ? output.rows : nullptr),
      .addend_of = output.of.data(),
      .addend_stride = layout_.output,
      .dense_addend = from_attention ? attention_.input_gradient() : nullptr,
      .scale = k == 0 ? input_scale_.data() : nullptr,
      .raw_entity = k == 0 && layout_.options.entity_feature == EntityFeature::raw,
      .relation_block = k == 0 ? layout_.relation_block : -1,
      .input = residual() && k > 0 ? streams_[k].data() : nullptr,
      .stream = residual() ? stream_gradient_.data() : nullptr,
      .rows = rows_[k].data()};
  pool_.run(kStripes, [&](std::size_t stripe) {
    Buffer<Real> scratch(4 * layout_.shape.size());
    propagate_backward(propagate, gradients_.sums(stripe, k), graph.stripes[stripe],
                       graph.stripes[stripe + 1], scratch.data());
  });
}

template <typename Real>
bool Encoder<Real>::entity_gradient(const Computation& computation, std::size_t node, Real* gradient) const {
  const EntityFeature kind = layout_.options.entity_feature;
  if (kind == EntityFeature::none) return false;
  const auto itself = static_cast<std::uint32_t>(node);
  std::uint32_t raw[1 + kPrefetchAhead];
  std::ranges::fill(raw, itself);
  const RowNumbers nodes =
      kind == EntityFeature::raw ? RowNumbers{raw, 1} : computation.graph->closed_in.of(node);
  return mean_rows_backward(nodes, computation.need.data(), level(0), rows_[0].data(), layout_.shape.size(),
                            layout_.shape.width, gradient);
}

template <typename Real>
std::vector<Real> Encoder<Real>::relation_logits(const Parameters<Real>& parameters, std::size_t layer) {
  relations_.update(parameters, pool_);
  std::vector<Real> logits(layout_.relation_rows);
  for (std::size_t r = 0; r < logits.size(); ++r) {
    logits[r] = relations_.q_scale(r) *
                dot(parameters.attention.row(layer - 1), relations_.r(r), layout_.shape.width);
  }
  return logits;
}

template <typename Real>
const Stored<Real>* Encoder<Real>::output_layer(std::size_t n) const {
  return layout_.output_layers > 1 ? rows_[n].data() : input_above(layout_.layers - 1);
}

template <typename Real>
void Encoder<Real>::copy_output(std::size_t node, Stored<Real>* out) const {
  const std::size_t size = layout_.shape.size();
  for (std::size_t n = 0; n < layout_.output_layers; ++n) {
    std::copy_n(output_layer(n) + node * size, size, out + n * size);
  }
}

template <typename Real>
std::size_t Encoder<Real>::memory_bytes() const {
  std::size_t bytes = input_scale_.span().size_bytes() + gradients_.memory_bytes() +
                      attention_.memory_bytes() + linear_.memory_bytes() +
                      stream_gradient_.span().size_bytes();
  for (const auto& rows : rows_) bytes += rows.span().size_bytes();
  for (const auto& stream : streams_) bytes += stream.span().size_bytes();
  for (const auto& weights : weights_) bytes += weights.span().size_bytes();
  return bytes;
}

template class Encoder<float>;
template class Encoder<double>;

}  // namespace dovetail
