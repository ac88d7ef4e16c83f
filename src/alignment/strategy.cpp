#include "alignment/strategy.h"

#include <fmt/format.h>
#include <set>

#include "alignment/model.h"
#include "alignment/ranking.h"
#include "common/text.h"

namespace dovetail {

Initialisation Trained::start(const Workbench& bench) const {
  return {seed, bench.nodes(tied), keys};
}

Model model_of(const Workbench& bench, const Trained& trained) {
  Model model;
  model.encoder = bench.options().encoder;
  model.seed = trained.seed;
  model.tied = trained.tied;
  model.entity_keys = trained.keys.entities;
  model.relation_keys = trained.keys.relations;
  put_parameters(trained.parameters, bench.layout(), bench.order(), model);
  return model;
}

Trained train_as_asked(Workbench& bench, const Task& task, Observer& observer, Progress& progress) {
  const AlignOptions& options = bench.options();
  if (options.mode == Mode::basic) return train_once(bench, task.links, observer, progress);
  switch (options.semi.strategy) {
    case Strategy::best:
    case Strategy::rules:
      return train_with_rules(bench, task, observer, progress);
    case Strategy::restart:
      return train_with_restarts(bench, task, observer, progress);
    case Strategy::paper:
    case Strategy::normal:
    case Strategy::no_review:
      break;
  }
  return train_incrementally(bench, task, observer, progress);
}

std::vector<Link> named_pairs(const Pools& pools, std::span<const Decision> pairs) {
  std::vector<Link> links;
  links.reserve(pairs.size());
  for (const Decision& pair : pairs) links.push_back({pools.left[pair.row], pools.right[pair.column]});
  return links;
}

void judge(std::span<const Link> found, std::span<const Link> gold, Turn& turn) {
  const std::set<Link> right(gold.begin(), gold.end());
  std::set<EntityId> left_ends, right_ends;
  for (const Link& link : gold) {
    left_ends.insert(link.left);
    right_ends.insert(link.right);
  }
  for (const Link& link : found) {
    turn.right += right.contains(link) ? 1 : 0;
    turn.judged += left_ends.contains(link.left) || right_ends.contains(link.right) ? 1 : 0;
  }
}

void judge_ranking(const Workbench& bench, const Pools& pools, const SparseScores& scores,
                   std::span<const Link> gold, std::size_t before, Turn& turn) {
  if (gold.empty()) return;
  const bool turned = bench.turned();
  std::vector<std::uint32_t> best((turned ? pools.left : pools.right).size(), kNone);
  for (const Decision& first : best_of_rows(turned ? scores : transposed(scores))) {
    best[first.row] = first.column;
  }
  std::size_t right = before;
  for (const auto& [row, column] : rows_of(bench.pair(), pools, gold)) {
    right += best[turned ? row : column] == (turned ? column : row) ? 1 : 0;
  }
  turn.hits_at_1 = static_cast<double>(right) / static_cast<double>(gold.size());
}

void tell(Observer& observer, std::size_t number, const Turn& turn) {
  std::string text = fmt::format("turn {}: ", number);
  text += turn.train_seconds == 0 ? fmt::format("rules from {} links", with_commas(turn.trained_on))
                                  : fmt::format("trained on {} links, loss {:.3f}, {:.1f} s",
                                                with_commas(turn.trained_on), turn.loss, turn.train_seconds);
  if (turn.found > 0 || turn.reviewed > 0) {
    text += fmt::format("; {} pairs found", with_commas(turn.found));
    if (turn.judged > 0) {
      text += fmt::format(", {:.1f}% of {} right",
                          100 * static_cast<double>(turn.right) / static_cast<double>(turn.judged),
                          with_commas(turn.judged));
    }
    if (turn.reviewed > 0) text += fmt::format(", {} reviewed", with_commas(turn.reviewed));
    text += fmt::format(", {:.1f} s", turn.search_seconds);
  }
  observer.note(text);
}

}  // namespace dovetail
