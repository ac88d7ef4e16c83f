#pragma once

#include <dovetail/evidence.h>
#include <dovetail/graph.h>
#include <dovetail/links.h>
#include <dovetail/observer.h>
#include <dovetail/options.h>
#include <dovetail/pools.h>

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "common/threads.h"
#include "graph/word_vectors.h"
#include "matching/match_vectors.h"
#include "matching/matcher.h"
#include "pairs/beliefs.h"
#include "pairs/sparse_scores.h"

namespace dovetail {

class Signal;
struct ValueModel;

/// What signals have learned in a run, for those who write it down or give reasons.
struct LearnedBySignals {
  std::shared_ptr<const ValueModel> values = nullptr;
};

/// What one signal says of candidate pairs, in the order of the pairs.
struct SignalScores {
  std::string_view name{};
  const Signal* signal = nullptr;                ///< null when the signals are gone
  std::vector<float> score{};                    ///< [pairs]
  std::vector<float> left_mean{}, right_mean{};  ///< of the nearest ones, which CSLS subtracts; or empty
  bool complete = false;                         ///< found among all pairs of the pools
};

/// What is known of the candidate pairs of two pools. Rows and columns are positions in the pools.
struct PairScores {
  SparseScores combined;                ///< the pairs, and what the signals' scores add up to
  std::vector<SignalScores> by_signal;  ///< of those that have something to say
  double temperature = 1;               ///< of `combined`, for Sinkhorn
  std::size_t iterations = 10;          ///< the same
  /// The score of having no counterpart, for Sinkhorn; nothing in closed pools, where all have one.
  std::optional<double> no_counterpart = std::nullopt;
};

/// One source of what says that two entities are the same, for the entities of two pools: it proposes pairs,
/// scores pairs and says what its scores are worth beside those of others.
class Signal {
 public:
  Signal() = default;
  Signal(const Signal&) = delete;
  Signal& operator=(const Signal&) = delete;
  virtual ~Signal() = default;

  [[nodiscard]] virtual std::string_view name() const = 0;
  /// Whether it has something to say now.
  [[nodiscard]] virtual bool speaks() const { return true; }
  /// Whether it tells entities apart by itself, so that a belief needs no reason from neighbours.
  [[nodiscard]] virtual bool identifies() const { return false; }

  // What it learns from; both must stay valid as long as it is asked.

  /// The vectors of the pools' entities after a training on `known` links; null: there are none.
  virtual void take_vectors(const MatchVectors* vectors, std::span<const Link> known);
  /// What is believed now.
  virtual void take_beliefs(const Beliefs& beliefs);

  // Pairs and their scores.

  /// The pairs that it proposes by itself, with their scores. Entities that are settled by what is believed
  /// (pairs of the pools; null: nothing is) need not be looked for.
  [[nodiscard]] virtual std::optional<Found> propose(const SparseScores* believed) const;
  /// Of any pair; 0 for a signal that gathers.
  [[nodiscard]] virtual float score(std::size_t row, std::size_t column) const;
  /// For signals whose scores change with beliefs: the scores of `pairs`, and of up to `proposals` others for
  /// each row.
  [[nodiscard]] virtual std::optional<SparseScores> gather(const SparseScores& pairs,
                                                           std::size_t proposals) const;

  // What scores are worth.

  /// Whether scores are cosines, which may be added to other cosines as they are.
  [[nodiscard]] virtual bool is_cosine() const { return false; }
  /// Scores as decoders use them where this signal is alone, in its own unit: with the CSLS correction if
  /// there are means.
  virtual void correct(const SparseScores& pairs, const SignalScores& own, std::span<float> out) const;
  /// From corrected scores to what they are worth beside other signals, in logits.
  virtual void weigh(std::span<float> corrected) const = 0;
  /// Sinkhorn's, where this signal is alone.
  [[nodiscard]] virtual double temperature() const = 0;
  /// Sinkhorn's; the signal that needs most decides.
  [[nodiscard]] virtual std::size_t iterations() const = 0;

  // What follows from scores.

  /// Lowers beliefs in pairs for which this signal has no reason.
  virtual void dampen(std::span<const float> own, std::span<float> beliefs) const;
  /// Probabilities of pairs of other entities than the pools', by what is believed.
  [[nodiscard]] virtual SparseScores support(std::span<const EntityId> left,
                                             std::span<const EntityId> right) const;
  /// Ranks of pairs among all pairs of the pools, also where a pair is not among the candidates. Nothing for
  /// a signal that cannot look at all pairs.
  [[nodiscard]] virtual std::optional<PairRanks> rank(const SparseScores& scores, const SignalScores& own,
                                                      RowPairs pairs) const;
};

/// What signals take from outside of the graphs. It is handed to them: they open no file.
struct SignalInputs {
  WordVectorReader word_vectors;
  std::vector<AttributeRule> (*attribute_rules)(const std::filesystem::path& file, Observer& observer);
};

/// What the source of a signal is made from. The pair must stay valid as long as the source, the rest during
/// the call.
struct SignalContext {
  const GraphPair& pair;
  const AlignOptions& options;
  const SignalInputs& inputs;
  ThreadPool& pool;
  Observer& observer;
};

/// What a signal needs of the two graphs, made once for all pools.
class SignalSource {
 public:
  SignalSource() = default;
  SignalSource(const SignalSource&) = delete;
  SignalSource& operator=(const SignalSource&) = delete;
  virtual ~SignalSource() = default;

  [[nodiscard]] virtual std::string_view name() const = 0;
  [[nodiscard]] virtual bool identifies() const { return false; }
  /// Source, pools, options and threads must stay valid as long as the signal.
  [[nodiscard]] virtual std::unique_ptr<Signal> in(const Pools& pools, const AlignOptions& options,
                                                   ThreadPool& pool) const = 0;
  /// Adds what it has learned from these known links, for some pools.
  virtual void tell_learned(std::span<const Link> known, LearnedBySignals& learned) const;
};

/// Says why links hold, from the links themselves.
class ReasonGiver {
 public:
  ReasonGiver() = default;
  ReasonGiver(const ReasonGiver&) = delete;
  ReasonGiver& operator=(const ReasonGiver&) = delete;
  virtual ~ReasonGiver() = default;

  /// What speaks for a pair and what against it, the `most` weightiest of each; the pair itself is not taken
  /// for granted.
  [[nodiscard]] virtual Reasons reasons(EntityId left, EntityId right, std::size_t most) const = 0;
  /// All that speaks for a pair, added up.
  [[nodiscard]] virtual double evidence(EntityId left, EntityId right) const = 0;
  /// The relations that correspond, for signals that compare them.
  [[nodiscard]] virtual std::vector<RelationLink> relations() const { return {}; }
};

}  // namespace dovetail
