#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace dovetail {

/// Which part of the graphs a training step computes.
enum class Sampling : std::uint8_t {
  automatic,  ///< none while the features of all entities take no more than 1 GiB and fit, else attention
  none,       ///< exactly what the batch's features depend on
  whole,      ///< everything, needed or not
  attention,  ///< RAGS: each node draws edges in proportion to its attention, hop by hop
  uniform,    ///< the same number of draws, every edge alike
};

struct SamplingOptions {
  Sampling method = Sampling::automatic;
  double tau = 1.0;      ///< a node draws ceil(tau / sum of squared attention) edges
  bool distinct = true;  ///< draw until there are that many different edges, not that many draws
  /// Draws are cut down so that at most this many entities get features for each one that is asked for: what
  /// keeps memory to the batch where attention is even and tau alone would draw everything. 0: no limit.
  std::size_t reach = 80;
  std::size_t epochs_per_sample =
      2;  ///< epochs that see the same draws, and the same lists of nearest neighbours
};

enum class LossKind : std::uint8_t {
  symmetric,  ///< SNAL: towards the initial features of the other end, without negative samples
  triplet,    ///< nearer to the other end than to negative samples, by a margin
};

/// Which entities stand in for an end of a link in negative samples.
enum class Negatives : std::uint8_t {
  uniform,  ///< any of its graph
  nearest,  ///< its nearest neighbours in its graph: truncated uniform negative sampling
};

struct LossOptions {
  LossKind kind = LossKind::symmetric;
  double dropout = 0.2;  ///< share of the features dropped, rounded to a multiple of 1/256
  // Of the symmetric loss.
  bool standardise = true;  ///< bring each feature column of a batch to mean 0 and deviation 1
  double epsilon = 1e-10;   ///< added to the variance there
  unsigned power = 3;       ///< of the cosine
  // Of the triplet loss.
  double margin = 3;  ///< in sums of absolute differences of features
  Negatives negatives = Negatives::nearest;
  std::size_t negative_count = 5;  ///< for each end of a link
  std::size_t nearest = 50;        ///< neighbours that `nearest` draws from
};

enum class Optimiser : std::uint8_t {
  rmsprop,  ///< centered
  adam,
  gradient_descent,
};

struct TrainingOptions {
  std::size_t epochs = 6;
  std::size_t batch_size = 1024;  ///< pairs, about; 0: all in each step
  std::size_t most_batches = 64;  ///< of an epoch: beyond them, batches are larger; 0: as many as it takes
  Optimiser optimiser = Optimiser::rmsprop;
  double learning_rate = 0.007;
  double decay = 0.95;    ///< of RMSprop's running means
  double epsilon = 1e-7;  ///< of the optimiser
  bool tie_seeds =
      true;  ///< the right entity of a seed starts with its left one's embedding; not in the paper
  std::size_t patience = 2;  ///< epochs that the loss on development links may rise before training stops
};

/// Where the steps' time went, in seconds.
struct StepSeconds {
  double sample = 0, forward = 0, loss = 0, backward = 0, update = 0;
  [[nodiscard]] double total() const { return sample + forward + loss + backward + update; }
  StepSeconds& operator+=(const StepSeconds& other) {
    sample += other.sample;
    forward += other.forward;
    loss += other.loss;
    backward += other.backward;
    update += other.update;
    return *this;
  }
};

/// One training of a semi-supervised strategy and the search after it.
struct Turn {
  std::size_t trained_on = 0;  ///< links, seeds included
  std::size_t found = 0;       ///< pairs that the search after it was sure of
  std::size_t reviewed = 0;    ///< old pairs taken up again
  std::size_t judged = 0;      ///< of those found, pairs whose truth is known
  std::size_t right = 0;       ///< and that are right
  double loss = 0;             ///< of the last epoch
  std::size_t steps = 0;       ///< that had been made after it, from the first turn on
  /// By the search after it, right to left in the pools; nothing without a search or test links.
  std::optional<double> hits_at_1 = std::nullopt;
  double train_seconds = 0;
  double search_seconds = 0;
};

struct TrainingReport {
  struct Epoch {
    double loss;        ///< mean over the epoch's steps
    double valid_loss;  ///< on development links after it; 0 if there are none
    std::size_t steps;  ///< that had been made after it, from the first turn on
  };
  std::vector<Epoch> epochs;
  std::vector<Turn> turns;  ///< of semi-supervised training
  std::size_t steps = 0;
  bool stopped_early = false;
  Sampling sampling = Sampling::none;  ///< what `automatic` became
  double seconds = 0;
  StepSeconds step_seconds;
  std::uint64_t working_bytes = 0;  ///< everything beyond the graph, the parameters and the optimiser's state
};

}  // namespace dovetail
