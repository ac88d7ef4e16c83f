#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "signals/signals.h"

namespace dovetail {

/// One entry of the list of signals. A new signal has a file of its own and an entry in list.cpp.
struct SignalKind {
  std::string_view name;
  /// Whether a run with these options, their mode settled, uses it.
  bool (*used)(const AlignOptions& options);
  /// Memory that it is planned to take for each entity; 0 for one that is planned in detail.
  std::uint64_t bytes_per_entity;
  /// Pairs that it is planned to add for each left entity of a pool.
  std::size_t pairs_per_entity;
  /// The unit in which its scores are combined, for signals whose unit can be learned; else null.
  double& (*unit)(AlignOptions& options);
  std::unique_ptr<SignalSource> (*make)(const SignalContext& context);
  /// What gives its reasons; null for a signal that has none to give.
  std::unique_ptr<ReasonGiver> (*explain)(const GraphPair& pair, const AlignOptions& options,
                                          const Beliefs& decided, const LearnedBySignals& learned,
                                          ThreadPool& pool);
};

/// All signals, in the order in which they are combined.
[[nodiscard]] std::span<const SignalKind> signal_kinds();

/// The signals of a run, before pools are known.
class SignalSources {
 public:
  explicit SignalSources(std::vector<std::unique_ptr<SignalSource>> sources) : sources_(std::move(sources)) {}

  /// Whether one of them tells entities apart by itself.
  [[nodiscard]] bool identify() const { return !identifying().empty(); }
  /// The names of those that do.
  [[nodiscard]] std::vector<std::string> identifying() const;
  [[nodiscard]] std::vector<std::string> names() const;
  /// What they have learned from these known links.
  [[nodiscard]] LearnedBySignals learned(std::span<const Link> known) const;
  /// Everything must stay valid as long as the signals.
  [[nodiscard]] Signals in(const Pools& pools, const AlignOptions& options, ThreadPool& pool) const;

 private:
  std::vector<std::unique_ptr<SignalSource>> sources_;
};

/// The signals that a run with these options uses. An automatic mode is settled: by what tells the pair's
/// entities apart. The pair must stay valid as long as the sources.
[[nodiscard]] SignalSources make_signals(const GraphPair& pair, const SeedLinks& links, AlignOptions& options,
                                         const SignalInputs& inputs, ThreadPool& pool, Observer& observer);

}  // namespace dovetail
