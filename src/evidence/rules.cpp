#include "evidence/rules.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

namespace dovetail {
namespace {

/// Parts that rows are divided into: each clears an array over all columns.
constexpr std::size_t kParts = 64;

/// Of edges in ascending order, those from the first one of a relation on.
std::span<const Edge> from_relation(std::span<const Edge> edges, RelationId relation) {
  const auto first = std::ranges::lower_bound(edges, relation, {}, &Edge::relation);
  return edges.subspan(static_cast<std::size_t>(first - edges.begin()));
}

/// Whether more edges than `crowd` are of the first one's relation.
bool is_crowd(std::span<const Edge> edges, std::size_t crowd) {
  return edges.size() > crowd && edges[crowd].relation == edges[0].relation;
}

/// Whether the neighbour of this edge has a crowd of such edges.
bool crowded(const KnowledgeGraph& graph, const Edge& edge, std::size_t crowd) {
  const std::span<const Edge> all = graph.edges(edge.neighbour);
  return all.size() > crowd && is_crowd(from_relation(all, inverse(graph, edge.relation)), crowd);
}

}  // namespace

/// By left relation, ascending by the relation back.
struct Rules::Weights : CompressedRows<Weight> {};

Rules::Rules(const GraphPair& pair, const RuleOptions& options)
    : pair_(pair),
      options_(options),
      comparer_(pair),
      left_functionality_(inverse_functionality(pair.left())),
      right_functionality_(inverse_functionality(pair.right())) {}

RelationLinks Rules::compare_relations(const Beliefs& beliefs, ThreadPool& pool) const {
  return comparer_.compare(beliefs, options_.partner, pool);
}

Rules::Weight Rules::weight(const RelationLink& link) const {
  const double by_left = link.right_in_left * left_functionality_[link.left];
  const double by_right = link.left_in_right * right_functionality_[link.right];
  return {.back = inverse(pair_.right(), link.right),
          .by_left = static_cast<float>(std::min(by_left, options_.most_weight)),
          .by_right = static_cast<float>(std::min(by_right, options_.most_weight))};
}

Rules::Weights Rules::weigh(const RelationLinks& relations) const {
  Weights result;
  const auto least = static_cast<float>(options_.least_weight);
  for (RelationId r = 0; r < relations.left_count(); ++r) {
    for (const RelationLink& link : relations.of(r)) {
      const Weight own = weight(link);
      if (own.by_left + own.by_right >= least) result.push_back(own);
    }
    std::ranges::sort(result.unended(), {}, &Weight::back);
    result.end_row();
  }
  return result;
}

/// The evidence of one row: a sum by column.
class Rules::RowSum {
 public:
  RowSum(std::size_t columns, float least_proposal) : sum_(columns, 0), least_proposal_(least_proposal) {}

  void add(std::uint32_t column, float evidence) {
    if (sum_[column] == 0) touched_.push_back(column);
    sum_[column] += evidence;
  }

  /// The columns asked for and the `proposals` best others, ascending; clears the row.
  std::vector<Scored> take(std::span<const std::uint32_t> asked, std::size_t proposals) {
    std::vector<Scored> result, others;
    for (const std::uint32_t column : asked) {
      result.push_back({column, sum_[column]});
      sum_[column] = 0;
    }
    for (const std::uint32_t column : touched_) {
      if (sum_[column] > least_proposal_) others.push_back({column, sum_[column]});
      sum_[column] = 0;
    }
    touched_.clear();
    const auto kept = static_cast<std::ptrdiff_t>(std::min(proposals, others.size()));
    std::ranges::partial_sort(others, others.begin() + kept, better);
    result.insert(result.end(), others.begin(), others.begin() + kept);
    std::ranges::sort(result, {}, &Scored::number);
    return result;
  }

 private:
  std::vector<float> sum_;
  float least_proposal_;
  std::vector<std::uint32_t> touched_;
};

void Rules::gather(const Beliefs& beliefs, const Weights& weights, EntityId entity,
                   std::span<const std::uint32_t> column_of, RowSum& sum) const {
  const auto least_belief = static_cast<float>(options_.least_belief);
  for (const Edge& edge : pair_.left().edges(entity)) {
    const std::span<const Weight> of_relation = weights[edge.relation];
    const auto neighbours = beliefs.columns_of(edge.neighbour);
    if (of_relation.empty() || neighbours.empty() || crowded(pair_.left(), edge, options_.crowd)) continue;
    const auto probabilities = beliefs.scores_of(edge.neighbour);
    for (std::size_t n = 0; n < neighbours.size(); ++n) {
      if (probabilities[n] <= least_belief) continue;
      std::span<const Edge> back = pair_.right().edges(neighbours[n]);
      for (const Weight& weight : of_relation) {
        back = from_relation(back, weight.back);
        if (back.empty()) break;
        if (back[0].relation != weight.back || is_crowd(back, options_.crowd)) continue;
        const float more = weight.evidence(probabilities[n]);
        for (const Edge& their : back) {
          if (their.relation != weight.back) break;
          const std::uint32_t column = column_of[their.neighbour];
          if (column != kNone) sum.add(column, more);
        }
      }
    }
  }
}

SparseScores Rules::evidence(const Beliefs& beliefs, const RelationLinks& relations,
                             std::span<const EntityId> left, std::span<const EntityId> right,
                             const SparseScores& pairs, std::size_t proposals, ThreadPool& pool) const {
  const Weights weights = weigh(relations);
  std::vector<std::uint32_t> column_of(pair_.right().entity_count(), kNone);
  for (std::uint32_t c = 0; c < right.size(); ++c) column_of[right[c]] = c;
  std::vector<std::vector<Scored>> rows(left.size());
  pool.for_ranges(left.size(), left.size() / kParts + 1, [&](std::size_t first, std::size_t last) {
    RowSum sum(right.size(), static_cast<float>(options_.least_proposal));
    for (std::size_t row = first; row < last; ++row) {
      gather(beliefs, weights, left[row], column_of, sum);
      rows[row] = sum.take(pairs.columns_of(row), proposals);
    }
  });
  SparseScores out = no_pairs(0, right.size());
  for (const std::vector<Scored>& row : rows) {
    for (const Scored& item : row) {
      out.column.push_back(item.number);
      out.score.push_back(item.score);
    }
    out.begin.push_back(out.column.size());
  }
  return out;
}

RuleReasons Rules::reasons(const Beliefs& beliefs, const RelationLinks& relations, EntityId left,
                           EntityId right) const {
  RuleReasons reasons;
  const auto least_belief = static_cast<float>(options_.least_belief);
  const auto least_weight = static_cast<float>(options_.least_weight);
  const std::span<const Edge> theirs = pair_.right().edges(right);
  const auto edges_by = [&](RelationId relation) {
    const auto first = std::ranges::lower_bound(theirs, relation, {}, &Edge::relation);
    const auto last = std::ranges::upper_bound(theirs, relation, {}, &Edge::relation);
    return std::span<const Edge>(first, last);
  };
  for (const Edge& edge : pair_.left().edges(left)) {
    const std::span<const RelationLink> links = relations.of(edge.relation);
    const auto same = beliefs.columns_of(edge.neighbour);
    const auto belief = beliefs.scores_of(edge.neighbour);
    for (std::size_t n = 0; n < same.size(); ++n) {
      if (belief[n] <= least_belief) continue;
      bool found = false;
      std::optional<RuleReason> other;  // the surest sign that x' has another neighbour where x has this one
      for (const RelationLink& link : links) {
        for (const Edge& their : edges_by(link.right)) {
          if (their.neighbour == same[n]) {
            found = true;
            const Weight own = weight(link);
            if (own.by_left + own.by_right < least_weight) continue;
            if (crowded(pair_.left(), edge, options_.crowd) || crowded(pair_.right(), their, options_.crowd))
              continue;
            reasons.in_favour.push_back({edge, their, belief[n], own.evidence(belief[n])});
          } else {
            const double one_only = left_functionality_[inverse(pair_.left(), edge.relation)] *
                                    right_functionality_[inverse(pair_.right(), link.right)];
            const double doubt = std::min(belief[n] * link.left_in_right * one_only, options_.most_weight);
            const double weight = -std::log(1 - doubt);
            if (!other || weight > other->weight) other = RuleReason{edge, their, belief[n], weight};
          }
        }
      }
      if (!found && other && other->weight >= options_.least_doubt) reasons.against.push_back(*other);
    }
  }
  for (std::vector<RuleReason>* list : {&reasons.in_favour, &reasons.against}) {
    std::ranges::stable_sort(*list, std::greater(), &RuleReason::weight);
  }
  return reasons;
}

}  // namespace dovetail
