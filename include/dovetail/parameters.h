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
  visit("what", "mode", options.mode, "auto, basic, semi, names, values");
  auto& semi = options.semi;
  visit("what", "strategy", semi.strategy, "best, restart, rules, paper, normal,\nno-review");
  auto& deciding = options.deciding;
  visit("what", "candidates", deciding.pool, "auto, test, open");
  visit("what", "decoder", deciding.decoder, "auto, greedy, csls, sinkhorn,\nassignment, stable");
  visit("what", "cardinality", deciding.cardinality, "1:1, 1:n, n:m");
  visit("what", "min-confidence", deciding.min_confidence, "Leave out links below it", kShare);
  visit("what", "precision", deciding.precision, "Keep links of this mean confidence;\n0: all", kShare);
  visit("what", "none-above", deciding.none_above, "Likelier: no counterpart; 1: never", kShare);
  visit("what", "compare", deciding.compare, "Evaluate in the other pool too");
  visit("what", "reasons", deciding.reasons, "Kept for each link; 0: none", {0, 1000});
  visit("what", "calibrate", deciding.calibrate, "Fit confidences on held-out seeds");
  visit("what", "memory", options.memory, "Limit: 8G or 8GiB (of 2^30 bytes),\n8GB (10^9); 0: machine's",
        kMemory);
  visit("what", "seed", options.seed, "Of every random choice", kSeed);
  auto& encoder = options.encoder;
  visit("encoder", "dimension", encoder.dimension, "Numbers in an embedding; auto: by memory",
        {.least = 0, .most = 4096, .zero = "auto"});
  visit("encoder", "depth", encoder.depth, "Layers, so hops a feature looks", {1, 16});
  visit("encoder", "entity-feature", encoder.entity_feature, "none, raw, neighbour-mean");
  visit("encoder", "relation-feature", encoder.relation_feature, "Mean of an entity's relations");
  visit("encoder", "attention", encoder.attention, "none, by-relation, three-part,\nsymmetric");
  visit("encoder", "transform", encoder.transform, "reflection, linear, none");
  visit("encoder", "reflection", encoder.reflection, "unit, released");
  visit("encoder", "representation", encoder.representation, "multi-hop, residual, last");
  visit("encoder", "self-loops", encoder.self_loops, "Entities are neighbours of their own");
  auto& sampling = options.sampling;
  visit("sampling", "sampling", sampling.method, "auto, none, whole, attention, uniform");
  visit("sampling", "tau", sampling.tau, "How much a node draws", {0.001, 1000});
  visit("sampling", "reach", sampling.reach, "Most entities per one asked for", kCount);
  visit("sampling", "distinct-draws", sampling.distinct, "Draw until that many differ");
  visit("sampling", "epochs-per-sample", sampling.epochs_per_sample, "Epochs that see the same draws",
        kPositiveCount);
  auto& loss = options.loss;
  visit("loss", "loss", loss.kind, "symmetric, triplet");
  visit("loss", "dropout", loss.dropout, "Share of features dropped", kShareBelowOne);
  visit("loss", "standardise", loss.standardise, "Standardise features in a batch");
  visit("loss", "standardise-epsilon", loss.epsilon, "Added to the variance there", {0, 1000});
  visit("loss", "cosine-power", loss.power, "Power of the cosine", {1, 9});
  visit("loss", "margin", loss.margin, "Negatives are farther by (triplet)", {1e-6, 1e6});
  visit("loss", "negatives", loss.negatives, "uniform, nearest (triplet)");
  visit("loss", "negative-count", loss.negative_count, "For each end of a link (triplet)", {1, 10000});
  visit("loss", "nearest", loss.nearest, "Neighbours that nearest draws from", {1, 100000});
  auto& training = options.training;
  visit("training", "epochs", training.epochs, "Passes over the seeds", kPositiveCount);
  visit("training", "batch-size", training.batch_size, "Pairs in a step at least; 0: all", kCount);
  visit("training", "most-batches", training.most_batches, "In an epoch, then larger; 0: any number", kCount);
  visit("training", "optimiser", training.optimiser, "rmsprop, adam, gradient-descent");
  visit("training", "learning-rate", training.learning_rate, "Step size", kRate);
  visit("training", "decay", training.decay, "Of RMSprop's running means", kShareBelowOne);
  visit("training", "optimiser-epsilon", training.epsilon, "Added to the optimiser's root", {1e-30, 1});
  visit("training", "tie-seeds", training.tie_seeds, "Both ends of a seed start alike");
  visit("training", "patience", training.patience, "Epochs development loss may rise", kCount);
  auto& matching = options.matching;
  visit("matching", "search", matching.search, "auto, exact, four-bit, approximate");
  visit("matching", "search-fold", matching.fold, "Features a 4-bit search adds up", {1, 64});
  visit("matching", "search-probes", matching.probes, "Regions an approximate search looks at", kSteps);
  visit("matching", "top-k", matching.candidates, "Candidates kept per entity", {1, kLists.most});
  visit("matching", "csls", matching.csls_neighbours, "Neighbours in CSLS; 0: none", kLists);
  visit("matching", "clip", matching.clip, "Limit of a feature; 0: none", kWeight);
  visit("semi", "turns", semi.turns, "Trainings; 0: the strategy's own", {0, 10000});
  visit("semi", "restart-steps", semi.restart_steps, "Steps of each restart; 0: by epochs", {0, kSteps.most});
  visit("semi", "restart-batch", semi.restart_batch, "Pairs in such a step; 0: all", kCount);
  visit("semi", "restart-rate", semi.restart_rate, "Learning rate of restarts", kRate);
  visit("semi", "scout-dimension", semi.scout_dimension, "Dimension of all but the last", kFeatures);
  visit("semi", "sure", semi.sure, "Probability to train on a pair", kShare);
  visit("semi", "turn-epochs", semi.turn_epochs, "Epochs of later turns (paper)", kSteps);
  visit("semi", "epsilon", semi.epsilon, "Cosine lost before a review (paper)", {0, 2});
  auto& names = options.names;
  visit("names", "name-source", names.source, "auto, labels, identifiers");
  visit("names", "transliterate", names.transliterate, "Other scripts in Latin letters");
  visit("names", "weight-characters", names.weights.characters, "Of pairs and triples of characters",
        kWeight);
  visit("names", "weight-words", names.weights.words, "Of whole words", kWeight);
  visit("names", "weight-vectors", names.weights.vectors, "Of word vectors, if given", kWeight);
  visit("names", "word-vectors", names.left_vectors, "word2vec, GloVe, fastText");
  visit("names", "right-word-vectors", names.right_vectors, "Of the right side, if others");
  visit("names", "learn-scales", deciding.learn_scales, "The next two from held-out seeds");
  visit("names", "structure-scale", deciding.structure_scale, "Unit of structure's scores", kScale);
  visit("names", "name-scale", deciding.name_scale, "Unit of names' scores", kScale);
  visit("values", "attributes", options.values.attributes, "File: attribute, attribute, same or different");
  auto& rules = options.rules;
  visit("rules", "rule-weight", rules.weight, "Factor of evidence, in logits", kWeight);
  visit("rules", "rule-power", rules.power, "Exponent of evidence", {0.01, 10});
  visit("rules", "rule-iterations", rules.iterations, "Sinkhorn iterations with rules", {1, 100000});
  visit("rules", "rule-support-proposals", rules.support_proposals,
        "Pairs proposed per entity\noutside of the pools", kLists);
  visit("rules", "rule-likely-rounds", rules.likely_rounds, "Rounds that add pairs to an\napproximate search",
        {0, 1000});
  visit("rules", "rule-partner", rules.partner, "Least belief to compare relations", kShare);
  visit("rules", "rule-least-belief", rules.least_belief, "Least belief that is a reason", kShare);
  visit("rules", "rule-least-weight", rules.least_weight, "Least weight of a pair of relations", kShare);
  visit("rules", "rule-most-weight", rules.most_weight, "Largest weight of one reason", kShareBelowOne);
  visit("rules", "rule-least-doubt", rules.least_doubt, "Least doubt that is listed", kShare);
  visit("rules", "rule-least-proposal", rules.least_proposal, "Least evidence to propose a pair", kWeight);
  visit("rules", "rule-crowd", rules.crowd, "Ignore neighbours shared by more", {1, 1e9});
  auto& beliefs = options.beliefs;
  visit("beliefs", "belief-start-rounds", beliefs.start_rounds, "Rounds before the first training",
        {1, 1000});
  visit("beliefs", "belief-start-proposals", beliefs.start_proposals, "Pairs proposed per entity there",
        kLists);
  visit("beliefs", "belief-rounds", beliefs.rounds, "Rounds after a training", {1, 1000});
  visit("beliefs", "belief-proposing-rounds", beliefs.proposing_rounds, "First ones that propose pairs",
        {0, 1000});
  visit("beliefs", "belief-proposals", beliefs.proposals, "Pairs proposed per entity there", kLists);
  visit("beliefs", "belief-most", beliefs.most, "Largest belief in a pair that is\nno seed", kShare);
  visit("beliefs", "belief-settled", beliefs.settled, "No search for other candidates\nabove it", kShare);
  visit("beliefs", "belief-support", beliefs.support, "Least belief outside of the pools\nthat is a reason",
        kShare);
  visit("beliefs", "belief-forgotten", beliefs.forgotten, "Drop candidates below this belief", kShare);
  visit("deciding", "sinkhorn-iterations", deciding.iterations, "Of Sinkhorn", {1, 100000});
  visit("deciding", "temperature", deciding.temperature, "Of Sinkhorn", kScale);
}

/// Sets the parameter of this name to what the text says. Throws ParameterError if there is none, or if the
/// text is no value of it; the message calls it `called`, by default its name.
void set_parameter(AlignOptions& options, std::string_view name, std::string_view text,
                   std::string_view called = {});

/// The names of all parameters, in the order of visit_parameters().
[[nodiscard]] std::vector<std::string> parameter_names();

/// Every parameter as a text that set_parameter() takes, in the order of visit_parameters().
[[nodiscard]] std::vector<std::pair<std::string, std::string>> parameter_texts(const AlignOptions& options);

}  // namespace dovetail
