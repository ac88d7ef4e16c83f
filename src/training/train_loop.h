#pragma once

#include <dovetail/align.h>
#include <dovetail/observer.h>

#include <span>
#include <vector>

#include "training/trainer.h"

namespace dovetail {

/// How many batches of about the wanted size (0: one of all); their sizes differ by one at most, so none is
/// tiny.
[[nodiscard]] std::size_t batch_count(std::size_t links, std::size_t batch_size);

/// Epoch after epoch over the links, until they are done or the development links' loss has risen for
/// options.training.patience epochs. Fills the report's epochs, steps and stopped_early.
template <typename Real>
void train_loop(Trainer<Real>& trainer, std::span<const NodePair> links, std::span<const NodePair> valid,
                const AlignOptions& options, Observer& observer, TrainingReport& report);

}  // namespace dovetail
