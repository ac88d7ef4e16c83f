#include "alignment/explainer.h"

#include <algorithm>
#include <functional>

#include "alignment/rule_scorer.h"

namespace dovetail {
namespace {

/// Correspondences of relations that are worth telling.
constexpr double kLeastShare = 0.1;
constexpr double kLeastSeen = 2;

}  // namespace

Explainer::Explainer(const GraphPair& pair, std::span<const Link> seeds, std::span<const DecidedLink> links,
                     ThreadPool& pool)
    : pair_(pair),
      rules_(pair),
      beliefs_(beliefs_of(pair, seeds, links)),
      relations_(rules_.compare_relations(beliefs_, pool)) {}

Reasons Explainer::reasons(EntityId left, EntityId right, std::size_t most) const {
  Reasons reasons = rules_.reasons(beliefs_, relations_, left, right);
  for (std::vector<Reason>* list : {&reasons.in_favour, &reasons.against}) {
    if (list->size() > most) list->resize(most);
  }
  return reasons;
}

double Explainer::evidence(EntityId left, EntityId right) const {
  double sum = 0;
  for (const Reason& reason : rules_.reasons(beliefs_, relations_, left, right).in_favour) {
    sum += reason.weight;
  }
  return sum;
}

std::vector<RelationLink> Explainer::relations() const {
  std::vector<RelationLink> links;
  for (RelationId left = 0; left < pair_.left().relation_count(); ++left) {
    const auto first = static_cast<std::ptrdiff_t>(links.size());
    for (const RelationLink& link : relations_.of(left)) {
      if (link.seen >= kLeastSeen && std::max(link.left_in_right, link.right_in_left) >= kLeastShare) {
        links.push_back(link);
      }
    }
    std::ranges::stable_sort(
        links.begin() + first, links.end(), std::greater(),
        [](const RelationLink& link) { return std::min(link.left_in_right, link.right_in_left); });
  }
  return links;
}

}  // namespace dovetail
