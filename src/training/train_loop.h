#pragma once

#include <dovetail/observer.h>
#include <dovetail/training.h>

#include <cmath>
#include <functional>
#include <span>
#include <vector>

#include "training/trainer.h"

namespace dovetail {

/// How many batches of about the wanted size (0: one of all); their sizes differ by one at most, so none is
/// tiny.
[[nodiscard]] std::size_t batch_count(std::size_t links, std::size_t batch_size);

/// Where a training stands: with the trainer and the report, all that it takes to go on from there.
struct TrainingPosition {
  std::uint64_t epoch = 0;  ///< epochs that are done
  std::uint64_t batch = 0;  ///< batches of the next one that are done
  std::uint64_t steps = 0;  ///< of this training
  double loss = 0;          ///< of the batches of the epoch
  double best = INFINITY;   ///< loss on the development links
  std::uint64_t worse = 0;  ///< epochs in a row with a higher one
  std::uint64_t falls = 0;  ///< times that the training has diverged and started again
};

/// Epoch after epoch over the links from `position` on, until they are done or the development links' loss
/// has risen for options.training.patience epochs. Fills the report's epochs, steps and stopped_early. A
/// training that diverges starts again with half the learning rate, if its parameters come from no training
/// before; Error if that does not help either. `pause` is called before the first step and after each one.
template <typename Real>
void train_loop(Trainer<Real>& trainer, std::span<const NodePair> links, std::span<const NodePair> valid,
                const LearningOptions& options, Observer& observer, TrainingReport& report,
                TrainingPosition& position, const std::function<void()>& pause);

/// From the beginning, without a pause.
template <typename Real>
void train_loop(Trainer<Real>& trainer, std::span<const NodePair> links, std::span<const NodePair> valid,
                const LearningOptions& options, Observer& observer, TrainingReport& report) {
  TrainingPosition position;
  train_loop<Real>(trainer, links, valid, options, observer, report, position, [] {});
}

}  // namespace dovetail
