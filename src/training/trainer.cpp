#include "training/trainer.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <utility>

#include "training/receptive_field.h"

namespace dovetail {
namespace {

constexpr std::size_t kRowGrain = 128;
/// Entities whose initial features are computed at a time where a sampler keeps memory small.
constexpr std::size_t kAnchorBlock = 512;

/// Adds the time from its making to its end.
class Timer {
 public:
  explicit Timer(double& seconds) : seconds_(seconds) {}
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;
  ~Timer() { seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  double& seconds_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace

template <typename Real>
Matrix<Stored<Real>> output_features(Encoder<Real>& encoder, Sampler& sampler,
                                     const Parameters<Real>& parameters, std::span<const std::uint32_t> nodes,
                                     std::size_t block, ThreadPool& pool) {
  const EncoderLayout& layout = encoder.layout();
  Matrix<Stored<Real>> features(nodes.size(), layout.output);
  for (std::size_t first = 0; first < nodes.size(); first += block) {
    const std::size_t count = std::min(block, nodes.size() - first);
    const Part part = sampler.draw(nodes.subspan(first, count), first);
    encoder.forward(part.computation, parameters);
    pool.for_ranges(count, kRowGrain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) encoder.copy_output(part.nodes[i], features.row(first + i));
    });
  }
  return features;
}

template <typename Real>
Trainer<Real>::Trainer(const MessageGraph& graph, const NodeOrder& order, const EncoderLayout& layout,
                       const AlignOptions& options, Initialisation start, std::span<const NodePair> anchors,
                       ThreadPool& pool)
    : graph_(graph),
      order_(order),
      layout_(layout),
      pool_(pool),
      start_(std::move(start)),
      training_(options.training),
      bounded_(options.sampling.reach > 0),
      parameters_(start_parameters<Real>(layout, order, start_)),
      encoder_(layout, pool),
      loss_kind_(options.loss.kind),
      loss_(make_loss<Real>(layout, options.loss, pool)),
      sampler_(make_sampler(options.sampling, layout.options.depth, layout.relation_rows, graph)),
      negatives_(options.loss, order),
      entity_optimiser_(training_, graph.node_count, layout.shape.width),
      relation_optimiser_(training_, layout.relation_rows, layout.shape.width),
      attention_optimiser_(training_, layout.options.depth, layout.attention),
      linear_optimiser_(training_, layout.linear_rows(), layout.shape.width),
      anchors_(anchors.begin(), anchors.end()) {
  follow_attention();
  anchor_logits_ = logits_;
  if (loss_kind_ == LossKind::symmetric) keep_initial_features(parameters_);
}

template <typename Real>
void Trainer<Real>::anchor(std::span<const NodePair> anchors) {
  anchors_.assign(anchors.begin(), anchors.end());
  anchor_logits_ = logits_;
  if (loss_kind_ == LossKind::symmetric) {
    keep_initial_features(start_parameters<Real>(layout_, order_, start_));
  }
}

template <typename Real>
void Trainer<Real>::start_again(double learning_rate) {
  training_.learning_rate = learning_rate;
  steps_ = 0;
  parameters_ = start_parameters<Real>(layout_, order_, start_);
  entity_optimiser_ = {training_, graph_.node_count, layout_.shape.width};
  relation_optimiser_ = {training_, layout_.relation_rows, layout_.shape.width};
  attention_optimiser_ = {training_, layout_.options.depth, layout_.attention};
  linear_optimiser_ = {training_, layout_.linear_rows(), layout_.shape.width};
  follow_attention();
}

template <typename Real>
void Trainer<Real>::restored() {
  if (steps_ == 0) return;
  parameters_.all_changed();
  const auto follow = [&](const std::vector<std::vector<double>>& logits) {
    if (!logits.empty()) sampler_->renew(logits);
  };
  follow(anchor_logits_);
  if (loss_kind_ == LossKind::symmetric) {
    keep_initial_features(start_parameters<Real>(layout_, order_, start_));
  }
  follow(logits_);
}

template <typename Real>
void Trainer<Real>::keep_initial_features(const Parameters<Real>& initial) {
  std::vector<std::uint32_t> nodes;
  initial_row_.assign(graph_.node_count, kNone);
  for (const NodePair& link : anchors_) {
    for (const std::uint32_t node : {link.left, link.right}) {
      if (initial_row_[node] != kNone) continue;
      initial_row_[node] = static_cast<std::uint32_t>(nodes.size());
      nodes.push_back(node);
    }
  }
  if (sampler_->follows_attention() && bounded_) {
    initial_ = output_features(encoder_, *sampler_, initial, nodes, kAnchorBlock, pool_);
  } else {
    ReceptiveField everything(graph_, layout_.options.depth, false);
    initial_ =
        output_features(encoder_, everything, initial, nodes, std::max<std::size_t>(1, nodes.size()), pool_);
  }
}

template <typename Real>
typename Trainer<Real>::Draw Trainer<Real>::draw(std::span<const NodePair> links, std::uint64_t seed) {
  const NegativeSampler::Drawn negatives = negatives_.draw(links, seed);
  std::vector<std::uint32_t> nodes;
  nodes.reserve(2 * links.size() + negatives.left.size() + negatives.right.size());
  for (const NodePair& link : links) nodes.push_back(link.left);
  for (const NodePair& link : links) nodes.push_back(link.right);
  nodes.insert(nodes.end(), negatives.left.begin(), negatives.left.end());
  nodes.insert(nodes.end(), negatives.right.begin(), negatives.right.end());
  Draw drawn{.part = sampler_->draw(nodes, seed), .batch = {}};
  PairBatch& batch = drawn.batch;
  batch.node_count = drawn.part.computation.graph->node_count;
  auto next = drawn.part.nodes.begin();
  const auto take = [&](std::size_t count, std::vector<std::uint32_t>& to) {
    to.assign(next, next + static_cast<std::ptrdiff_t>(count));
    next += static_cast<std::ptrdiff_t>(count);
  };
  take(links.size(), batch.left);
  take(links.size(), batch.right);
  take(negatives.left.size(), batch.negative_left);
  take(negatives.right.size(), batch.negative_right);
  if (loss_kind_ == LossKind::symmetric) {
    for (const NodePair& link : links) {
      batch.left_initial.push_back(initial_row_[link.left]);
      batch.right_initial.push_back(initial_row_[link.right]);
    }
  }
  return drawn;
}

template <typename Real>
double Trainer<Real>::step(std::span<const NodePair> links, std::uint64_t sample_seed,
                           std::uint64_t dropout_seed) {
  ++steps_;
  Draw drawn;
  {
    const Timer timer(seconds_.sample);
    drawn = draw(links, sample_seed);
  }
  const Computation& computation = drawn.part.computation;
  {
    const Timer timer(seconds_.forward);
    settle(steps_ - 1);
    encoder_.forward(computation, parameters_);
  }
  double loss = 0;
  {
    const Timer timer(seconds_.loss);
    loss = loss_->forward_backward(encoder_, drawn.batch, initial_, dropout_seed);
  }
  {
    const Timer timer(seconds_.backward);
    encoder_.backward(computation, parameters_, loss_->gradient());
  }
  const Timer timer(seconds_.update);
  update(computation);
  return loss;
}

template <typename Real>
void Trainer<Real>::update(const Computation& computation) {
  const MessageGraph& graph = *computation.graph;
  pool_.for_ranges(graph.node_count, kRowGrain, [&](std::size_t begin, std::size_t end) {
    std::vector<Real> gradient(layout_.shape.width);
    for (std::size_t node = begin; node < end; ++node) {
      if (encoder_.entity_gradient(computation, node, gradient.data())) {
        entity_optimiser_.update(graph.row_of[node], steps_, gradient.data(), parameters_.entities);
        parameters_.entities.changed(graph.row_of[node]);
      }
    }
  });
  const RelationGradients<Real>& gradients = encoder_.relation_gradients();
  pool_.for_ranges(layout_.relation_rows, kRowGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t r = begin; r < end; ++r) {
      if (!gradients.touched(r)) continue;
      relation_optimiser_.update(r, steps_, gradients.relation(r), parameters_.relations);
      parameters_.relations.changed(r);
    }
  });
  for (std::size_t k = 0; is_learned(layout_.options.attention) && k < layout_.options.depth; ++k) {
    attention_optimiser_.update(k, steps_, gradients.attention(k), parameters_.attention);
  }
  for (std::size_t row = 0; row < layout_.linear_rows(); ++row) {
    linear_optimiser_.update(row, steps_, encoder_.linear_gradient(row), parameters_.linear);
    parameters_.linear.changed(row);
  }
}

template <typename Real>
double Trainer<Real>::evaluate(std::span<const NodePair> links) {
  const Draw drawn = draw(links, 0);
  encoder_.forward(drawn.part.computation, parameters_);
  return loss_->evaluate(encoder_, drawn.batch, initial_);
}

template <typename Real>
void Trainer<Real>::renew_sampling() {
  if (loss_kind_ == LossKind::triplet && negatives_.follows_features()) {
    const Timer timer(seconds_.sample);
    std::vector<std::uint32_t> all(graph_.node_count);
    std::iota(all.begin(), all.end(), 0);
    ReceptiveField everything(graph_, layout_.options.depth, true);
    negatives_.renew(anchors_, output_features(encoder_, everything, parameters_, all, all.size(), pool_),
                     pool_);
  }
  follow_attention();
}

template <typename Real>
void Trainer<Real>::follow_attention() {
  if (!sampler_->follows_attention() || !is_learned(layout_.options.attention)) return;
  logits_.clear();
  for (std::size_t k = 1; k < layout_.layers; ++k) {
    const std::vector<Real> layer = encoder_.relation_logits(parameters_, k);
    logits_.emplace_back(layer.begin(), layer.end());
  }
  sampler_->renew(logits_);
}

template <typename Real>
void Trainer<Real>::settle(std::uint32_t step) {
  if (!entity_optimiser_.moves_without_gradient()) return;
  pool_.for_ranges(graph_.node_count, kRowGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      entity_optimiser_.settle(i, step, parameters_.entities);
      parameters_.entities.changed(i);
    }
  });
  for (std::size_t r = 0; r < layout_.relation_rows; ++r) {
    relation_optimiser_.settle(r, step, parameters_.relations);
    parameters_.relations.changed(r);
  }
}

template <typename Real>
bool Trainer<Real>::finite() const {
  bool good = true;
  for (const Matrix<Real>* table :
       {static_cast<const Matrix<Real>*>(&parameters_.entities),
        static_cast<const Matrix<Real>*>(&parameters_.relations), &parameters_.attention,
        static_cast<const Matrix<Real>*>(&parameters_.linear)}) {
    for (const Real value : table->span()) good &= std::isfinite(value);  // to the end: it is quicker so
  }
  return good;
}

template <typename Real>
std::size_t Trainer<Real>::working_memory_bytes() const {
  return encoder_.memory_bytes() + loss_->memory_bytes() + sampler_->memory_bytes() +
         negatives_.memory_bytes() + initial_.span().size_bytes() +
         initial_row_.capacity() * sizeof(std::uint32_t);
}

template class Trainer<float>;
template class Trainer<double>;
template Matrix<Stored<float>> output_features(Encoder<float>&, Sampler&, const Parameters<float>&,
                                               std::span<const std::uint32_t>, std::size_t, ThreadPool&);
template Matrix<Stored<double>> output_features(Encoder<double>&, Sampler&, const Parameters<double>&,
                                                std::span<const std::uint32_t>, std::size_t, ThreadPool&);

}  // namespace dovetail
