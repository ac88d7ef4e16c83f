#include <dovetail/explainer.h>

#include <algorithm>
#include <functional>
#include <iterator>

#include "deciding/belief_loop.h"
#include "signals/list.h"

namespace dovetail {

Explainer::Explainer(const GraphPair& pair, const AlignOptions& options, std::span<const Link> seeds,
                     std::span<const DecidedLink> links)
    : Explainer(pair, options, seeds, links, LearnedBySignals{}) {}

Explainer::Explainer(const GraphPair& pair, const AlignOptions& options, std::span<const Link> seeds,
                     std::span<const DecidedLink> links, const LearnedBySignals& learned) {
  ThreadPool pool(options.threads);
  const Beliefs decided = beliefs_of(pair, seeds, links);
  for (const SignalKind& kind : signal_kinds()) {
    if (kind.explain != nullptr) givers_.push_back(kind.explain(pair, options, decided, learned, pool));
  }
}

Explainer::~Explainer() = default;

Reasons Explainer::reasons(EntityId left, EntityId right, std::size_t most) const {
  Reasons all;
  const auto take = [](std::vector<Reason>& from, std::vector<Reason>& to) {
    to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
  };
  for (const auto& giver : givers_) {
    Reasons own = giver->reasons(left, right, most);
    take(own.in_favour, all.in_favour);
    take(own.against, all.against);
  }
  for (std::vector<Reason>* list : {&all.in_favour, &all.against}) {
    std::ranges::stable_sort(*list, std::greater(), &Reason::weight);
    if (list->size() > most) list->resize(most);
  }
  return all;
}

double Explainer::evidence(EntityId left, EntityId right) const {
  double sum = 0;
  for (const auto& giver : givers_) sum += giver->evidence(left, right);
  return sum;
}

std::vector<RelationLink> Explainer::relations() const {
  std::vector<RelationLink> links;
  for (const auto& giver : givers_) {
    const std::vector<RelationLink> own = giver->relations();
    links.insert(links.end(), own.begin(), own.end());
  }
  return links;
}

}  // namespace dovetail
