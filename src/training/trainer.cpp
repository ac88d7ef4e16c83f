#include "training/trainer.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <utility>

#include "training/receptive_field.h"

namespace dovetail {
namespace {

constexpr std::size_t kStepGrain = 128;

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
void put_output_features(const EncoderLayout& layout, const MessageGraph& graph,
                         const Parameters<Real>& parameters, std::span<const std::uint32_t> nodes,
                         ThreadPool& pool, Stored<Real>* out) {
  Encoder<Real> encoder(layout, pool);
  ReceptiveField field(graph, layout.options.depth, false);
  const Part part = field.draw(nodes, 0);
  encoder.forward(part.computation, parameters);
  pool.for_ranges(nodes.size(), kStepGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) encoder.copy_output(part.nodes[i], out + i * layout.output);
  });
}

template <typename Real>
Trainer<Real>::Trainer(const MessageGraph& graph, const NodeOrder& order, const EncoderLayout& layout,
                       const LearningOptions& options, Initialisation start,
                       std::span<const NodePair> anchors, ThreadPool& pool)
    : graph_(graph),
      order_(order),
      layout_(layout),
      pool_(pool),
      start_(std::move(start)),
      training_(options.training),
      parameters_(start_parameters<Real>(layout, order, start_, pool)),
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
    keep_initial_features(start_parameters<Real>(layout_, order_, start_, pool_));
  }
}

template <typename Real>
void Trainer<Real>::start_again(double learning_rate) {
  if (prepared_.valid()) prepared_.wait();  // it looks at what is renewed here
  training_.learning_rate = learning_rate;
  steps_ = 0;
  parameters_ = start_parameters<Real>(layout_, order_, start_, pool_);
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
    keep_initial_features(start_parameters<Real>(layout_, order_, start_, pool_));
  }
  follow(logits_);
}

template <typename Real>
void Trainer<Real>::keep_initial_features(const Parameters<Real>& initial) {
  std::vector<std::uint32_t> nodes;
  initial_row_.assign(graph_.node_count, kNone);
  const auto take = [&](std::uint32_t node) {
    if (initial_row_[node] != kNone) return;
    initial_row_[node] = static_cast<std::uint32_t>(nodes.size());
    nodes.push_back(node);
  };
  for (const NodePair& link : anchors_) take(link.left);
  const std::size_t left = nodes.size();
  for (const NodePair& link : anchors_) take(link.right);
  // In full even where steps are sampled: what they aim at should not be a guess. One graph after the other.
  initial_ = Matrix<Stored<Real>>(nodes.size(), layout_.output);
  const std::span<const std::uint32_t> all = nodes;
  put_output_features(layout_, graph_, initial, all.first(left), pool_, initial_.data());
  put_output_features(layout_, graph_, initial, all.subspan(left), pool_, initial_.row(left));
  if (sampler_->follows_attention()) drop_spare_memory();  // what the graphs took, no step will take again
}

template <typename Real>
typename Trainer<Real>::Draw Trainer<Real>::draw(const Batch& from) {
  const auto& [links, seed] = from;
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
double Trainer<Real>::step(const Batch& batch, std::uint64_t dropout_seed, const Batch* next) {
  ++steps_;
  Draw drawn;
  {
    const Timer timer(seconds_.sample);
    const bool prepared = prepared_.valid() && prepared_seed_ == batch.seed;
    if (prepared_.valid()) drawn = prepared_.get();
    if (!prepared) drawn = draw(batch);
  }
  if (next != nullptr && pool_.size() > 1) {
    prepared_seed_ = next->seed;
    try {
      prepared_ = std::async(std::launch::async, [this, batch = *next] { return draw(batch); });
    } catch (const std::system_error&) {
      // No thread can be had: the next step draws for itself.
    }
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
  pool_.for_ranges(graph.node_count, kStepGrain, [&](std::size_t begin, std::size_t end) {
    constexpr std::size_t kAhead = 2;  // their rows lie anywhere in memory
    std::vector<Real> gradient(layout_.shape.width);
    for (std::size_t node = begin; node < end; ++node) {
      if (node + kAhead < end) {
        const std::size_t row = graph.row_of[node + kAhead];
        entity_optimiser_.ask_for_row(row);
        ask_for(parameters_.entities.row(row), layout_.shape.width * sizeof(Real));
      }
      if (encoder_.entity_gradient(computation, node, gradient.data())) {
        entity_optimiser_.update(graph.row_of[node], steps_, gradient.data(), parameters_.entities);
        parameters_.entities.changed(graph.row_of[node]);
      }
    }
  });
  const RelationGradients<Real>& gradients = encoder_.relation_gradients();
  pool_.for_ranges(layout_.relation_rows, kStepGrain, [&](std::size_t begin, std::size_t end) {
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
  const Draw drawn = draw({links, 0});
  encoder_.forward(drawn.part.computation, parameters_);
  return loss_->evaluate(encoder_, drawn.batch, initial_);
}

template <typename Real>
void Trainer<Real>::renew_sampling() {
  if (loss_kind_ == LossKind::triplet && negatives_.follows_features()) {
    const Timer timer(seconds_.sample);
    std::vector<std::uint32_t> all(graph_.node_count);
    std::iota(all.begin(), all.end(), 0);
    Matrix<Stored<Real>> features(all.size(), layout_.output);
    put_output_features<Real>(layout_, graph_, parameters_, all, pool_, features.data());
    negatives_.renew(anchors_, features, pool_);
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
  pool_.for_ranges(graph_.node_count, kStepGrain, [&](std::size_t begin, std::size_t end) {
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
template void put_output_features(const EncoderLayout&, const MessageGraph&, const Parameters<float>&,
                                  std::span<const std::uint32_t>, ThreadPool&, Stored<float>*);
template void put_output_features(const EncoderLayout&, const MessageGraph&, const Parameters<double>&,
                                  std::span<const std::uint32_t>, ThreadPool&, Stored<double>*);

}  // namespace dovetail
