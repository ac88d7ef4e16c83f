#pragma once

#include <dovetail/align.h>
#include <dovetail/numbers.h>

#include <array>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace dovetail {

/// The names of an enumeration's values, as the command line, run.json and the documentation spell them.
template <typename Enum>
struct EnumNames;

template <>
struct EnumNames<EntityFeature> {
  static constexpr std::array<std::pair<EntityFeature, std::string_view>, 3> kNames = {
      {{EntityFeature::none, "none"},
       {EntityFeature::raw, "raw"},
       {EntityFeature::neighbour_mean, "neighbour-mean"}}};
};
template <>
struct EnumNames<Attention> {
  static constexpr std::array<std::pair<Attention, std::string_view>, 4> kNames = {
      {{Attention::none, "none"},
       {Attention::by_relation, "by-relation"},
       {Attention::three_part, "three-part"},
       {Attention::symmetric, "symmetric"}}};
};
template <>
struct EnumNames<Transform> {
  static constexpr std::array<std::pair<Transform, std::string_view>, 3> kNames = {
      {{Transform::reflection, "reflection"}, {Transform::linear, "linear"}, {Transform::none, "none"}}};
};
template <>
struct EnumNames<Representation> {
  static constexpr std::array<std::pair<Representation, std::string_view>, 3> kNames = {
      {{Representation::multi_hop, "multi-hop"},
       {Representation::residual, "residual"},
       {Representation::last, "last"}}};
};
template <>
struct EnumNames<LossKind> {
  static constexpr std::array<std::pair<LossKind, std::string_view>, 2> kNames = {
      {{LossKind::symmetric, "symmetric"}, {LossKind::triplet, "triplet"}}};
};
template <>
struct EnumNames<Negatives> {
  static constexpr std::array<std::pair<Negatives, std::string_view>, 2> kNames = {
      {{Negatives::uniform, "uniform"}, {Negatives::nearest, "nearest"}}};
};
template <>
struct EnumNames<Reflection> {
  static constexpr std::array<std::pair<Reflection, std::string_view>, 2> kNames = {
      {{Reflection::unit, "unit"}, {Reflection::released, "released"}}};
};
template <>
struct EnumNames<Sampling> {
  static constexpr std::array<std::pair<Sampling, std::string_view>, 5> kNames = {
      {{Sampling::automatic, "auto"},
       {Sampling::none, "none"},
       {Sampling::whole, "whole"},
       {Sampling::attention, "attention"},
       {Sampling::uniform, "uniform"}}};
};
template <>
struct EnumNames<Optimiser> {
  static constexpr std::array<std::pair<Optimiser, std::string_view>, 3> kNames = {
      {{Optimiser::rmsprop, "rmsprop"},
       {Optimiser::adam, "adam"},
       {Optimiser::gradient_descent, "gradient-descent"}}};
};
template <>
struct EnumNames<Search> {
  static constexpr std::array<std::pair<Search, std::string_view>, 4> kNames = {
      {{Search::automatic, "auto"},
       {Search::exact, "exact"},
       {Search::four_bit, "four-bit"},
       {Search::approximate, "approximate"}}};
};

template <>
struct EnumNames<Mode> {
  static constexpr std::array<std::pair<Mode, std::string_view>, 5> kNames = {{{Mode::automatic, "auto"},
                                                                               {Mode::basic, "basic"},
                                                                               {Mode::semi, "semi"},
                                                                               {Mode::names, "names"},
                                                                               {Mode::values, "values"}}};
};
template <>
struct EnumNames<Strategy> {
  static constexpr std::array<std::pair<Strategy, std::string_view>, 6> kNames = {
      {{Strategy::best, "best"},
       {Strategy::restart, "restart"},
       {Strategy::rules, "rules"},
       {Strategy::paper, "paper"},
       {Strategy::normal, "normal"},
       {Strategy::no_review, "no-review"}}};
};
template <>
struct EnumNames<CandidatePool> {
  static constexpr std::array<std::pair<CandidatePool, std::string_view>, 3> kNames = {
      {{CandidatePool::automatic, "auto"}, {CandidatePool::test, "test"}, {CandidatePool::open, "open"}}};
};
template <>
struct EnumNames<Decoder> {
  static constexpr std::array<std::pair<Decoder, std::string_view>, 6> kNames = {
      {{Decoder::automatic, "auto"},
       {Decoder::greedy, "greedy"},
       {Decoder::csls, "csls"},
       {Decoder::sinkhorn, "sinkhorn"},
       {Decoder::assignment, "assignment"},
       {Decoder::stable, "stable"}}};
};
template <>
struct EnumNames<Cardinality> {
  static constexpr std::array<std::pair<Cardinality, std::string_view>, 3> kNames = {
      {{Cardinality::one_to_one, "1:1"},
       {Cardinality::one_to_many, "1:n"},
       {Cardinality::many_to_many, "n:m"}}};
};
template <>
struct EnumNames<NameSource> {
  static constexpr std::array<std::pair<NameSource, std::string_view>, 3> kNames = {
      {{NameSource::automatic, "auto"},
       {NameSource::labels, "labels"},
       {NameSource::identifiers, "identifiers"}}};
};

template <typename Enum>
[[nodiscard]] constexpr std::string_view enum_name(Enum value) {
  for (const auto& [known, name] : EnumNames<Enum>::kNames) {
    if (known == value) return name;
  }
  return "?";
}

/// Throws ParameterError with name, value and what was expected at the first parameter outside its range, or
/// at two that exclude each other.
void check_options(const AlignOptions& options);

/// The files that parameters name.
[[nodiscard]] std::vector<std::filesystem::path> path_parameters(const AlignOptions& options);

/// Every parameter of an alignment, once: each(room, name, value, help, range), or without the range. The
/// command line, configuration files, run.json, Python and the documentation are made from this list. A value
/// is an enumeration with EnumNames, a bool, a number, Bytes or a path; `range` has a meaning for numbers and
/// Bytes only. `Options` is AlignOptions, const or not.
template <typename Options, typename Each>
void visit_parameters(Options& options, const Each& each) {
  const auto visit = [&](const char* room, const char* name, auto& value, const char* help,
                         const Range& range = {}) {
    if constexpr (std::is_invocable_v<Each, const char*, const char*, decltype(value), const char*,
                                      const Range&>) {
      each(room, name, value, help, range);
    } else {
      each(room, name, value, help);
    }
  };
  // A rate that is much too high is refused by training, which notices that it diverges.
  constexpr Range kFeatures = {1, 4096}, kRate = {1e-12, 1e300}, kScale = {0.0001, 10000}, kWeight = {0, 1e6};
  constexpr Range kSteps = {1, 1e6}, kLists = {0, 10000};
  visit("what", "mode", options.mode,
        "Structure once (basic) or in several turns (semi), with names or with values; auto chooses");
  auto& semi = options.semi;
  visit("what", "strategy", semi.strategy, "How training goes on from the links that were found");
  auto& deciding = options.deciding;
  visit("what", "pool", deciding.pool,
        "Entities to align: all that have no seed (open) or those of the test links (test); auto chooses");
  visit("what", "decoder", deciding.decoder, "How links are chosen from the scores of all candidates");
  visit("what", "cardinality", deciding.cardinality, "Number of links per entity");
  visit("what", "min-confidence", deciding.min_confidence, "Leave out links with a lower confidence", kShare);
  visit("what", "precision", deciding.precision, "Keep as many links as have this mean confidence; 0 = all",
        kShare);
  visit("what", "none-above", deciding.none_above,
        "Leave an entity unmatched above this probability of having no counterpart; 1 = never", kShare);
  visit("what", "compare", deciding.compare,
        "Evaluate in the other pool too, and each signal alone, where there are test links");
  visit("what", "reasons", deciding.reasons, "Number of reasons to write for each link; 0 = none", {0, 1000});
  visit("what", "calibrate", deciding.calibrate, "Fit confidences on held-out seeds");
  visit("what", "memory", options.memory, "Memory limit: 8G (2^30 bytes), 8GB (10^9); 0 = machine's",
        kMemory);
  visit("what", "seed", options.seed, "Random seed", kSeed);
  auto& encoder = options.encoder;
  visit("encoder", "dimension", encoder.dimension,
        "Size of the embeddings; auto = 300, or less where memory is short",
        {.least = 0, .most = 4096, .zero = "auto"});
  visit("encoder", "depth", encoder.depth, "Number of GNN layers (hops)", {1, 16});
  visit("encoder", "entity-feature", encoder.entity_feature, "Input feature of an entity");
  visit("encoder", "relation-feature", encoder.relation_feature,
        "Add the mean embedding of an entity's relations to its input");
  visit("encoder", "attention", encoder.attention, "How an entity weights its edges");
  visit("encoder", "transform", encoder.transform, "How features change along an edge");
  visit("encoder", "reflection", encoder.reflection,
        "Vector that a reflection uses: of unit length, or as in the program released with the paper");
  visit("encoder", "representation", encoder.representation, "How layers are combined into the output");
  visit("encoder", "self-loops", encoder.self_loops, "Add an edge from every entity to itself");
  auto& sampling = options.sampling;
  visit("sampling", "sampling", sampling.method, "Part of the graphs that a training step computes");
  visit("sampling", "tau", sampling.tau, "Factor of the number of edges that an entity draws", {0.001, 1000});
  visit("sampling", "reach", sampling.reach,
        "Maximum of entities to compute for each entity of a batch; 0 = no limit", kCount);
  visit("sampling", "distinct-draws", sampling.distinct, "Draw until the edges of an entity are distinct");
  visit("sampling", "epochs-per-sample", sampling.epochs_per_sample, "Number of epochs that use one sample",
        kPositiveCount);
  auto& loss = options.loss;
  visit("loss", "loss", loss.kind, "Training loss");
  visit("loss", "dropout", loss.dropout, "Share of features to drop", kShareBelowOne);
  visit("loss", "standardise", loss.standardise, "Standardise each feature over a batch");
  visit("loss", "standardise-epsilon", loss.epsilon, "Number added to the variance when standardising",
        {0, 1000});
  visit("loss", "cosine-power", loss.power, "Exponent of the cosine in the symmetric loss", {1, 9});
  visit("loss", "margin", loss.margin, "Margin of the triplet loss", {1e-6, 1e6});
  visit("loss", "negatives", loss.negatives, "How the triplet loss draws negative samples");
  visit("loss", "negative-count", loss.negative_count,
        "Number of negative samples for each end of a link (triplet loss)", {1, 10000});
  visit("loss", "nearest", loss.nearest, "Number of neighbours that nearest negatives are drawn from",
        {1, 100000});
  auto& training = options.training;
  visit("training", "epochs", training.epochs, "Number of passes over the seeds", kPositiveCount);
  visit("training", "batch-size", training.batch_size, "Minimum of pairs in a training step; 0 = all",
        kCount);
  visit("training", "most-batches", training.most_batches,
        "Maximum of steps in an epoch, by larger batches; 0 = no limit", kCount);
  visit("training", "optimiser", training.optimiser, "Optimiser of the training");
  visit("training", "learning-rate", training.learning_rate, "Learning rate", kRate);
  visit("training", "decay", training.decay, "Decay of RMSprop's running means", kShareBelowOne);
  visit("training", "optimiser-epsilon", training.epsilon, "Number added to the optimiser's root",
        {1e-30, 1});
  visit("training", "tie-seeds", training.tie_seeds, "Start both entities of a seed with one embedding");
  visit("training", "patience", training.patience,
        "Number of epochs that the loss on development links may rise before training stops", kCount);
  auto& matching = options.matching;
  visit("matching", "search", matching.search, "How candidates are searched for");
  visit("matching", "search-fold", matching.fold,
        "Number of features that a four-bit search adds up into one", {1, 64});
  visit("matching", "search-probes", matching.probes,
        "Number of regions that an approximate search compares for each entity", kSteps);
  visit("matching", "candidates", matching.candidates, "Number of candidates to keep for each entity",
        {1, kLists.most});
  visit("matching", "csls", matching.csls_neighbours, "Number of neighbours in CSLS; 0 = no CSLS", kLists);
  visit("matching", "clip", matching.clip,
        "Limit of a feature, in root mean squares of its vector; 0 = no limit", kWeight);
  visit("semi", "turns", semi.turns, "Number of trainings; 0 = the strategy's own number", {0, 10000});
  visit("semi", "restart-steps", semi.restart_steps,
        "Number of training steps after each restart; 0 = as many as epochs gives", {0, kSteps.most});
  visit("semi", "restart-batch", semi.restart_batch, "Number of pairs in a step after a restart; 0 = all",
        kCount);
  visit("semi", "restart-rate", semi.restart_rate, "Learning rate after a restart", kRate);
  visit("semi", "scout-dimension", semi.scout_dimension, "Size of the embeddings of all turns but the last",
        kFeatures);
  visit("semi", "sure", semi.sure, "Probability from which a pair is trained on", kShare);
  visit("semi", "turn-epochs", semi.turn_epochs,
        "Number of epochs of each turn after the first (strategies paper, normal, no-review)", kSteps);
  visit("semi", "epsilon", semi.epsilon,
        "Loss of cosine above which a pair is trained on again (strategy paper)", {0, 2});
  auto& names = options.names;
  visit("names", "name-source", names.source, "Text that is used as an entity's name");
  visit("names", "transliterate", names.transliterate, "Transliterate other scripts to Latin letters");
  visit("names", "weight-characters", names.weights.characters,
        "Weight of character pairs and triples in names", kWeight);
  visit("names", "weight-words", names.weights.words, "Weight of whole words in names", kWeight);
  visit("names", "weight-vectors", names.weights.vectors, "Weight of word vectors in names", kWeight);
  visit("names", "word-vectors", names.left_vectors,
        "File of word vectors (word2vec, GloVe, fastText), for both sides unless right-word-vectors is "
        "given");
  visit("names", "right-word-vectors", names.right_vectors, "File of word vectors of the right side");
  visit("names", "learn-scales", deciding.learn_scales,
        "Learn structure-scale and name-scale from held-out seeds");
  visit("names", "structure-scale", deciding.structure_scale,
        "Divisor of structure's scores when signals are combined", kScale);
  visit("names", "name-scale", deciding.name_scale, "Divisor of the names' scores when signals are combined",
        kScale);
  visit("values", "attributes", options.values.attributes,
        "File that says which attributes are the same: attribute, attribute, same or different");
  auto& rules = options.rules;
  visit("rules", "rule-weight", rules.weight, "Factor of the evidence of rules, in logits", kWeight);
  visit("rules", "rule-power", rules.power, "Exponent of the evidence of rules", {0.01, 10});
  visit("rules", "rule-iterations", rules.iterations, "Number of Sinkhorn iterations with rules",
        {1, 100000});
  visit("rules", "rule-support-proposals", rules.support_proposals,
        "Number of pairs that rules propose for each entity outside of the pools", kLists);
  visit("rules", "rule-likely-rounds", rules.likely_rounds,
        "Number of rounds in which rules add pairs to an approximate search", {0, 1000});
  visit("rules", "rule-partner", rules.partner,
        "Belief in a pair from which its edges are compared to match relations", kShare);
  visit("rules", "rule-least-belief", rules.least_belief,
        "Belief from which a pair of neighbours is a reason", kShare);
  visit("rules", "rule-least-weight", rules.least_weight, "Weight from which a pair of relations is used",
        kShare);
  visit("rules", "rule-most-weight", rules.most_weight, "Maximum weight of one reason", kShareBelowOne);
  visit("rules", "rule-least-doubt", rules.least_doubt, "Weight from which a reason against a link is listed",
        kShare);
  visit("rules", "rule-least-proposal", rules.least_proposal, "Evidence from which rules propose a pair",
        kWeight);
  visit("rules", "rule-crowd", rules.crowd, "Maximum of entities that share a neighbour for rules to use it",
        {1, 1e9});
  auto& beliefs = options.beliefs;
  visit("beliefs", "belief-start-rounds", beliefs.start_rounds, "Number of rounds before the first training",
        {1, 1000});
  visit("beliefs", "belief-start-proposals", beliefs.start_proposals,
        "Number of pairs proposed for each entity before the first training", kLists);
  visit("beliefs", "belief-rounds", beliefs.rounds, "Number of rounds after a training", {1, 1000});
  visit("beliefs", "belief-proposing-rounds", beliefs.proposing_rounds,
        "Number of the first rounds after a training that propose pairs", {0, 1000});
  visit("beliefs", "belief-proposals", beliefs.proposals,
        "Number of pairs proposed for each entity after a training", kLists);
  visit("beliefs", "belief-most", beliefs.most, "Maximum belief in a pair that is not a seed", kShare);
  visit("beliefs", "belief-settled", beliefs.settled,
        "Belief above which other candidates are not searched for", kShare);
  visit("beliefs", "belief-support", beliefs.support,
        "Belief from which a pair outside of the pools is a reason", kShare);
  visit("beliefs", "belief-forgotten", beliefs.forgotten, "Belief below which a candidate is dropped",
        kShare);
  visit("deciding", "sinkhorn-iterations", deciding.iterations, "Number of Sinkhorn iterations", {1, 100000});
  visit("deciding", "temperature", deciding.temperature, "Temperature of Sinkhorn", kScale);
}

/// The present name of a parameter by the name that 0.1.0 had for it: candidates for top-k, and pool for
/// candidates where the value is the name of a pool. Other names stay as they are.
[[nodiscard]] std::string_view present_name(std::string_view name, std::string_view text);

/// Sets the parameter of this name, or of its name in 0.1.0, to the value that the text stands for. Throws
/// ParameterError if there is none, or if the text is no value of it; the message calls it `called`, by
/// default its name.
void set_parameter(AlignOptions& options, std::string_view name, std::string_view text,
                   std::string_view called = {});

/// The names of all parameters, in the order of visit_parameters().
[[nodiscard]] std::vector<std::string> parameter_names();

/// Every parameter as a text that set_parameter() takes, in the order of visit_parameters().
[[nodiscard]] std::vector<std::pair<std::string, std::string>> parameter_texts(const AlignOptions& options);

}  // namespace dovetail
