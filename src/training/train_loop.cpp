#include "training/train_loop.h"

#include <dovetail/errors.h>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "common/random.h"

namespace dovetail {
namespace {

/// What the seed is used for; each use has random numbers of its own.
enum class Use : std::uint64_t { order = 1, sample, dropout };

std::uint64_t seed_for(const AlignOptions& options, Use use, std::uint64_t number) {
  return mix64(mix64(options.seed ^ static_cast<std::uint64_t>(use) << 32) + number);
}

}  // namespace

std::size_t batch_count(std::size_t links, std::size_t batch_size) {
  if (batch_size == 0) return 1;
  return std::max<std::size_t>(1, (links + batch_size / 2) / batch_size);
}

template <typename Real>
void train_loop(Trainer<Real>& trainer, std::span<const NodePair> links, std::span<const NodePair> valid,
                const AlignOptions& options, Observer& observer, TrainingReport& report) {
  const std::size_t epochs = options.training.epochs;
  const std::size_t repeats = std::max<std::size_t>(1, options.sampling.epochs_per_sample);
  const std::size_t batches = batch_count(links.size(), options.training.batch_size);
  std::vector<NodePair> order(links.begin(), links.end());
  const auto stop_unless = [&](bool finite, const char* what) {
    if (finite) return;
    throw Error(
        fmt::format("training diverged by step {}: {} is not a number; try a lower learning rate than {}",
                    report.steps, what, options.training.learning_rate));
  };
  double best = INFINITY;
  std::size_t worse = 0;
  for (std::size_t epoch = 0; epoch < epochs && !report.stopped_early; ++epoch) {
    const std::size_t sample = epoch / repeats;
    if (epoch % repeats == 0) {  // epochs that share their samples share their batches
      Random(seed_for(options, Use::order, sample)).shuffle(std::span(order));
      trainer.renew_sampling();
    }
    const auto batch = [&](std::size_t b) {
      const std::size_t begin = order.size() * b / batches, end = order.size() * (b + 1) / batches;
      return typename Trainer<Real>::Batch{std::span(order).subspan(begin, end - begin),
                                           seed_for(options, Use::sample, sample * batches + b)};
    };
    double loss = 0;
    for (std::size_t b = 0; b < batches; ++b) {
      const typename Trainer<Real>::Batch next = batch(std::min(b + 1, batches - 1));
      const double step_loss = trainer.step(batch(b), seed_for(options, Use::dropout, report.steps),
                                            b + 1 < batches ? &next : nullptr);
      ++report.steps;
      stop_unless(std::isfinite(step_loss), "the loss");
      loss += step_loss / static_cast<double>(batches);
      observer.progress("train", epoch * batches + b + 1, epochs * batches, "steps");
    }
    stop_unless(trainer.finite(), "a parameter");
    const double valid_loss = valid.empty() ? 0 : trainer.evaluate(valid);
    report.epochs.push_back({loss, valid_loss, report.steps});
    if (valid.empty()) continue;
    worse = valid_loss > best ? worse + 1 : 0;
    best = std::min(best, valid_loss);
    report.stopped_early = worse >= options.training.patience && options.training.patience > 0;
  }
  trainer.settle();
  stop_unless(trainer.finite(), "a parameter");
}

template void train_loop(Trainer<float>&, std::span<const NodePair>, std::span<const NodePair>,
                         const AlignOptions&, Observer&, TrainingReport&);
template void train_loop(Trainer<double>&, std::span<const NodePair>, std::span<const NodePair>,
                         const AlignOptions&, Observer&, TrainingReport&);

}  // namespace dovetail
