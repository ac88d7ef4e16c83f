#include "signals/list.h"

#include <array>
#include <utility>

#include "signals/names.h"
#include "signals/rules.h"
#include "signals/structure.h"
#include "signals/values.h"

namespace dovetail {
namespace {

bool uses_structure(const AlignOptions& options) {
  return options.mode == Mode::basic || options.semi.strategy != Strategy::rules;
}

bool uses_names(const AlignOptions& options) {
  return options.mode == Mode::names;
}

bool uses_values(const AlignOptions& options) {
  return options.mode == Mode::values;
}

constexpr std::size_t kRulePairs = 20;

const std::array<SignalKind, 4> kKinds = {{
    {.name = "structure",
     .used = uses_structure,
     .bytes_per_entity = 0,
     .pairs_per_entity = 0,
     .unit = [](AlignOptions& options) -> double& { return options.deciding.structure_scale; },
     .make = structure_source,
     .explain = nullptr},
    {.name = "names",
     .used = uses_names,
     .bytes_per_entity = kNameBytes,
     .pairs_per_entity = 0,
     .unit = [](AlignOptions& options) -> double& { return options.deciding.name_scale; },
     .make = name_source,
     .explain = nullptr},
    {.name = "values",
     .used = uses_values,
     .bytes_per_entity = kValueBytes,
     .pairs_per_entity = 0,
     .unit = nullptr,
     .make = value_source,
     .explain = value_reasons},
    {.name = "rules",
     .used = uses_rules,
     .bytes_per_entity = kRuleBytes,
     .pairs_per_entity = kRulePairs,
     .unit = nullptr,
     .make = rule_source,
     .explain = [](const GraphPair& pair, const AlignOptions& options, const Beliefs& decided,
                   const LearnedBySignals&,
                   ThreadPool& pool) { return rule_reasons(pair, options, decided, pool); }},
}};

/// Settles an automatic mode; returns the source of names where it was made for that and is used.
std::unique_ptr<SignalSource> settle_mode(const SignalContext& context, const SeedLinks& links,
                                          AlignOptions& options) {
  if (options.mode == Mode::values) require_values(context.pair);
  if (options.mode == Mode::automatic && values_help(context.pair)) {
    options.mode = Mode::values;
    context.observer.note("values tell entities apart and are used beside structure");
  }
  if (options.mode != Mode::names && options.mode != Mode::automatic) return nullptr;
  std::unique_ptr<SignalSource> names = name_source(context);
  if (options.mode == Mode::names) {
    require_names(*names, !links.train.empty());
    return names;
  }
  const bool help = names_help(context.pair, links, *names);
  options.mode = help ? Mode::names : Mode::semi;
  context.observer.note(help ? "names tell entities apart and are used beside structure"
                             : "names do not tell which entities belong together: structure only");
  return help ? std::move(names) : nullptr;
}

}  // namespace

std::span<const SignalKind> signal_kinds() {
  return kKinds;
}

std::vector<std::string> SignalSources::identifying() const {
  std::vector<std::string> names;
  for (const auto& source : sources_) {
    if (source->identifies()) names.emplace_back(source->name());
  }
  return names;
}

std::vector<std::string> SignalSources::names() const {
  std::vector<std::string> names;
  for (const auto& source : sources_) names.emplace_back(source->name());
  return names;
}

LearnedBySignals SignalSources::learned(std::span<const Link> known) const {
  LearnedBySignals learned;
  for (const auto& source : sources_) source->tell_learned(known, learned);
  return learned;
}

Signals SignalSources::in(const Pools& pools, const AlignOptions& options, ThreadPool& pool) const {
  std::vector<std::unique_ptr<Signal>> signals;
  for (const auto& source : sources_) signals.push_back(source->in(pools, options, pool));
  return {std::move(signals), pools, options.deciding.combined_temperature, pool,
          options.deciding.pool == CandidatePool::open};
}

SignalSources make_signals(const GraphPair& pair, const SeedLinks& links, AlignOptions& options,
                           const SignalInputs& inputs, ThreadPool& pool, Observer& observer) {
  const SignalContext context{
      .pair = pair, .options = options, .inputs = inputs, .pool = pool, .observer = observer};
  std::unique_ptr<SignalSource> made = settle_mode(context, links, options);
  std::vector<std::unique_ptr<SignalSource>> sources;
  for (const SignalKind& kind : kKinds) {
    if (!kind.used(options)) continue;
    const bool there = made != nullptr && made->name() == kind.name;
    sources.push_back(there ? std::move(made) : kind.make(context));
  }
  return SignalSources(std::move(sources));
}

}  // namespace dovetail
