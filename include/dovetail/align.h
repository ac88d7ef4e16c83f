#pragma once

#include <dovetail/deciding.h>
#include <dovetail/evaluation.h>
#include <dovetail/graph.h>
#include <dovetail/links.h>
#include <dovetail/names.h>
#include <dovetail/observer.h>
#include <dovetail/rules.h>
#include <dovetail/values.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dovetail {

/// An amount of memory. As text 512M, 8G or a plain number.
struct Bytes {
  std::uint64_t count = 0;
  bool operator==(const Bytes&) const = default;
};

/// What the layers start from, for entities.
enum class EntityFeature : std::uint8_t {
  none,
  raw,             ///< the entity's own embedding, as the paper's equations have it
  neighbour_mean,  ///< ELU of the mean of the embeddings of the entity and its neighbours
};

/// How a node weighs its edges: by a softmax over all edges of the node, but for `symmetric`.
enum class Attention : std::uint8_t {
  none,         ///< all alike
  by_relation,  ///< v . r
  three_part,   ///< v . [phi(h_i, r) | r | phi(h_j, r)], the paper's
  symmetric,    ///< 1 / sqrt(degree_i degree_j), the symmetric normalisation of graph convolution
};

/// What is done to features on their way along an edge.
enum class Transform : std::uint8_t {
  reflection,  ///< each relation reflects them: phi
  linear,      ///< a matrix for each layer, applied to the sum of all edges of a node
  none,        ///< they stay as they are
};

/// phi(h, r) = h - 2 (r . h) r
enum class Reflection : std::uint8_t {
  unit,      ///< both r of unit length: a true reflection
  released,  ///< only the r of the dot product normalised, as in the authors' program
};

/// What of an entity's layers makes up its output.
enum class Representation : std::uint8_t {
  multi_hop,  ///< all layers side by side
  residual,   ///< the last one, where each layer adds to the one below: h' = h + layer(h)
  last,       ///< the last one
};

struct EncoderOptions {
  std::size_t dimension = 300;  ///< 0: as much as memory allows, 300 at most; run_alignment() settles it
  std::size_t depth = 2;
  EntityFeature entity_feature = EntityFeature::neighbour_mean;
  bool relation_feature = true;  ///< ELU of the mean of the embeddings of the relations on the entity's edges
  Attention attention = Attention::by_relation;
  Transform transform = Transform::reflection;
  Reflection reflection = Reflection::released;
  Representation representation = Representation::multi_hop;
  bool self_loops = false;  ///< every entity is a neighbour of its own, by a relation that means just this
};

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

/// How the best candidates are found.
enum class Search : std::uint8_t {
  automatic,    ///< four-bit up to some billion pairs, then approximate
  exact,        ///< single-precision scores of all pairs
  four_bit,     ///< all pairs in 4-bit integers of folded vectors, then the best ones exactly
  approximate,  ///< half-byte codes instead, of pairs in near regions beyond some 100,000 right ones
};

struct MatchingOptions {
  Search search = Search::automatic;
  std::size_t fold = 4;         ///< features that a 4-bit search adds up into one at most, with random signs
  std::size_t probes = 32;      ///< regions that an approximate search looks at for each left entity
  std::size_t candidates = 50;  ///< kept for each entity
  std::size_t csls_neighbours = 10;  ///< 0: no CSLS correction
  /// Features beyond this many times the root mean square of their vector count as that much; 0: no limit.
  /// Not in the paper. A few large features otherwise outweigh the many that tell entities apart.
  double clip = 1.25;
};

/// What links are found by.
enum class Mode : std::uint8_t {
  /// Values where most entities of both sides have literals beside names; else names where both sides have
  /// them and those of seeds are alike; else semi.
  automatic,
  basic,   ///< structure, trained once on the seeds
  semi,    ///< structure, trained again and again on seeds and what was found: a Strategy
  names,   ///< structure and names together
  values,  ///< structure and values together: all literals, labels among them
};

/// How semi-supervised training goes on from what it has found.
enum class Strategy : std::uint8_t {
  best,       ///< rules first, then embeddings and rules in turn
  restart,    ///< embeddings alone: from a new start each turn, on the seeds and the surest pairs, found anew
  rules,      ///< rules alone: from what is known to the neighbours, without any training
  paper,      ///< on new pairs and on old ones that have drifted apart, without a new start
  normal,     ///< the same on all pairs, old and new
  no_review,  ///< the same on new pairs only
};

/// Which entities pairs are looked for among.
enum class CandidatePool : std::uint8_t {
  automatic,  ///< test for a folder with test links, else open
  test,       ///< the entities of the test links, as the literature does
  open,       ///< every entity that is in no seed link
};

struct SemiOptions {
  Strategy strategy = Strategy::best;
  std::size_t turns = 0;          ///< trainings, the first one included; 0: as many as the strategy wants
  std::size_t restart_steps = 8;  ///< of `restart` and `best`: steps from each new start, about; 0: by epochs
  std::size_t restart_batch = 4096;  ///< of `restart` and `best`: pairs in each of them, about
  double restart_rate = 0.01;        ///< of `restart` and `best`: its learning rate
  /// Of `restart`: the dimension of all turns but the last; of `best`: of all turns. Only if the encoder's is
  /// larger.
  std::size_t scout_dimension = 128;
  double sure = 0.7;            ///< of `restart` and `best`: probability from which a pair is trained on
  std::size_t turn_epochs = 5;  ///< of the others: epochs of each turn after the first
  double epsilon = 0.05;        ///< of `paper`: a pair whose cosine fell by more is trained on again
};

enum class Decoder : std::uint8_t {
  automatic,   ///< csls for basic, else sinkhorn
  greedy,      ///< plain similarity; evidence where rules alone have found the pairs
  csls,        ///< similarity less that of the nearest neighbours
  sinkhorn,    ///< probabilities under which every entity has one counterpart
  assignment,  ///< the one-to-one choice with the largest total
  stable,      ///< no two would rather have each other
};

struct DecidingOptions {
  CandidatePool pool = CandidatePool::automatic;
  Decoder decoder = Decoder::automatic;
  Cardinality cardinality = Cardinality::one_to_one;
  double min_confidence = 0;  ///< links below it are left out
  /// Keep the largest set of links, taken in order of confidence, whose mean confidence is at least this; 0:
  /// all links.
  double precision = 0;
  /// An entity that is more likely than this to have no counterpart has no link; only in open pools.
  double none_above = 0.5;
  std::size_t iterations = 10;  ///< of Sinkhorn
  double temperature = 0.05;    ///< of Sinkhorn, for CSLS scores of structure alone; where it is set, for all
  double combined_temperature =
      1;  ///< of several signals' scores; settled from `temperature` where that is set
  /// Where there are test links, evaluate in the other pool too, and structure alone beside names.
  bool compare = true;
  bool calibrate = true;          ///< fit confidences on held-out seeds, in a small training of its own
  std::size_t reasons = 5;        ///< written for and against each link; 0: none
  bool learn_scales = false;      ///< the next two from held-out seeds
  double structure_scale = 0.12;  ///< CSLS scores of structure count in these units beside names or rules
  double name_scale = 0.1;        ///< and those of names in these
};

struct AlignOptions {
  Mode mode = Mode::automatic;
  EncoderOptions encoder;
  SamplingOptions sampling;
  LossOptions loss;
  TrainingOptions training;
  MatchingOptions matching;
  SemiOptions semi;
  NameOptions names;
  ValueOptions values;
  RuleOptions rules;
  DecidingOptions deciding;
  /// That a run may take; 0: what the machine has. Where all would not fit, steps are sampled, vectors lie in
  /// files of `scratch`, and fewer candidates are kept.
  Bytes memory;
  std::uint64_t seed = 1;   ///< of every random choice
  std::size_t threads = 0;  ///< 0: as many as the machine has
  /// Parameters that were set on purpose, by name: they count although their value may be the default.
  std::vector<std::string> given;
  /// Of these, parameters for which it is an error to have no effect: settle() refuses them.
  std::vector<std::string> must_count;
  std::filesystem::path scratch;  ///< folder for files that go with the run; empty: the system's for such
};

/// Options that do what the paper says and nothing else.
[[nodiscard]] AlignOptions paper_options();
/// The baseline that the paper starts from, its equations 1 and 2: two layers of graph convolution, and a
/// triplet loss with uniform negatives, as GCN-Align trains on structure.
[[nodiscard]] AlignOptions gcn_align_options();

/// What training leaves behind: all that matching, and a later run that goes on from here, needs to know.
struct Model {
  EncoderOptions encoder;
  std::uint64_t seed = 1;  ///< that the initial parameters follow from, and so the initial features
  std::vector<Link> tied;  ///< links whose two ends had one embedding at the start
  std::size_t entity_count = 0;
  std::size_t relation_rows = 0;  ///< relations and their inverses
  std::vector<float> entities;    ///< [entity_count, dimension] by shared id
  std::vector<float> relations;   ///< [relation_rows, dimension]
  std::vector<float> attention;   ///< [depth, parts, dimension]
  std::vector<float> linear;      ///< [depth, dimension, dimension], empty unless the transform is linear
  /// Which random numbers the initial embeddings of entities and relations are: what stays when ids change
  /// because graphs have grown. Empty: those of the rows' own numbers.
  std::vector<std::uint32_t> entity_keys, relation_keys;
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

/// Learns from links.train, watches links.valid. Throws ParameterError if there is nothing to learn from.
[[nodiscard]] Model train(const GraphPair& pair, const SeedLinks& links, const AlignOptions& options,
                          Observer& observer, TrainingReport* report = nullptr);

/// Which entities may be matched with each other, ascending.
struct Pools {
  std::vector<EntityId> left, right;
  std::vector<Link> apart = {};  ///< pairs that may not be matched all the same, ascending; of any entities
  std::vector<Link> known = {};  ///< links that signals may learn from, ascending; of other entities
};
/// Closed world: the entities of these links only.
[[nodiscard]] Pools closed_pools(const std::vector<Link>& links);
/// Open world: every entity that is in none of these links.
[[nodiscard]] Pools open_pools(const GraphPair& pair, const std::vector<Link>& taken);

struct Candidate {
  EntityId entity;
  float score;  ///< the decoder's
};

/// For each entity of a pool its ranked candidates on the other side.
struct Candidates {
  std::vector<EntityId> entities;
  std::vector<std::vector<Candidate>> ranked;  ///< as `entities`; best first; rules alone may find none
};

/// How well one signal alone ranks the gold links.
struct SignalEvaluation {
  std::string signal;  ///< its name in the list of signals
  Evaluation evaluation;
};

struct Alignment {
  /// By the signal of this name alone; null if it was not evaluated.
  [[nodiscard]] const Evaluation* of_signal(std::string_view signal) const {
    for (const SignalEvaluation& own : alone) {
      if (own.signal == signal) return &own.evaluation;
    }
    return nullptr;
  }

  Candidates left, right;
  // Of the gold links within the pools; count 0 if there are none.
  Evaluation evaluation;                ///< by the decoder
  std::vector<SignalEvaluation> alone;  ///< by each signal that looked at all pairs, CSLS
  std::vector<DegreeHits> by_degree;    ///< by the decoder, right to left, for right entities by their degree
  std::optional<Evaluation> plain_sum;  ///< structure and names simply added, the paper's ls + ss
  double match_seconds = 0;
  double evaluation_seconds = 0;
};

/// Ranks the entities of the pools by the model's score; `gold`, where known, only to say how well.
[[nodiscard]] Alignment match(const GraphPair& pair, const Model& model, const Pools& pools,
                              const std::vector<Link>& gold, const AlignOptions& options, Observer& observer);

}  // namespace dovetail
