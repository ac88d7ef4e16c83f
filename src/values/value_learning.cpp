#include "values/value_learning.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numeric>

#include "common/random.h"
#include "values/decoys.h"
#include "values/few_examples.h"
#include "values/soft_logistic.h"

namespace dovetail {

namespace {

constexpr std::size_t kLearningGrain = 1024;
constexpr std::size_t kSelectedOn = 2000;  // right pairs that features are chosen on, at most
constexpr std::size_t kRivals = 8;         // and wrong ones for each
constexpr double kUnit = 3;                // nats: the scale of inputs, so that one penalty suits all
constexpr double kLeastExamples = 5;
constexpr float kMaybe = .1F;         // probability from which a pair may be right
constexpr double kSeldom = .05;       // share of pairs that must and must not have them
constexpr std::size_t kReselect = 2;  // the round before which features are chosen a second time

/// (row, column) of each pair in turn.
struct Places {
  std::vector<std::uint32_t> row;
  explicit Places(const SparseScores& pairs) : row(pairs.size()) {
    for (std::uint32_t r = 0; r < pairs.rows(); ++r) {
      std::fill(row.begin() + static_cast<std::ptrdiff_t>(pairs.begin[r]),
                row.begin() + static_cast<std::ptrdiff_t>(pairs.begin[r + 1]), r);
    }
  }
};

/// What is believed of each pair, and how much the pair counts as an example.
struct Labels {
  std::vector<float> right, weight;
};

class Learner {
 public:
  Learner(const ValueComparer& comparer, const PairList& list, std::span<const float> known,
          const ValueOptions& options, ThreadPool& pool)
      : comparer_(comparer),
        list_(list),
        pairs_(*list.pairs),
        places_(pairs_),
        known_(known),
        options_(options),
        pool_(pool) {}

  ValueModel learn(std::span<const ComparedAttributes> attribute_pairs) {
    start();
    ValueModel model;
    std::vector<DecoyEstimate> estimates;
    for (std::size_t round = 0; round < options_.rounds; ++round) {
      if (round == 0 || round == kReselect) {
        choose(attribute_pairs);
        fill_levels();
      }
      weigh_levels();
      fit(model);
      if (round == 0 || round == kReselect) {
        group(model);
        estimates.clear();
      }
      estimates = estimate_by_decoys(scores_, groups_, model.price.size(), estimates);
      model.none_share = estimates.back().share;
      for (std::size_t g = 0; g < model.price.size(); ++g) model.price[g] = estimates[g].price;
      expect(model.price);
    }
    model.attributes = attribute_links(attribute_pairs);
    model.features = std::move(features_);
    return model;
  }

 private:
  [[nodiscard]] bool is_known(std::size_t pair) const { return !known_.empty() && known_[pair] >= 0; }

  /// The surest of the pairs that are best for both, by the first scores, or what is known; the other pairs
  /// of their rows and columns are wrong.
  void start() {
    labels_.right.assign(pairs_.size(), 0);
    labels_.weight.assign(pairs_.size(), 0);
    std::vector<std::uint8_t> row_taken(pairs_.rows(), 0), column_taken(pairs_.columns, 0);
    for (const std::size_t pair : first_pairs()) {
      labels_.right[pair] = 1;
      row_taken[places_.row[pair]] = column_taken[pairs_.column[pair]] = 1;
    }
    for (std::size_t n = 0; n < pairs_.size(); ++n) {
      if (row_taken[places_.row[n]] != 0 || column_taken[pairs_.column[n]] != 0) labels_.weight[n] = 1;
      if (is_known(n)) {
        labels_.right[n] = known_[n];
        labels_.weight[n] = 1;
      }
    }
  }

  [[nodiscard]] std::vector<std::size_t> first_pairs() const {
    std::vector<std::size_t> first;
    for (std::size_t n = 0; n < pairs_.size(); ++n) {
      if (is_known(n) && known_[n] > .5) first.push_back(n);
    }
    constexpr float kNever = -1;
    std::vector<float> row_best(pairs_.rows(), kNever), row_next(pairs_.rows(), kNever);
    std::vector<float> column_best(pairs_.columns, kNever), column_next(pairs_.columns, kNever);
    const auto offer = [](float score, float& best, float& next) {
      next = std::max(next, std::min(best, score));
      best = std::max(best, score);
    };
    for (std::size_t n = 0; n < pairs_.size(); ++n) {
      offer(pairs_.score[n], row_best[places_.row[n]], row_next[places_.row[n]]);
      offer(pairs_.score[n], column_best[pairs_.column[n]], column_next[pairs_.column[n]]);
    }
    std::vector<std::pair<float, std::size_t>> mutual;
    for (std::size_t n = 0; n < pairs_.size(); ++n) {
      const float score = pairs_.score[n];
      const std::uint32_t row = places_.row[n], column = pairs_.column[n];
      if (is_known(n) || score < row_best[row] || score < column_best[column]) continue;
      const float margin = score - std::max({row_next[row], column_next[column], 0.0F});
      if (margin > 0) mutual.emplace_back(-(score + 2 * margin), n);  // what has an equal rival is not sure
    }
    std::ranges::sort(mutual);
    mutual.resize(
        static_cast<std::size_t>(std::ceil(options_.first_share * static_cast<double>(mutual.size()))));
    for (const auto& [sureness, n] : mutual) first.push_back(n);
    return first;
  }

  /// Some right pairs, and for each some of its rivals: enough to see what a feature is worth.
  [[nodiscard]] std::vector<std::size_t> selection_sample() const {
    std::vector<std::size_t> right;
    for (std::size_t n = 0; n < pairs_.size(); ++n) {
      if (labels_.weight[n] > 0 && labels_.right[n] > .5) right.push_back(n);
    }
    const auto order = [](std::size_t n) { return mix64(n); };
    std::ranges::sort(right, {}, order);
    if (right.size() > kSelectedOn) right.resize(kSelectedOn);
    std::vector<std::size_t> sample = right;
    for (const std::size_t n : right) {
      const std::uint32_t row = places_.row[n];
      std::vector<std::size_t> rivals;
      for (std::uint64_t r = pairs_.begin[row]; r < pairs_.begin[row + 1]; ++r) {
        if (r != n && labels_.right[r] < .5) rivals.push_back(r);
      }
      std::ranges::sort(rivals, {}, order);
      sample.insert(sample.end(), rivals.begin(),
                    rivals.begin() + static_cast<std::ptrdiff_t>(std::min(rivals.size(), kRivals)));
    }
    return sample;
  }

  [[nodiscard]] std::uint8_t level(const ValueFeature& feature, std::size_t pair) const {
    return comparer_.level(feature, list_.left[places_.row[pair]], list_.right[pairs_.column[pair]]);
  }

  /// All features that there could be, weighed by a sample of pairs.
  struct Candidates {
    std::vector<WeighedFeature> features;
    std::vector<std::uint64_t> prints;  ///< equal for features of one measure with the same levels throughout
    std::vector<std::uint8_t> pinned;
  };
  [[nodiscard]] Candidates candidates(std::span<const ComparedAttributes> attribute_pairs) const {
    const std::vector<std::size_t> sample = selection_sample();
    std::vector<ValueFeature> all = comparer_.features(kAllValues, kAllValues);
    Candidates out;
    out.pinned.resize(all.size(), 0);
    for (const auto& [attributes, pinned] : attribute_pairs) {
      const auto more = comparer_.features(attributes.first, attributes.second);
      all.insert(all.end(), more.begin(), more.end());
      out.pinned.resize(all.size(), pinned ? 1 : 0);
    }
    out.features.resize(all.size());
    out.prints.resize(all.size());
    pool_.for_ranges(all.size(), 1, [&](std::size_t begin, std::size_t) {
      std::vector<std::uint8_t> levels(sample.size());
      for (std::size_t n = 0; n < sample.size(); ++n) levels[n] = level(all[begin], sample[n]);
      out.features[begin] = weighed_levels(all[begin], levels, sample);
      out.prints[begin] = static_cast<std::uint64_t>(all[begin].measure);
      for (const std::uint8_t l : levels) out.prints[begin] = mix64(out.prints[begin] ^ l);
    });
    return out;
  }

  /// Keeps the features that tell right pairs of a sample from wrong ones, each only once.
  void choose(std::span<const ComparedAttributes> attribute_pairs) {
    Candidates all = candidates(attribute_pairs);
    std::vector<std::size_t> order(all.features.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
      if (all.pinned[a] != all.pinned[b]) return all.pinned[a] > all.pinned[b];
      return all.features[a].gain > all.features[b].gain;
    });
    features_.clear();
    std::vector<std::uint64_t> seen;
    for (const std::size_t f : order) {
      if (features_.size() == options_.features) break;
      if (all.pinned[f] == 0 && all.features[f].gain < options_.least_gain) break;
      if (std::ranges::find(seen, all.prints[f]) != seen.end()) continue;  // a title that is the label too
      seen.push_back(all.prints[f]);
      features_.push_back(std::move(all.features[f]));
    }
  }

  /// By what is believed in the end, also for attributes that say nothing new beside others.
  [[nodiscard]] std::vector<AttributeLink> attribute_links(
      std::span<const ComparedAttributes> attribute_pairs) const {
    const Candidates all = candidates(attribute_pairs);
    std::map<AttributePair, const WeighedFeature*> best;
    for (std::size_t f = 0; f < all.features.size(); ++f) {
      const WeighedFeature& one = all.features[f];
      if (!is_attribute(one.feature.left) || (all.pinned[f] == 0 && one.gain < options_.least_gain)) continue;
      const WeighedFeature*& kept = best[{one.feature.left, one.feature.right}];
      if (kept == nullptr || one.gain > kept->gain) kept = &one;
    }
    std::vector<const WeighedFeature*> order;
    for (const auto& [attributes, feature] : best) order.push_back(feature);
    std::ranges::stable_sort(order, std::greater(), [](const WeighedFeature* one) { return one->gain; });
    std::vector<AttributeLink> links;
    for (const WeighedFeature* const one : order) {
      const auto& [left, right, measure] = one->feature;
      links.push_back({left, right, one->agree, one->seen, measure_name(measure), 0, 0});
      for (const WeighedFeature& used : features_) {
        if (used.feature.left != left || used.feature.right != right) continue;
        const auto [least, most] = std::ranges::minmax(used.weight);
        links.back().weight_for += most;
        links.back().weight_against += least;
      }
    }
    return links;
  }

  /// The weights of evidence of a feature's levels: ln P(level | right) / P(level | wrong).
  [[nodiscard]] WeighedFeature weighed_levels(const ValueFeature& feature,
                                              std::span<const std::uint8_t> levels,
                                              std::span<const std::size_t> of) const {
    const std::size_t count = level_count(feature.measure);
    std::vector<double> right(count, 0), wrong(count, 0);
    double all_right = 0;
    for (std::size_t n = 0; n < levels.size(); ++n) {
      const std::size_t pair = of.empty() ? n : of[n];
      const double weight = labels_.weight[pair], chance = labels_.right[pair];
      all_right += weight * chance;
      if (levels[n] == kNoLevel) continue;
      right[levels[n]] += weight * chance;
      wrong[levels[n]] += weight * (1 - chance);
    }
    const double rights = std::accumulate(right.begin(), right.end(), 0.0);
    const double wrongs = std::accumulate(wrong.begin(), wrong.end(), 0.0);
    WeighedFeature out{feature, std::vector<float>(count, 0), 0, rights, 0};
    if (rights < kLeastExamples || wrongs < kLeastExamples) return out;
    double agree = 0, by_chance = 0;
    for (std::size_t l = 0; l < count; ++l) {
      const double both = (right[l] / rights + wrong[l] / wrongs) / 2;
      const double p = (right[l] + options_.prior * both) / (rights + options_.prior);
      const double q = (wrong[l] + options_.prior * both) / (wrongs + options_.prior);
      const double weight = p > 0 && q > 0 ? std::log(p / q) : 0;
      out.weight[l] = static_cast<float>(weight);
      out.gain += p * weight * rights / all_right;
      if (weight <= 0) continue;
      agree += right[l] / rights;
      by_chance += wrong[l] / wrongs;
    }
    if (by_chance < 1) out.agree = std::max(0.0, (agree - by_chance) / (1 - by_chance));
    return out;
  }

  /// Of features that were there before the levels are moved, not computed again.
  void fill_levels() {
    std::vector<std::vector<std::uint8_t>> old = std::exchange(levels_, {});
    levels_.resize(features_.size());
    std::vector<std::size_t> fresh;
    for (std::size_t f = 0; f < features_.size(); ++f) {
      const auto before = std::ranges::find(leveled_, features_[f].feature);
      if (before != leveled_.end()) {
        levels_[f] = std::move(old[static_cast<std::size_t>(before - leveled_.begin())]);
      } else {
        levels_[f].resize(pairs_.size());
        fresh.push_back(f);
      }
    }
    leveled_.clear();
    for (const WeighedFeature& feature : features_) leveled_.push_back(feature.feature);
    pool_.for_ranges(pairs_.size(), kLearningGrain, [&](std::size_t begin, std::size_t end) {
      for (const std::size_t f : fresh) {
        for (std::size_t n = begin; n < end; ++n) levels_[f][n] = level(features_[f].feature, n);
      }
    });
  }

  void weigh_levels() {
    pool_.for_ranges(features_.size(), 1, [&](std::size_t f, std::size_t) {
      features_[f] = weighed_levels(features_[f].feature, levels_[f], {});
    });
  }

  [[nodiscard]] float evidence(std::size_t feature, std::size_t pair) const {
    const std::uint8_t l = levels_[feature][pair];
    return l == kNoLevel ? 0 : features_[feature].weight[l];
  }

  /// How far each feature's evidence is new beside the others': a coefficient for each. Then scores by them.
  void fit(ValueModel& model) {
    const FittingSample examples = fitting_sample();
    SoftExamples table;
    table.width = features_.size();
    for (const std::size_t n : examples.pairs) {
      for (std::size_t f = 0; f < features_.size(); ++f) {
        table.inputs.push_back(evidence(f, n) / static_cast<float>(kUnit));
      }
      table.target.push_back(labels_.right[n]);
      table.weight.push_back(labels_.right[n] > kMaybe ? 1 : examples.each_wrong);
    }
    const std::vector<double> solution = fit_soft_logistic(table, options_.penalty);
    for (std::size_t f = 0; f < features_.size(); ++f) {
      for (float& weight : features_[f].weight) weight *= static_cast<float>(solution[f] / kUnit);
    }
    model.intercept = solution.back();
    scores_ = pairs_;
    pool_.for_ranges(pairs_.size(), kLearningGrain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t n = begin; n < end; ++n) {
        auto sum = static_cast<float>(model.intercept);
        for (std::size_t f = 0; f < features_.size(); ++f) sum += evidence(f, n);
        scores_.score[n] = sum;
      }
    });
  }

  /// All pairs that may be right and some of the others, and how many of the others each one stands for.
  struct FittingSample {
    std::vector<std::size_t> pairs;
    float each_wrong;
  };
  [[nodiscard]] FittingSample fitting_sample() const {
    std::size_t wrong = 0;
    for (std::size_t n = 0; n < pairs_.size(); ++n) {
      wrong += labels_.weight[n] > 0 && labels_.right[n] <= kMaybe ? 1 : 0;
    }
    const double share =
        wrong == 0 ? 1 : std::min(1.0, static_cast<double>(options_.fitted_on) / static_cast<double>(wrong));
    const auto below = static_cast<std::uint64_t>(share * 0x1.0p53);
    std::vector<std::size_t> sample;
    for (std::size_t n = 0; n < pairs_.size(); ++n) {
      if (labels_.weight[n] <= 0) continue;
      if (labels_.right[n] > kMaybe || share >= 1 || (mix64(n) >> 11) < below) sample.push_back(n);
    }
    return {std::move(sample), static_cast<float>(1 / share)};
  }

  /// Divides pairs by which of the most telling attributes both entities have: kinds of entities, mostly.
  void group(ValueModel& model) {
    model.grouping.clear();
    std::vector<std::pair<std::uint32_t, std::uint32_t>> taken;
    for (std::uint32_t f = 0; f < features_.size() && model.grouping.size() < options_.groupings; ++f) {
      const ValueFeature& feature = features_[f].feature;
      if (!is_attribute(feature.left) ||
          std::ranges::count(taken, std::pair(feature.left, feature.right)) > 0) {
        continue;
      }
      const auto missing = static_cast<double>(std::ranges::count(levels_[f], kNoLevel));
      const double share = missing / static_cast<double>(std::max<std::size_t>(pairs_.size(), 1));
      if (share < kSeldom || share > 1 - kSeldom) continue;
      taken.emplace_back(feature.left, feature.right);
      model.grouping.push_back(f);
    }
    model.price.assign(std::size_t{1} << model.grouping.size(), 0);
    groups_.assign(pairs_.size(), 0);
    for (std::size_t g = 0; g < model.grouping.size(); ++g) {
      const auto& levels = levels_[model.grouping[g]];
      for (std::size_t n = 0; n < levels.size(); ++n) {
        if (levels[n] != kNoLevel) groups_[n] = static_cast<std::uint8_t>(groups_[n] | 1U << g);
      }
    }
  }

  /// How likely each pair is if every entity has at most one counterpart, approximately.
  void expect(std::span<const double> price) {
    std::vector<double> rows(pairs_.rows(), 0), columns(pairs_.columns, 0);
    const auto power = [&](std::size_t n) {
      return std::exp(std::clamp(static_cast<double>(scores_.score[n]) - price[groups_[n]], -40.0, 40.0));
    };
    for (std::size_t n = 0; n < pairs_.size(); ++n) {
      rows[places_.row[n]] += power(n);
      columns[pairs_.column[n]] += power(n);
    }
    for (std::size_t n = 0; n < pairs_.size(); ++n) {
      const double own = power(n);
      labels_.right[n] =
          static_cast<float>(own / (1 + rows[places_.row[n]] + columns[pairs_.column[n]] - own));
      labels_.weight[n] = 1;
      if (is_known(n)) labels_.right[n] = known_[n];
    }
  }

  const ValueComparer& comparer_;
  const PairList& list_;
  const SparseScores& pairs_;
  Places places_;
  std::span<const float> known_;
  const ValueOptions& options_;
  ThreadPool& pool_;
  Labels labels_;
  std::vector<WeighedFeature> features_;
  std::vector<ValueFeature> leveled_;              // what levels_ are of
  std::vector<std::vector<std::uint8_t>> levels_;  // [features][pairs]
  std::vector<std::uint8_t> groups_;               // [pairs]
  SparseScores scores_;
};

}  // namespace

ValueModel learn_values(const ValueComparer& comparer, const PairList& list, std::span<const float> known,
                        std::span<const ComparedAttributes> attribute_pairs, const ValueOptions& options,
                        ThreadPool& pool) {
  if (too_few_examples(list, known)) return model_without_examples(comparer, list);
  return Learner(comparer, list, known, options, pool).learn(attribute_pairs);
}

std::vector<float> known_chances(const SparseScores& pairs, std::span<const Link> links) {
  std::vector<std::vector<std::uint32_t>> partners(pairs.rows());
  std::vector<std::uint8_t> column_taken(pairs.columns, 0);
  for (const Link& link : links) {
    partners[link.left].push_back(link.right);
    column_taken[link.right] = 1;
  }
  std::vector<float> known(links.empty() ? 0 : pairs.size(), -1);
  for (std::size_t row = 0; !links.empty() && row < pairs.rows(); ++row) {
    for (std::uint64_t n = pairs.begin[row]; n < pairs.begin[row + 1]; ++n) {
      if (std::ranges::find(partners[row], pairs.column[n]) != partners[row].end()) {
        known[n] = 1;
      } else if (!partners[row].empty() || column_taken[pairs.column[n]] != 0) {
        known[n] = 0;
      }
    }
  }
  return known;
}

float score_pair(const ValueComparer& comparer, const ValueModel& model, EntityId left, EntityId right) {
  auto sum = static_cast<float>(model.intercept);
  std::size_t group = 0;
  for (std::uint32_t f = 0; f < model.features.size(); ++f) {
    const WeighedFeature& feature = model.features[f];
    const std::uint8_t level = comparer.level(feature.feature, left, right);
    if (level == kNoLevel) continue;
    sum += feature.weight[level];
    const auto at = std::ranges::find(model.grouping, f);
    if (at != model.grouping.end()) group |= std::size_t{1} << (at - model.grouping.begin());
  }
  return model.price.empty() ? sum : sum - static_cast<float>(model.price[group]);
}

SparseScores score_pairs(const ValueComparer& comparer, const ValueModel& model, const PairList& list,
                         ThreadPool& pool) {
  SparseScores scores = *list.pairs;
  pool.for_ranges(scores.rows(), 64, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      for (std::uint64_t n = scores.begin[row]; n < scores.begin[row + 1]; ++n) {
        scores.score[n] = score_pair(comparer, model, list.left[row], list.right[scores.column[n]]);
      }
    }
  });
  return scores;
}

}  // namespace dovetail
