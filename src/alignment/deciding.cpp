#include "alignment/deciding.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "alignment/confidence_fit.h"
#include "deciding/decoders.h"
#include "deciding/estimated_confidence.h"

namespace dovetail {
namespace {

/// Held-out links below which decoys have a say too.
constexpr std::size_t kFewExamples = 150;

/// What is known of the links that a decoder chose, and of the entities.
struct Judged {
  std::vector<double> confidence;             ///< of each chosen link
  std::vector<double> none_left, none_right;  ///< by pool entity, the probability of no counterpart
  double share_left = 0, share_right = 0;
  std::size_t examples = 0;
};

/// The probability of no counterpart for each line (row or column), from its best pair's features.
std::vector<double> none_of_lines(const LogisticModel& model, const FeatureTable& features,
                                  std::span<const Decision> best, std::uint32_t Decision::*line,
                                  std::size_t lines, double& share) {
  std::vector<double> none(lines, 1);  // a line without candidates
  std::vector<double> predicted = predict(model, features);
  share = estimated_share(predicted);
  for (std::size_t n = 0; n < best.size(); ++n) none[best[n].*line] = with_share(predicted[n], share);
  return none;
}

/// A link is right if its entity has a counterpart, and if it is this one, given that it has.
Judged judge_fitted(const GraphPair& pair, const Pools& pools, const Ranking& ranking,
                    const ConfidenceModel& model, std::span<const Decision> chosen, bool open) {
  const auto features = [&](std::span<const Decision> decisions) {
    return decision_features(pair, pools, ranking.scores, ranking.probabilities, decisions);
  };
  Judged judged;
  judged.confidence = predict(model.link, features(chosen));
  judged.none_left.assign(pools.left.size(), 0);
  judged.none_right.assign(pools.right.size(), 0);
  judged.examples = model.examples;
  if (!open) return judged;
  const std::vector<Decision> rows = best_of_rows(ranking.probabilities.pairs);
  judged.none_left =
      none_of_lines(model.none, features(rows), rows, &Decision::row, pools.left.size(), judged.share_left);
  if (model.none_right.features.empty()) {
    for (std::size_t n = 0; n < chosen.size(); ++n)
      judged.confidence[n] *= 1 - judged.none_left[chosen[n].row];
    return judged;
  }
  const std::vector<Decision> columns = best_of_columns(ranking.probabilities.pairs);
  judged.none_right = none_of_lines(model.none_right, features(columns), columns, &Decision::column,
                                    pools.right.size(), judged.share_right);
  // Both ends say how likely the link is right. The side on which more entities have a counterpart knows
  // more: of the other one most links that it could have are wrong.
  const std::vector<double> of_right = predict(model.link_right, features(chosen));
  const double left_weight = 1 - judged.share_left + 1e-6, right_weight = 1 - judged.share_right + 1e-6;
  for (std::size_t n = 0; n < chosen.size(); ++n) {
    const double left = judged.confidence[n] * (1 - judged.none_left[chosen[n].row]);
    const double right = of_right[n] * (1 - judged.none_right[chosen[n].column]);
    judged.confidence[n] = (left_weight * left + right_weight * right) / (left_weight + right_weight);
  }
  return judged;
}

/// The mean of two probabilities of the same pairs.
LinkProbabilities mean_of(LinkProbabilities one, const LinkProbabilities& other) {
  const auto mix = [](std::vector<float>& to, const std::vector<float>& from) {
    for (std::size_t n = 0; n < to.size(); ++n) to[n] = (to[n] + from[n]) / 2;
  };
  mix(one.pairs.score, other.pairs.score);
  mix(one.none_row, other.none_row);
  mix(one.none_column, other.none_column);
  return one;
}

/// By decoys: an entity has a counterpart as far as its link is right. Decoys are of sure pairs only: what
/// they say is balanced by Sinkhorn's own probability, and counts for little where they are few. Without
/// seeds nothing tells whether structure is right where it goes beyond the signals that tell entities apart,
/// and it confirms itself: that counts half.
Judged judge_estimated(const Pools& pools, const Ranking& ranking, std::span<const Decision> chosen,
                       Cardinality cardinality) {
  const LinkProbabilities probabilities =
      ranking.identified ? mean_of(ranking.probabilities, *ranking.identified) : ranking.probabilities;
  const EstimatedConfidence estimate = estimate_confidence(probabilities);
  Judged judged;
  judged.none_left.assign(pools.left.size(), 1);
  judged.none_right.assign(pools.right.size(), 1);
  judged.examples = estimate.examples();
  constexpr double kEnough = 10;  // decoys that count half of what many do
  const auto decoys = static_cast<double>(judged.examples);
  const double weight = 0.5 * decoys * decoys / (decoys * decoys + kEnough * kEnough);
  std::vector<std::uint32_t> partner(pools.left.size(), kNone);
  for (const Decision& pair : mutual_best(ranking.probabilities.pairs)) partner[pair.row] = pair.column;
  const SparseScores& pairs = probabilities.pairs;
  for (const Decision& link : chosen) {
    // A pair that is not each other's likeliest is what was left over, unless an entity may be in several.
    const bool mutual = partner[link.row] == link.column || cardinality != Cardinality::one_to_one;
    const double chance = pairs.score[find_column(pairs, link.row, link.column)];
    const double confidence = mutual ? weight * estimate(chance) + (1 - weight) * std::min(1.0, chance) : 0;
    judged.confidence.push_back(confidence);
    double& left = judged.none_left[link.row];
    double& right = judged.none_right[link.column];
    left = std::min(left, 1 - confidence);
    right = std::min(right, 1 - confidence);
  }
  judged.share_left = estimate.share_without()[0];
  judged.share_right = estimate.share_without()[1];
  return judged;
}

/// The mean of two probabilities in logits.
double mixed(double one, double other, double weight) {
  constexpr double kLeast = 1e-6;
  const auto logit = [](double p) { return std::log((p + kLeast) / (1 - p + kLeast)); };
  return 1 / (1 + std::exp(-(weight * logit(one) + (1 - weight) * logit(other))));
}

/// What was fitted on few links counts for little beside what decoys say.
Judged combined(Judged fitted, const Judged& estimated) {
  constexpr double kEnough = 50;  // held-out links that count as much as decoys
  const auto examples = static_cast<double>(fitted.examples);
  const double weight = examples * examples / (examples * examples + kEnough * kEnough);
  const auto mix = [&](std::vector<double>& one, const std::vector<double>& other) {
    for (std::size_t n = 0; n < one.size(); ++n) one[n] = mixed(one[n], other[n], weight);
  };
  mix(fitted.confidence, estimated.confidence);
  mix(fitted.none_left, estimated.none_left);
  mix(fitted.none_right, estimated.none_right);
  fitted.share_left = mixed(fitted.share_left, estimated.share_left, weight);
  fitted.share_right = mixed(fitted.share_right, estimated.share_right, weight);
  fitted.examples = std::max(fitted.examples, estimated.examples);
  return fitted;
}

/// The decoder's own probabilities.
Judged judge_plain(const Pools& pools, const Ranking& ranking, std::span<const Decision> chosen) {
  Judged judged;
  judged.none_left.assign(pools.left.size(), 0);
  judged.none_right.assign(pools.right.size(), 0);
  const SparseScores& pairs = ranking.probabilities.pairs;
  for (const Decision& link : chosen) {
    judged.confidence.push_back(pairs.score[find_column(pairs, link.row, link.column)]);
  }
  return judged;
}

/// How far a decision is ahead of the next candidate of its row.
float margin(const SparseScores& scores, const Decision& decision) {
  float next = -std::numeric_limits<float>::infinity();
  const std::span<const std::uint32_t> columns = scores.columns_of(decision.row);
  for (std::size_t n = 0; n < columns.size(); ++n) {
    if (columns[n] != decision.column) next = std::max(next, scores.scores_of(decision.row)[n]);
  }
  return columns.size() < 2 ? 0 : decision.score - next;
}

/// One side of the pools, as unmatched() needs it.
struct SideView {
  std::span<const EntityId> own, others;
  std::span<const double> none;      ///< by place in `own`
  const std::vector<bool>& linked;   ///< by place in `own`, in the end
  const std::vector<bool>& dropped;  ///< the same: its link was too unsure for what was asked for
};

/// Entities that are in no link, with their best candidates.
std::vector<Unmatched> unmatched(const SideView& side, double above, const SparseScores& scores) {
  std::vector<const Decision*> best(side.own.size(), nullptr);
  const std::vector<Decision> candidates = best_of_rows(scores);
  for (const Decision& candidate : candidates) best[candidate.row] = &candidate;
  std::vector<Unmatched> result;
  for (std::size_t line = 0; line < side.own.size(); ++line) {
    if (side.linked[line]) continue;
    Unmatched& entity = result.emplace_back(Unmatched{.entity = side.own[line]});
    if (best[line] == nullptr) continue;
    entity.candidate = side.others[best[line]->column];
    entity.score = best[line]->score;
    entity.probability = side.none[line];
    entity.reason = side.none[line] > above ? UnmatchedReason::no_counterpart
                    : side.dropped[line]    ? UnmatchedReason::unsure
                                            : UnmatchedReason::taken;
  }
  return result;
}

/// The least confidence that still raises the expected F1 of all links above it: links are many, and right
/// ones that are left out count as much as wrong ones that are kept.
double worthwhile(std::vector<double> confidence) {
  std::ranges::sort(confidence, std::ranges::greater());
  double all = 0;
  for (const double value : confidence) all += value;
  double right = 0, best = 0, least = 1;
  for (std::size_t n = 0; n < confidence.size(); ++n) {
    const double f1 = 2 * (right + confidence[n]) / (static_cast<double>(n + 1) + all);
    if (f1 < best) break;
    right += confidence[n];
    best = f1;
    least = confidence[n];
  }
  // Where not even one of these is expected to be right, only a link that is likely by itself is worth
  // writing.
  return right < 0.5 ? 1 : least;
}

/// The least confidence that a link may have.
double least_confidence(std::vector<double> confidence, const DecidingOptions& options) {
  if (options.precision <= 0) return options.min_confidence;
  std::ranges::sort(confidence, std::ranges::greater());
  double sum = 0, least = std::numeric_limits<double>::infinity();
  for (std::size_t n = 0; n < confidence.size(); ++n) {
    sum += confidence[n];
    // Links of equal confidence are kept together or not at all.
    if (n + 1 < confidence.size() && confidence[n + 1] == confidence[n]) continue;
    if (sum >= options.precision * static_cast<double>(n + 1)) least = confidence[n];
  }
  return std::max(least, options.min_confidence);
}

}  // namespace

const char* reason_name(UnmatchedReason reason) {
  switch (reason) {
    case UnmatchedReason::no_candidate:
      return "no candidate";
    case UnmatchedReason::no_counterpart:
      return "no counterpart";
    case UnmatchedReason::taken:
      return "candidate taken";
    case UnmatchedReason::unsure:
      break;
  }
  return "unsure";
}

std::vector<EntityId> without_counterpart(const std::vector<Unmatched>& unmatched) {
  std::vector<EntityId> entities;
  for (const Unmatched& entity : unmatched) {
    if (entity.reason == UnmatchedReason::no_counterpart || entity.reason == UnmatchedReason::no_candidate) {
      entities.push_back(entity.entity);
    }
  }
  return entities;
}

double estimated_share(std::span<const double> predictions) {
  constexpr std::size_t kIterations = 200;
  double share = 0.5;
  for (std::size_t i = 0; i < kIterations && !predictions.empty(); ++i) {
    double sum = 0;
    for (const double prediction : predictions) sum += with_share(prediction, share);
    const double next = sum / static_cast<double>(predictions.size());
    if (std::abs(next - share) < 1e-6) break;
    share = next;
  }
  return share;
}

double with_share(double prediction, double share) {
  const double holds = prediction * share, not_so = (1 - prediction) * (1 - share);
  return holds + not_so > 0 ? holds / (holds + not_so) : prediction;
}

Decisions decide(const GraphPair& pair, const Pools& pools, const Ranking& ranking,
                 const std::optional<ConfidenceModel>& fitted, const DecidingOptions& options, bool turned) {
  const bool open = options.pool == CandidatePool::open;
  const std::vector<Decision> chosen = select(ranking.decoded, options.cardinality);
  Decisions result;
  const bool estimate = open && options.calibrate;
  const bool few = fitted && fitted->examples < kFewExamples;
  result.origin = fitted && estimate && few ? ConfidenceOrigin::both
                  : fitted                  ? ConfidenceOrigin::fitted
                  : estimate                ? ConfidenceOrigin::estimated
                                            : ConfidenceOrigin::none;
  // Where seeds have left no entity to a side there is nothing to judge.
  Judged judged = chosen.empty() ? judge_plain(pools, ranking, chosen)
                  : fitted       ? judge_fitted(pair, pools, ranking, *fitted, chosen, open)
                  : estimate     ? judge_estimated(pools, ranking, chosen, options.cardinality)
                                 : judge_plain(pools, ranking, chosen);
  if (result.origin == ConfidenceOrigin::both && !chosen.empty()) {
    judged = combined(std::move(judged), judge_estimated(pools, ranking, chosen, options.cardinality));
  }
  const bool judged_at_all = result.origin != ConfidenceOrigin::none;
  // Where nobody asked for another bound, links stay that raise the expected F1.
  const bool by_default = options.none_above == DecidingOptions().none_above;
  const double most_wrong =
      by_default ? std::max(options.none_above, 1 - worthwhile(judged.confidence)) : options.none_above;
  std::vector<std::size_t> likely;  // of the chosen pairs
  std::vector<double> confidence;
  for (std::size_t n = 0; n < chosen.size(); ++n) {
    // What is unlikely to be right leaves both ends without counterpart, as far as is known.
    const double wrong = 1 - judged.confidence[n];
    if (open && judged_at_all && wrong > most_wrong) {
      double& left = judged.none_left[chosen[n].row];
      double& right = judged.none_right[chosen[n].column];
      left = std::max(left, wrong);
      right = std::max(right, wrong);
      continue;
    }
    likely.push_back(n);
    confidence.push_back(judged.confidence[n]);
  }
  const double least = least_confidence(confidence, options);
  std::erase_if(confidence, [&](double value) { return value < least; });
  result.expected = expected_precision(confidence, judged.examples);
  const SparseScores by_column = transposed(ranking.decoded);
  const auto margin_of = [&](const Decision& link) {
    return turned ? margin(by_column, {link.column, link.row, link.score}) : margin(ranking.decoded, link);
  };
  std::vector<bool> left_linked(pools.left.size(), false), left_dropped(left_linked),
      right_linked(pools.right.size(), false), right_dropped(right_linked);
  for (const std::size_t n : likely) {
    const Decision& link = chosen[n];
    const bool kept = judged.confidence[n] >= least;
    (kept ? left_linked : left_dropped)[link.row] = true;
    (kept ? right_linked : right_dropped)[link.column] = true;
    if (!kept) continue;
    result.links.push_back({.left = pools.left[link.row],
                            .right = pools.right[link.column],
                            .score = link.score,
                            .margin = margin_of(link),
                            .confidence = judged.confidence[n]});
  }
  if (!open) return result;
  result.unmatched_left = unmatched({pools.left, pools.right, judged.none_left, left_linked, left_dropped},
                                    options.none_above, ranking.decoded);
  result.unmatched_right =
      unmatched({pools.right, pools.left, judged.none_right, right_linked, right_dropped}, options.none_above,
                by_column);
  result.share_left = judged.share_left;
  result.share_right = judged.share_right;
  return result;
}

}  // namespace dovetail
