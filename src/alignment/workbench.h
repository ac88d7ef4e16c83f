#pragma once

#include <dovetail/align.h>

#include <cstdint>
#include <span>
#include <vector>

#include "common/threads.h"
#include "encoder/encoder.h"
#include "encoder/message_graph.h"
#include "encoder/parameters.h"
#include "matching/match_vectors.h"
#include "training/trainer.h"

namespace dovetail {

/// The part of the options that a training reads.
[[nodiscard]] LearningOptions learning_options(const AlignOptions& options);

/// The two graphs as the engine works on them, made once for all turns of a run, and what strategies do with
/// them: train, and make vectors to match.
class Workbench {
 public:
  /// The pair and the observer, which may have the work given up, outlive the workbench. Options are checked;
  /// automatic sampling is settled here.
  Workbench(const GraphPair& pair, const AlignOptions& options, Observer* observer = nullptr);

  [[nodiscard]] const GraphPair& pair() const { return pair_; }
  [[nodiscard]] Observer* observer() const { return observer_; }
  [[nodiscard]] const AlignOptions& options() const { return options_; }
  /// Other options than before, with the same encoder and sampling.
  void set_options(const AlignOptions& options);
  [[nodiscard]] const EncoderLayout& layout() const { return layout_; }
  [[nodiscard]] const NodeOrder& order() const { return order_; }
  [[nodiscard]] ThreadPool& pool() { return pool_; }
  [[nodiscard]] std::vector<NodePair> nodes(std::span<const Link> links) const;

  /// Ready to train; `anchors` are all links that will be trained on or looked at.
  [[nodiscard]] Trainer<float> trainer(const AlignOptions& options, const Initialisation& start,
                                       std::span<const NodePair> anchors);

  /// Left vectors are [trained | initial], right ones [initial | trained]: their product is the symmetric
  /// score. After training with a triplet loss all halves are trained ones.
  [[nodiscard]] MatchVectors vectors(const Parameters<float>& trained, const Initialisation& start,
                                     const Pools& pools);

  /// The cosine of the output features of each link's two ends.
  [[nodiscard]] std::vector<float> similarities(const Parameters<float>& parameters,
                                                std::span<const Link> links);

 private:
  const GraphPair& pair_;
  AlignOptions options_;
  Observer* observer_;
  ThreadPool pool_;
  EncoderLayout layout_;
  NodeOrder order_;
  MessageGraph graph_;
};

}  // namespace dovetail
