#pragma once

#include <dovetail/graph.h>
#include <dovetail/links.h>
#include <dovetail/observer.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace dovetail {

/// What the layers start from, for entities.
enum class EntityFeature : std::uint8_t {
  none,
  raw,             ///< the entity's own embedding, as the paper's equations have it
  neighbour_mean,  ///< ELU of the mean of the embeddings of the entity and its neighbours
};

/// How a node weighs its edges; always a softmax over all edges of the node.
enum class Attention : std::uint8_t {
  none,         ///< all alike
  by_relation,  ///< v . r
  three_part,   ///< v . [phi(h_i, r) | r | phi(h_j, r)], the paper's
};

/// phi(h, r) = h - 2 (r . h) r
enum class Reflection : std::uint8_t {
  unit,      ///< both r of unit length: a true reflection
  released,  ///< only the r of the dot product normalised, as in the authors' program
};

struct EncoderOptions {
  std::size_t dimension = 300;
  std::size_t depth = 2;
  EntityFeature entity_feature = EntityFeature::neighbour_mean;
  bool relation_feature = true;  ///< ELU of the mean of the embeddings of the relations on the entity's edges
  Attention attention = Attention::by_relation;
  Reflection reflection = Reflection::released;
};

/// Which part of the graphs a training step computes.
enum class Sampling : std::uint8_t {
  automatic,  ///< none while the features of all entities fit into SamplingOptions::memory, else attention
  none,       ///< exactly what the batch's features depend on
  whole,      ///< everything, needed or not
  attention,  ///< RAGS: each node draws edges in proportion to its attention, hop by hop
  uniform,    ///< the same number of draws, every edge alike
};

struct SamplingOptions {
  Sampling method = Sampling::automatic;
  double tau = 1.0;                   ///< a node draws ceil(tau / sum of squared attention) edges
  bool distinct = true;               ///< draw until there are that many different edges, not that many draws
  std::size_t epochs_per_sample = 2;  ///< epochs that see the same draws
  std::uint64_t memory = std::uint64_t{4}
                         << 30;  ///< bytes of features up to which `automatic` samples nothing
};

struct LossOptions {
  bool standardise = true;  ///< bring each feature column of a batch to mean 0 and deviation 1
  double epsilon = 1e-10;   ///< added to the variance there
  unsigned power = 3;       ///< of the cosine
  double dropout = 0.3;     ///< share of the features dropped, rounded to a multiple of 1/256
};

enum class Optimiser : std::uint8_t {
  rmsprop,  ///< centered
  adam,
  gradient_descent,
};

struct TrainingOptions {
  std::size_t epochs = 6;
  std::size_t batch_size = 512;  ///< pairs; 0: all in each step
  Optimiser optimiser = Optimiser::rmsprop;
  double learning_rate = 0.005;
  double decay = 0.95;    ///< of RMSprop's running means
  double epsilon = 1e-7;  ///< of the optimiser
  bool tie_seeds =
      true;  ///< the right entity of a seed starts with its left one's embedding; not in the paper
  std::size_t patience = 2;  ///< epochs that the loss on development links may rise before training stops
};

/// How the best candidates are found.
enum class Search : std::uint8_t {
  exact,     ///< single-precision scores of all pairs
  four_bit,  ///< all pairs in 4-bit integers, then the best ones exactly
};

struct MatchingOptions {
  Search search = Search::four_bit;
  std::size_t candidates = 50;       ///< kept for each entity
  std::size_t csls_neighbours = 10;  ///< 0: no CSLS correction
};

struct AlignOptions {
  EncoderOptions encoder;
  SamplingOptions sampling;
  LossOptions loss;
  TrainingOptions training;
  MatchingOptions matching;
  std::uint64_t seed = 1;   ///< of every random choice
  std::size_t threads = 0;  ///< 0: as many as the machine has
};

/// Options that do what the paper says and nothing else.
[[nodiscard]] AlignOptions paper_options();

}  // namespace dovetail
