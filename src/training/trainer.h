#pragma once

#include <dovetail/training.h>

#include <cstddef>
#include <cstdint>
#include <future>
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

/// The options of one training.
struct LearningOptions {
  SamplingOptions sampling;
  LossOptions loss;
  TrainingOptions training;
  std::uint64_t seed = 1;  ///< of batches, draws and dropout
};

/// Parameters on their way: they and all that changes with them, and the one step that changes them.
template <typename Real>
class Trainer {
 public:
  /// `anchors` are the links that will be trained on or looked at: of their entities the initial features are
  /// kept, or the nearest neighbours, whichever the loss asks for. Graph, order and pool outlive the trainer.
  Trainer(const MessageGraph& graph, const NodeOrder& order, const EncoderLayout& layout,
          const LearningOptions& options, Initialisation start, std::span<const NodePair> anchors,
          ThreadPool& pool);

  /// Other links than before, for a next turn with the parameters as they are.
  void anchor(std::span<const NodePair> anchors);

  /// From its start again, as if no step had been made, with another learning rate.
  void start_again(double learning_rate);

  /// The links of a step, and the seed of its draws.
  struct Batch {
    std::span<const NodePair> links;
    std::uint64_t seed;
  };
  /// One step. Returns the loss before it. `next`, if known, is drawn meanwhile: it must be the next batch
  /// that is asked for, and its links must stay.
  double step(const Batch& batch, std::uint64_t dropout_seed, const Batch* next = nullptr);

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
  [[nodiscard]] Draw draw(const Batch& batch);
  void update(const Computation& computation);

  const MessageGraph& graph_;
  const NodeOrder& order_;
  EncoderLayout layout_;
  ThreadPool& pool_;
  Initialisation start_;
  TrainingOptions training_;
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
  std::future<Draw> prepared_;  // of the next step; last, so that nothing it uses goes before it
  std::uint64_t prepared_seed_ = 0;
};

/// Puts the output features of some nodes into out: [nodes, layout.output].
template <typename Real>
void put_output_features(const EncoderLayout& layout, const MessageGraph& graph,
                         const Parameters<Real>& parameters, std::span<const std::uint32_t> nodes,
                         ThreadPool& pool, Stored<Real>* out);

}  // namespace dovetail
