#include "signals/signals.h"

#include <algorithm>
#include <utility>

namespace dovetail {
namespace {

constexpr std::size_t kRowGrain = 64;
constexpr std::size_t kPairGrain = 16384;
/// The score of "no counterpart". CSLS takes the mean similarity of an entity's nearest candidates off, so
/// that 0 is what a candidate like all of these scores: each entity sets its own price.
constexpr double kNonePrice = 0;

/// For each of `pairs` its place in `all`, which has them all, ascending.
std::vector<std::uint64_t> places_in(const SparseScores& all, const SparseScores& pairs) {
  std::vector<std::uint64_t> places;
  places.reserve(pairs.size());
  for (std::size_t row = 0; row < pairs.rows(); ++row) {
    std::uint64_t place = all.begin[row];
    for (const std::uint32_t column : pairs.columns_of(row)) {
      while (all.column[place] != column) ++place;
      places.push_back(place++);
    }
  }
  return places;
}

/// A signal's scores of more pairs than it had: old ones stay, new ones are asked for.
std::vector<float> widened(const Signal& signal, std::span<const float> old,
                           const std::vector<std::uint64_t>& places, const SparseScores& all,
                           ThreadPool& pool) {
  std::vector<float> score(all.size());
  std::vector<std::uint8_t> known(all.size(), 0);
  for (std::size_t n = 0; n < places.size(); ++n) {
    score[places[n]] = old[n];
    known[places[n]] = 1;
  }
  pool.for_ranges(all.rows(), kRowGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      for (std::uint64_t n = all.begin[row]; n < all.begin[row + 1]; ++n) {
        if (known[n] == 0) score[n] = signal.score(row, all.column[n]);
      }
    }
  });
  return score;
}

}  // namespace

SparseScores without(std::span<const Link> apart, std::span<const EntityId> left,
                     std::span<const EntityId> right, SparseScores scores) {
  if (apart.empty()) return scores;
  return only_pairs(scores, [&](std::size_t row, std::uint32_t column) {
    return !kept_apart(apart, {left[row], right[column]});
  });
}

SparseScores corrected(const SparseScores& pairs, const SignalScores& own) {
  SparseScores scores = pairs;
  own.signal->correct(pairs, own, scores.score);
  return scores;
}

SparseScores cosine_sum(const PairScores& scores) {
  SparseScores sum = scores.combined;
  std::ranges::fill(sum.score, 0.0F);
  for (const SignalScores& own : scores.by_signal) {
    if (!own.signal->is_cosine()) continue;
    for (std::size_t n = 0; n < sum.size(); ++n) sum.score[n] += own.score[n];
  }
  return sum;
}

SparseScores plain_sum(const PairScores& scores) {
  if (scores.by_signal.size() > 1 && std::ranges::all_of(scores.by_signal, [](const SignalScores& own) {
        return own.signal->is_cosine();
      })) {
    return cosine_sum(scores);
  }
  SparseScores sum = scores.combined;
  std::ranges::fill(sum.score, 0.0F);
  for (const SignalScores& own : scores.by_signal) {
    std::vector<float> worth = own.score;
    if (scores.by_signal.size() > 1) own.signal->weigh(worth);
    for (std::size_t n = 0; n < sum.size(); ++n) sum.score[n] += worth[n];
  }
  return sum;
}

void Signals::take_vectors(const MatchVectors* vectors, std::span<const Link> known) {
  for (const auto& signal : signals_) signal->take_vectors(vectors, known);
}

void Signals::take_beliefs(const Beliefs& beliefs) {
  for (const auto& signal : signals_) signal->take_beliefs(beliefs);
}

bool Signals::identify() const {
  return std::ranges::any_of(signals_,
                             [](const auto& signal) { return signal->speaks() && signal->identifies(); });
}

PairScores Signals::find(const SparseScores* believed) const {
  PairScores scores;
  scores.combined = no_pairs(pools_.left.size(), pools_.right.size());
  for (const auto& signal : signals_) {
    if (!signal->speaks()) continue;
    std::optional<Found> found = signal->propose(believed);
    if (!found) continue;
    found->similarity = without(pools_.apart, pools_.left, pools_.right, std::move(found->similarity));
    add(scores, found->similarity);
    SignalScores own{.name = signal->name(),
                     .signal = signal.get(),
                     .left_mean = std::move(found->left_mean),
                     .right_mean = std::move(found->right_mean),
                     .complete = found->complete};
    own.score = widened(*signal, found->similarity.score, places_in(scores.combined, found->similarity),
                        scores.combined, pool_);
    scores.by_signal.push_back(std::move(own));
  }
  if (believed != nullptr) add(scores, *believed);
  combine(scores);
  return scores;
}

void Signals::add(PairScores& scores, const SparseScores& pairs) const {
  SparseScores all = united(scores.combined, pairs);
  if (all.size() == scores.combined.size()) return;
  const std::vector<std::uint64_t> places = places_in(all, scores.combined);
  for (SignalScores& own : scores.by_signal) {
    own.score = widened(*own.signal, own.score, places, all, pool_);
  }
  scores.combined = std::move(all);
}

void Signals::gather(PairScores& scores, std::size_t proposals) const {
  for (const auto& signal : signals_) {
    if (!signal->speaks()) continue;
    std::optional<SparseScores> gathered = signal->gather(scores.combined, proposals);
    if (!gathered) continue;
    *gathered = without(pools_.apart, pools_.left, pools_.right, std::move(*gathered));
    std::erase_if(scores.by_signal, [&](const SignalScores& one) { return one.signal == signal.get(); });
    add(scores, *gathered);
    scores.by_signal.push_back(
        {.name = signal->name(), .signal = signal.get(), .score = std::move(gathered->score)});
  }
}

void Signals::combine(PairScores& scores) const {
  std::vector<float>& sum = scores.combined.score;
  scores.temperature = temperature_;
  scores.iterations = 1;
  if (open_) scores.no_counterpart = kNonePrice;
  std::vector<float> own_worth(scores.combined.size());
  for (std::size_t k = 0; k < scores.by_signal.size(); ++k) {
    const SignalScores& own = scores.by_signal[k];
    const Signal& signal = *own.signal;
    scores.iterations = std::max(scores.iterations, signal.iterations());
    std::vector<float>& worth = k == 0 ? sum : own_worth;
    signal.correct(scores.combined, own, worth);
    if (scores.by_signal.size() == 1) {
      scores.temperature = signal.temperature();
      return;
    }
    pool_.for_ranges(worth.size(), kPairGrain, [&](std::size_t begin, std::size_t end) {
      signal.weigh(std::span(worth).subspan(begin, end - begin));
      for (std::size_t n = begin; k > 0 && n < end; ++n) sum[n] += worth[n];
    });
  }
}

}  // namespace dovetail
