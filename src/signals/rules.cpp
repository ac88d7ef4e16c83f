#include "signals/rules.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "evidence/likely_pairs.h"
#include "evidence/rules.h"

namespace dovetail {
namespace {

/// Correspondences of relations that are worth telling.
constexpr double kLeastShare = 0.1;
constexpr double kLeastSeen = 2;
constexpr std::size_t kRuledPairGrain = 16384;

class RuleSignal : public Signal {
 public:
  RuleSignal(const Rules& rules, const Pools& pools, const AlignOptions& options, ThreadPool& pool)
      : rules_(rules), pools_(pools), options_(options), pool_(pool) {}

  [[nodiscard]] std::string_view name() const override { return "rules"; }
  [[nodiscard]] bool speaks() const override { return beliefs_ != nullptr; }

  void take_beliefs(const Beliefs& beliefs) override {
    beliefs_ = &beliefs;
    relations_ = rules_.compare_relations(beliefs, pool_);
  }

  [[nodiscard]] std::optional<SparseScores> gather(const SparseScores& pairs,
                                                   std::size_t proposals) const override {
    return rules_.evidence(*beliefs_, relations_, pools_.left, pools_.right, pairs, proposals, pool_);
  }

  void correct(const SparseScores& /*pairs*/, const SignalScores& own, std::span<float> out) const override {
    const auto weight = static_cast<float>(options_.rules.weight);
    const auto power = static_cast<float>(options_.rules.power);
    pool_.for_ranges(out.size(), kRuledPairGrain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t n = begin; n < end; ++n) out[n] = weight * std::pow(own.score[n], power);
    });
  }
  void weigh(std::span<float> /*corrected*/) const override {}
  [[nodiscard]] double temperature() const override { return options_.deciding.combined_temperature; }
  [[nodiscard]] std::size_t iterations() const override { return options_.rules.iterations; }

  void dampen(std::span<const float> own, std::span<float> beliefs) const override {
    for (std::size_t n = 0; n < own.size(); ++n) beliefs[n] *= chance_of(own[n]);
  }

  [[nodiscard]] SparseScores support(std::span<const EntityId> left,
                                     std::span<const EntityId> right) const override {
    SparseScores likely =
        rules_.evidence(*beliefs_, relations_, left, right, no_pairs(left.size(), right.size()),
                        options_.rules.support_proposals, pool_);
    for (float& score : likely.score) score = chance_of(score);
    return likely;
  }

 private:
  const Rules& rules_;
  const Pools& pools_;
  const AlignOptions& options_;
  ThreadPool& pool_;
  const Beliefs* beliefs_ = nullptr;
  RelationLinks relations_;
};

class RuleSource : public SignalSource {
 public:
  RuleSource(const GraphPair& pair, const RuleOptions& options) : rules_(pair, options) {}
  [[nodiscard]] std::string_view name() const override { return "rules"; }
  [[nodiscard]] std::unique_ptr<Signal> in(const Pools& pools, const AlignOptions& options,
                                           ThreadPool& pool) const override {
    return std::make_unique<RuleSignal>(rules_, pools, options, pool);
  }

 private:
  Rules rules_;
};

Statement statement(const KnowledgeGraph& graph, const Edge& edge) {
  return {.property = relation_path(graph, edge.relation),
          .value = std::string(graph.entity(edge.neighbour)),
          .name = std::string(graph.name(edge.neighbour))};
}

class RuleReasonGiver : public ReasonGiver {
 public:
  RuleReasonGiver(const GraphPair& pair, const RuleOptions& options, const Beliefs& decided, ThreadPool& pool)
      : pair_(pair),
        rules_(pair, options),
        beliefs_(decided),
        relations_(rules_.compare_relations(beliefs_, pool)) {}

  [[nodiscard]] Reasons reasons(EntityId left, EntityId right, std::size_t most) const override {
    const RuleReasons found = rules_.reasons(beliefs_, relations_, left, right);
    return {.in_favour = in_words(found.in_favour, most), .against = in_words(found.against, most)};
  }

  [[nodiscard]] double evidence(EntityId left, EntityId right) const override {
    double sum = 0;
    for (const RuleReason& reason : rules_.reasons(beliefs_, relations_, left, right).in_favour) {
      sum += reason.weight;
    }
    return sum;
  }

  [[nodiscard]] std::vector<RelationLink> relations() const override {
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

 private:
  [[nodiscard]] std::vector<Reason> in_words(const std::vector<RuleReason>& reasons, std::size_t most) const {
    std::vector<Reason> result;
    for (const RuleReason& reason : std::span(reasons).first(std::min(most, reasons.size()))) {
      result.push_back({.signal = "rules",
                        .left = statement(pair_.left(), reason.left),
                        .right = statement(pair_.right(), reason.right),
                        .belief = reason.belief,
                        .weight = reason.weight});
    }
    return result;
  }

  const GraphPair& pair_;
  Rules rules_;
  Beliefs beliefs_;
  RelationLinks relations_;
};

}  // namespace

bool uses_rules(const AlignOptions& options) {
  return options.mode != Mode::basic &&
         (options.semi.strategy == Strategy::rules || options.semi.strategy == Strategy::best);
}

std::unique_ptr<SignalSource> rule_source(const SignalContext& context) {
  return std::make_unique<RuleSource>(context.pair, context.options.rules);
}

std::unique_ptr<ReasonGiver> rule_reasons(const GraphPair& pair, const AlignOptions& options,
                                          const Beliefs& decided, ThreadPool& pool) {
  return std::make_unique<RuleReasonGiver>(pair, uses_rules(options) ? options.rules : RuleOptions(), decided,
                                           pool);
}

}  // namespace dovetail
