#include "training/train_loop.h"

#include <dovetail/errors.h>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string>

#include "common/random.h"

namespace dovetail {
namespace {

/// What the seed is used for; each use has random numbers of its own.
enum class Use : std::uint64_t { order = 1, sample, dropout };

std::uint64_t seed_for(const LearningOptions& options, Use use, std::uint64_t number) {
  return mix64(mix64(options.seed ^ static_cast<std::uint64_t>(use) << 32) + number);
}

/// How often a training that diverges starts again.
constexpr std::uint64_t kMostFalls = 3;

/// Thrown within this file.
struct Diverged {
  const char* what;
};

void expect_finite(bool finite, const char* what) {
  if (!finite) throw Diverged{what};
}

template <typename Real>
class TrainLoop {
 public:
  TrainLoop(Trainer<Real>& trainer, std::span<const NodePair> links, std::span<const NodePair> valid,
            const LearningOptions& options, Observer& observer, TrainingReport& report,
            TrainingPosition& position, const std::function<void()>& pause)
      : trainer_(trainer),
        links_(links),
        valid_(valid),
        options_(options),
        observer_(observer),
        report_(report),
        at_(position),
        pause_(pause),
        repeats_(std::max<std::size_t>(1, options.sampling.epochs_per_sample)),
        batches_(batch_count(links.size(), options.training.batch_size)) {}

  void run() {
    if (links_.empty()) {
      throw ParameterError(
          "there is nothing to train on: no seed links, and nothing alike enough was found without them; "
          "give at "
          "least one pair known to be the same");
    }
    pause_();
    while (true) {
      try {
        run_epochs();
        return;
      } catch (const Diverged& diverged) {
        start_again(diverged.what);
      }
    }
  }

 private:
  void run_epochs() {
    order_.assign(links_.begin(), links_.end());
    for (std::uint64_t sample = 0; sample * repeats_ < at_.epoch + (at_.batch > 0 ? 1 : 0); ++sample) {
      shuffle(sample);
    }
    while (at_.epoch < options_.training.epochs && !report_.stopped_early) {
      if (at_.batch == 0 &&
          at_.epoch % repeats_ == 0) {  // epochs that share their samples share their batches
        shuffle(at_.epoch / repeats_);
        trainer_.renew_sampling();
      }
      while (at_.batch < batches_) step();
      finish_epoch();
    }
    trainer_.settle();
    expect_finite(trainer_.finite(), "a parameter");
  }

  void shuffle(std::uint64_t sample) {
    Random(seed_for(options_, Use::order, sample)).shuffle(std::span(order_));
  }

  [[nodiscard]] typename Trainer<Real>::Batch batch(std::uint64_t number) const {
    const std::size_t begin = order_.size() * number / batches_;
    const std::size_t end = order_.size() * (number + 1) / batches_;
    return {std::span(order_).subspan(begin, end - begin),
            seed_for(options_, Use::sample, at_.epoch / repeats_ * batches_ + number)};
  }

  void step() {
    const bool last = at_.batch + 1 == batches_;
    const typename Trainer<Real>::Batch next = batch(last ? at_.batch : at_.batch + 1);
    const double loss = trainer_.step(batch(at_.batch), seed_for(options_, Use::dropout, report_.steps),
                                      last ? nullptr : &next);
    ++report_.steps;
    ++at_.steps;
    ++at_.batch;
    expect_finite(std::isfinite(loss), "the loss");
    at_.loss += loss / static_cast<double>(batches_);
    observer_.progress("train", at_.epoch * batches_ + at_.batch, options_.training.epochs * batches_,
                       "steps");
    pause_();
  }

  void finish_epoch() {
    expect_finite(trainer_.finite(), "a parameter");
    const double valid_loss = valid_.empty() ? 0 : trainer_.evaluate(valid_);
    report_.epochs.push_back({at_.loss, valid_loss, report_.steps});
    ++at_.epoch;
    at_.batch = 0;
    at_.loss = 0;
    if (valid_.empty()) return;
    at_.worse = valid_loss > at_.best ? at_.worse + 1 : 0;
    at_.best = std::min(at_.best, valid_loss);
    report_.stopped_early = at_.worse >= options_.training.patience && options_.training.patience > 0;
  }

  void start_again(const char* what) {
    const double rate = options_.training.learning_rate / static_cast<double>(1U << at_.falls);
    const std::string diverged =
        fmt::format("training diverged by step {}: {} is not a number", report_.steps, what);
    const bool from_start = trainer_.steps() == at_.steps;
    if (at_.falls == kMostFalls || !from_start) {
      throw Error(fmt::format("{}; try a lower learning rate than {}", diverged, rate));
    }
    observer_.warning(
        fmt::format("{}, most likely because the learning rate of {} is too high; this "
                    "training starts again with half of it",
                    diverged, rate));
    report_.steps -= at_.steps;
    report_.epochs.resize(report_.epochs.size() - at_.epoch);
    report_.stopped_early = false;
    at_ = {.falls = at_.falls + 1};
    trainer_.start_again(rate / 2);
  }

  Trainer<Real>& trainer_;
  std::span<const NodePair> links_, valid_;
  const LearningOptions& options_;
  Observer& observer_;
  TrainingReport& report_;
  TrainingPosition& at_;
  const std::function<void()>& pause_;
  std::size_t repeats_, batches_;
  std::vector<NodePair> order_;
};

}  // namespace

std::size_t batch_count(std::size_t links, std::size_t batch_size) {
  if (batch_size == 0) return 1;
  return std::max<std::size_t>(1, (links + batch_size / 2) / batch_size);
}

template <typename Real>
void train_loop(Trainer<Real>& trainer, std::span<const NodePair> links, std::span<const NodePair> valid,
                const LearningOptions& options, Observer& observer, TrainingReport& report,
                TrainingPosition& position, const std::function<void()>& pause) {
  TrainLoop<Real>(trainer, links, valid, options, observer, report, position, pause).run();
}

template void train_loop(Trainer<float>&, std::span<const NodePair>, std::span<const NodePair>,
                         const LearningOptions&, Observer&, TrainingReport&, TrainingPosition&,
                         const std::function<void()>&);
template void train_loop(Trainer<double>&, std::span<const NodePair>, std::span<const NodePair>,
                         const LearningOptions&, Observer&, TrainingReport&, TrainingPosition&,
                         const std::function<void()>&);

}  // namespace dovetail
