#include "alignment/confidence_fit.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "deciding/belief_loop.h"
#include "deciding/decoders.h"

namespace dovetail {
namespace {

/// Held-out links that a fit needs at least.
constexpr std::size_t kFewest = 5;
constexpr double kKept = 0.8;
constexpr std::size_t kTurns = 2;

std::vector<std::uint32_t> degrees(const KnowledgeGraph& graph, std::span<const EntityId> entities) {
  std::vector<std::uint32_t> result;
  result.reserve(entities.size());
  for (const EntityId entity : entities) result.push_back(static_cast<std::uint32_t>(graph.degree(entity)));
  return result;
}

using WantedPairs =
    std::vector<std::pair<std::uint32_t, std::uint32_t>>;  // held-out rows and columns, ascending

/// On the decisions for held-out rows or columns: is the link right?
LogisticModel fit_links(Side side, const GraphPair& pair, const Pools& pools, const Ranking& ranking,
                        const WantedPairs& wanted, Cardinality cardinality) {
  std::vector<bool> held_out((side == Side::left ? pools.left : pools.right).size(), false);
  for (const auto& [row, column] : wanted) held_out[side == Side::left ? row : column] = true;
  std::vector<Decision> decisions = select(ranking.decoded, cardinality);
  std::erase_if(decisions, [&](const Decision& decision) {
    return !held_out[side == Side::left ? decision.row : decision.column];
  });
  std::vector<std::uint8_t> right;
  for (const Decision& decision : decisions) {
    const bool found = std::ranges::binary_search(wanted, std::pair(decision.row, decision.column));
    right.push_back(found ? 1 : 0);
  }
  return fit_logistic(decision_features(pair, pools, ranking.scores, ranking.probabilities, decisions),
                      right);
}

/// On the best candidates of held-out rows or columns, after every second one's counterpart has been taken
/// away: is it gone?
LogisticModel fit_none(Side side, const GraphPair& pair, const Pools& pools, const Ranking& ranking,
                       const WantedPairs& wanted, Cardinality cardinality, ThreadPool& pool) {
  const bool left = side == Side::left;
  enum class Fate : std::uint8_t { not_held_out, stays, gone };
  std::vector<Fate> own((left ? pools.left : pools.right).size(), Fate::not_held_out);
  std::vector<bool> stays((left ? pools.right : pools.left).size(), true);
  for (const auto& [row, column] : wanted) {
    const bool gone = row % 2 == 0;
    own[left ? row : column] = gone ? Fate::gone : Fate::stays;
    if (gone) stays[left ? column : row] = false;
  }
  const PairScores scores = only_pairs(
      ranking.scores, [&](std::size_t row, std::uint32_t column) { return stays[left ? column : row]; });
  const LinkProbabilities probabilities = probabilities_of(scores, cardinality, pool);
  std::vector<Decision> decisions =
      left ? best_of_rows(probabilities.pairs) : best_of_columns(probabilities.pairs);
  const auto fate = [&](const Decision& decision) { return own[left ? decision.row : decision.column]; };
  std::erase_if(decisions, [&](const Decision& decision) { return fate(decision) == Fate::not_held_out; });
  std::vector<std::uint8_t> gone;
  for (const Decision& decision : decisions) gone.push_back(fate(decision) == Fate::gone ? 1 : 0);
  return fit_logistic(decision_features(pair, pools, scores, probabilities, decisions), gone);
}

Pools with_ends(const Pools& pools, const std::vector<Link>& links) {
  const Pools ends = closed_pools(links);
  Pools wider{.left = {}, .right = {}, .apart = pools.apart};
  std::ranges::set_union(pools.left, ends.left, std::back_inserter(wider.left));
  std::ranges::set_union(pools.right, ends.right, std::back_inserter(wider.right));
  return wider;
}

}  // namespace

FeatureTable decision_features(const GraphPair& pair, const Pools& pools, const PairScores& scores,
                               const LinkProbabilities& probabilities, std::span<const Decision> decisions) {
  const std::vector<std::uint32_t> left = degrees(pair.left(), pools.left),
                                   right = degrees(pair.right(), pools.right);
  ConfidenceSources sources{.row_degree = left, .column_degree = right};
  for (const SignalScores& own : scores.by_signal) {
    sources.scores.push_back({std::string(own.name), own.score});
  }
  return link_features(probabilities, decisions, sources);
}

std::optional<HeldOut> hold_out(const SeedLinks& links, const Pools& pools, const AlignOptions& options) {
  SeedLinks fifth =
      split_links(links.train, {.seed_ratio = kKept, .valid_ratio = 0, .seed = options.seed + 1});
  if (fifth.test.size() < kFewest) return std::nullopt;
  HeldOut held{.links = std::move(fifth.test), .kept = {}, .pools = {}, .options = options};
  held.kept.train = std::move(fifth.train);
  held.pools = with_ends(pools, held.links);
  held.pools.known = held.kept.train;
  std::ranges::sort(held.pools.known);
  held.options.encoder.dimension = std::min(options.encoder.dimension, options.semi.scout_dimension);
  held.options.semi.turns = kTurns;
  return held;
}

std::optional<ConfidenceModel> fit_confidence(const GraphPair& pair, const SeedLinks& links,
                                              const Pools& pools, const AlignOptions& options,
                                              const SignalSources& sources, Decoder decoder,
                                              Observer& observer) {
  const std::optional<HeldOut> held = hold_out(links, pools, options);
  if (!held) return std::nullopt;
  Workbench bench(pair, held->options, &observer);
  Progress progress;
  Observer silent;
  observer.progress("confidence", 0, 2, "passes");
  const Task task{held->kept, held->pools, {}, sources};
  const Trained trained = train_as_asked(bench, task, silent, progress);
  observer.progress("confidence", 1, 2, "passes");
  const Ranking ranking = rank_pools(bench, trained, held->pools, {}, sources, decoder, silent);
  WantedPairs wanted = rows_of(pair, held->pools, held->links);
  std::ranges::sort(wanted);
  const auto links_of = [&](Side side) {
    return fit_links(side, pair, held->pools, ranking, wanted, options.deciding.cardinality);
  };
  const auto none_of = [&](Side side) {
    return fit_none(side, pair, held->pools, ranking, wanted, options.deciding.cardinality, bench.pool());
  };
  ConfidenceModel model{.link = links_of(Side::left),
                        .none = none_of(Side::left),
                        .none_right = none_of(Side::right),
                        .link_right = links_of(Side::right),
                        .examples = held->links.size()};
  observer.progress("confidence", 2, 2, "passes");
  return model;
}

}  // namespace dovetail
