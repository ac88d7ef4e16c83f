#include "alignment/plan.h"

#include <dovetail/errors.h>
#include <dovetail/parameters.h>

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "alignment/effect.h"
#include "alignment/memory_plan.h"
#include "alignment/signal_inputs.h"
#include "alignment/strategy.h"
#include "common/memory_limit.h"
#include "common/text.h"
#include "signals/structure.h"

namespace dovetail {
namespace {

/// Trainings of each strategy where the options name no number.
constexpr std::size_t kBestTurns = 2, kRestartTurns = 4, kIncrementalTurns = 10;
/// Fewer do where a signal tells entities apart by itself: most pairs are found in the first turn.
constexpr std::size_t kRestartTurnsWhereIdentified = 3;

void require_entities(const LoadedPair& pair) {
  for (const Side side : {Side::left, Side::right}) {
    if (pair.graphs.graph(side).entity_count() > 0) continue;
    const bool left = side == Side::left;
    const PairSource& source = pair.source;
    const std::filesystem::path& file = !source.folder.empty() ? source.folder
                                        : left                 ? source.left
                                                               : source.right;
    const std::string problem =
        fmt::format("the {} graph has no entities; expected triples, at least one; is this the right file?",
                    left ? "left" : "right");
    if (file.empty()) throw ParameterError(problem);
    throw InputError(file.string(), 0, problem);
  }
}

void settle_deciding(const LoadedPair& pair, AlignOptions& options) {
  DecidingOptions& deciding = options.deciding;
  if (deciding.pool == CandidatePool::automatic) {
    // In a user's own files all is looked at, test links or not.
    const bool own_files = !pair.source.left.empty();
    deciding.pool = pair.links.test.empty() || own_files ? CandidatePool::open : CandidatePool::test;
  }
  if (deciding.pool == CandidatePool::test && pair.links.test.empty()) {
    throw ParameterError(
        "candidates is test, but there are no test links; expected open, or links divided with "
        "--seed-ratio");
  }
  if (deciding.decoder == Decoder::automatic) {
    deciding.decoder = options.mode == Mode::basic ? Decoder::csls : Decoder::sinkhorn;
  }
}

/// A left entity of a seed may have more counterparts where links need not be one to one.
void take_in_seeds(const GraphPair& graphs, Cardinality cardinality, Pools& pools) {
  if (cardinality != Cardinality::one_to_one) pools.left = open_pools(graphs, {}).left;
}

/// Chooses how the run keeps to the memory that it may take, unless it has begun in some way.
MemoryPlan settle_memory(const LoadedPair& pair, const Pools& largest, const std::optional<MemoryPlan>& begun,
                         AlignOptions& options) {
  const bool asked = options.memory.count > 0;
  const MemoryLimit limit = memory_limit();
  const MemoryPlan plan =
      plan_memory(run_size(pair, largest, options), options, asked ? options.memory.count : limit.bytes,
                  asked ? "--memory" : fmt::format("the limit of {}", limit.origin), begun);
  options.encoder.dimension = plan.dimension;
  options.sampling.method = plan.sampling;
  options.training.batch_size = plan.batch_size;
  options.matching.candidates = plan.candidates;
  if (!plan.vectors_in_files) {
    options.scratch.clear();
  } else if (options.scratch.empty()) {
    options.scratch = std::filesystem::temp_directory_path();
  }
  return plan;
}

/// What a plan settles, as rows of name and value.
std::vector<std::pair<std::string, std::string>> settled_rows(const Plan& plan) {
  const AlignOptions& options = plan.options;
  const bool basic = options.mode == Mode::basic;
  std::vector<std::pair<std::string, std::string>> rows = {
      {"mode", std::string(enum_name(options.mode))},
      {"signals", fmt::format("{}", fmt::join(plan.signals, ", "))},
      {"strategy", basic ? "trained once on the seeds" : std::string(enum_name(options.semi.strategy))},
      {"trainings", fmt::format("{}", plan.trainings)},
      {"entities", fmt::format("{} left, {} right ({})", with_commas(plan.left_pool),
                               with_commas(plan.right_pool), enum_name(options.deciding.pool))},
      {"decoder", std::string(enum_name(options.deciding.decoder))},
      {"candidates", fmt::format("{} for each entity", plan.candidates)},
      {"memory", fmt::format("{}{}", human_bytes(plan.memory.bytes),
                             plan.memory.vectors_in_files ? ", vectors in files" : "")}};
  return rows;
}

}  // namespace

AlignOptions with_trainings_settled(AlignOptions options) {
  SemiOptions& semi = options.semi;
  if (options.mode == Mode::basic) return options;
  if (semi.strategy == Strategy::best && options.encoder.dimension > 0 && !is_given(options, "dimension")) {
    options.encoder.dimension = std::min(options.encoder.dimension, semi.scout_dimension);
  }
  if (semi.strategy == Strategy::best || semi.strategy == Strategy::restart) {
    if (is_given(options, "batch-size")) semi.restart_batch = options.training.batch_size;
    if (is_given(options, "learning-rate")) semi.restart_rate = options.training.learning_rate;
    if (is_given(options, "epochs")) semi.restart_steps = 0;
  }
  if (is_given(options, "sinkhorn-iterations") && !is_given(options, "rule-iterations")) {
    options.rules.iterations = options.deciding.iterations;
  }
  if (is_given(options, "temperature")) options.deciding.combined_temperature = options.deciding.temperature;
  return options;
}

std::size_t planned_trainings(const AlignOptions& options, bool identified) {
  if (options.mode == Mode::basic) return 1;
  const std::size_t asked = options.semi.turns;
  switch (options.semi.strategy) {
    case Strategy::rules:
      return 0;
    case Strategy::best:
      return asked > 0 ? asked : kBestTurns;
    case Strategy::restart:
      return asked > 0 ? asked : identified ? kRestartTurnsWhereIdentified : kRestartTurns;
    case Strategy::paper:
    case Strategy::normal:
    case Strategy::no_review:
      break;
  }
  return asked > 0 ? asked : kIncrementalTurns;
}

Settled settle(const LoadedPair& pair, const AlignOptions& options, const std::optional<MemoryPlan>& begun,
               ThreadPool& pool, Observer& observer) {
  check_options(options);
  require_entities(pair);
  AlignOptions settled = options;
  if (pair.shared_identifiers > 0) {
    observer.note(fmt::format(
        "{} entit{} the same IRI in both graphs and {} taken for seeds (--shared-identifiers ignore: not so)",
        with_commas(pair.shared_identifiers), pair.shared_identifiers == 1 ? "y has" : "ies have",
        pair.shared_identifiers == 1 ? "is" : "are"));
  }
  SignalSources sources = make_signals(pair.graphs, pair.links, settled, signal_inputs(), pool, observer);
  if (pair.links.train.empty()) {
    if (!sources.identify()) require_seeds(pair.links);
    observer.note(fmt::format("there are no seed links: alignment starts from the surest matches of {}",
                              fmt::join(sources.identifying(), " and ")));
  }
  settle_deciding(pair, settled);
  settled = with_trainings_settled(std::move(settled));
  Settled result{.plan = {},
                 .sources = std::move(sources),
                 .closed = closed_pools(pair.links.test),
                 .open = open_pools(pair.graphs, pair.links.train)};
  take_in_seeds(pair.graphs, settled.deciding.cardinality, result.open);
  result.closed.apart = result.open.apart = pair.links.apart;
  result.open.known = pair.links.train;
  std::ranges::sort(result.open.known);
  result.closed.known = result.open.known;
  const bool closed_alone = settled.deciding.pool == CandidatePool::test && !settled.deciding.compare;
  Plan& plan = result.plan;
  plan.memory = settle_memory(pair, closed_alone ? result.closed : result.open, begun, settled);
  plan.trainings = planned_trainings(settled, result.sources.identify());
  refuse_without_effect(settled);
  plan.options = std::move(settled);
  plan.signals = result.sources.names();
  plan.left_pool = result.pools().left.size();
  plan.right_pool = result.pools().right.size();
  plan.candidates = settled_candidates(plan.options, plan.left_pool, plan.right_pool);
  return result;
}

Plan settle(const LoadedPair& pair, const AlignOptions& options, Observer& observer) {
  ThreadPool pool(options.threads, &observer);
  return settle(pair, options, std::nullopt, pool, observer).plan;
}

std::string plan_text(const Plan& plan) {
  std::string text;
  for (const auto& [name, value] : settled_rows(plan)) text += fmt::format("{:<12}{}\n", name, value);
  const std::map<std::string, std::string> out = without_effect(plan.options);
  text += "\nOptions that have an effect:\n";
  for (const auto& [name, value] : parameter_texts(plan.options)) {
    if (!out.contains(name) && !value.empty()) text += fmt::format("  {:<22}{}\n", name, value);
  }
  return text;
}

std::string plan_json(const Plan& plan) {
  using nlohmann::json;
  json effective = json::object(), ruled_out = json::object();
  const std::map<std::string, std::string> out = without_effect(plan.options);
  for (const auto& [name, value] : parameter_texts(plan.options)) {
    if (!out.contains(name)) effective[name] = value;
  }
  for (const auto& [name, reason] : out) ruled_out[name] = reason;
  const AlignOptions& options = plan.options;
  const json record = {{"mode", enum_name(options.mode)},
                       {"strategy", enum_name(options.semi.strategy)},
                       {"signals", plan.signals},
                       {"trainings", plan.trainings},
                       {"pool", enum_name(options.deciding.pool)},
                       {"left_entities", plan.left_pool},
                       {"right_entities", plan.right_pool},
                       {"decoder", enum_name(options.deciding.decoder)},
                       {"candidates", plan.candidates},
                       {"dimension", options.encoder.dimension},
                       {"sampling", enum_name(options.sampling.method)},
                       {"memory_bytes", plan.memory.bytes},
                       {"vectors_in_files", plan.memory.vectors_in_files},
                       {"options", effective},
                       {"without_effect", ruled_out}};
  return record.dump(2) + "\n";
}

}  // namespace dovetail
