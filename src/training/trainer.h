#pragma once

#include <dovetail/align.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "common/buffer.h"
#include "common/threads.h"
#include "encoder/encoder.h"
#include "encoder/parameters.h"
#include "training/loss.h"
#include "training/negatives.h"
#include "training/optimiser.h"
#include "training/sampler.h"

namespace dovetail {

/// Parameters on their way: they and all that changes with them, and the one step that changes them.
template <typename Real>
class Trainer {
 public:
  /// `anchors` are the links that will be trained on or looked at: of their entities the initial features are
  /// kept, or the nearest neighbours, whichever the loss asks for. Graph, order and pool outlive the trainer.
  Trainer(const MessageGraph& graph, const NodeOrder& order, const EncoderLayout& layout,
          const AlignOptions& options, Initialisation start, std::span<const NodePair> anchors,
          ThreadPool& pool);

  /// Other links than before, for a next turn with the parameters as they are.
  void anchor(std::span<const NodePair> anchors);

  /// From its start again, as if no step had been made, with another learning rate.
  void start_again(double learning_rate);

  /// One step on these links; `seed` of its draws and its dropout. Returns the loss before the step.
  double step(std::span<const NodePair> links, std::uint64_t sample_seed, std::uint64_t dropout_seed);

  /// The loss on these links, nothing dropped, nothing learned.
  double evaluate(std::span<const NodePair> links);

  /// Has samples follow the attention, and negative samples the features, as they are now.
  void renew_sampling();

  /// Makes up what rows have missed, so that all parameters are of the same step.
  void settle() { settle(steps_); }
  /// Whether every parameter is a number. The loss does not tell: rows that are none count as empty there.
  [[nodiscard]] bool finite() const;

  /// All that steps change, for an archive to write or to read. What has been read counts after restored().
  template <typename Archive>
  void visit_state(Archive& archive) {
    archive(steps_);
    if (steps_ == 0) return;  // all of it follows from the start
    archive(parameters_, anchors_, anchor_logits_, logits_);
    for (RowOptimiser<Real>* optimiser :
         {&entity_optimiser_, &relation_optimiser_, &attention_optimiser_, &linear_optimiser_}) {
      optimiser->visit_state(archive);
    }
    negatives_.visit_state(archive);
  }
  void restored();

  [[nodiscard]] std::uint32_t steps() const { return steps_; }
  [[nodiscard]] ThreadPool& pool() const { return pool_; }
  [[nodiscard]] Parameters<Real>& parameters() { return parameters_; }
  [[nodiscard]] Encoder<Real>& encoder() { return encoder_; }
  [[nodiscard]] const StepSeconds& seconds() const { return seconds_; }
  /// Memory beyond parameters and optimiser state.
  [[nodiscard]] std::size_t working_memory_bytes() const;

 private:
  /// To where they stand after step `step`.
  void settle(std::uint32_t step);
  void keep_initial_features(const Parameters<Real>& initial);
  void follow_attention();
  /// What a step computes, and the links and their negatives in it.
  struct Draw {
    Part part;
    PairBatch batch;
  };
  [[nodiscard]] Draw draw(std::span<const NodePair> links, std::uint64_t seed);
  void update(const Computation& computation);

  const MessageGraph& graph_;
  const NodeOrder& order_;
  EncoderLayout layout_;
  ThreadPool& pool_;
  Initialisation start_;
  TrainingOptions training_;
  bool bounded_;  // whether samples, and so initial features, must stay small
  Parameters<Real> parameters_;
  Encoder<Real> encoder_;
  LossKind loss_kind_;
  std::unique_ptr<Loss<Real>> loss_;
  std::unique_ptr<Sampler> sampler_;
  NegativeSampler negatives_;
  RowOptimiser<Real> entity_optimiser_, relation_optimiser_, attention_optimiser_, linear_optimiser_;
  std::uint32_t steps_ = 0;

  std::vector<NodePair> anchors_;
  /// What the sampler follows, and what it followed when the initial features were computed.
  std::vector<std::vector<double>> logits_, anchor_logits_;
  Matrix<Stored<Real>> initial_;            // [anchored entities, output]; none for a triplet loss
  std::vector<std::uint32_t> initial_row_;  // node -> row of initial_, or kNone
  StepSeconds seconds_;
};

/// The output features of some nodes: [nodes, layout.output]. Computed for `block` of them at a time, so that
/// a sampler's parts stay small.
template <typename Real>
[[nodiscard]] Matrix<Stored<Real>> output_features(Encoder<Real>& encoder, Sampler& sampler,
                                                   const Parameters<Real>& parameters,
                                                   std::span<const std::uint32_t> nodes, std::size_t block,
                                                   ThreadPool& pool);

}  // namespace dovetail
