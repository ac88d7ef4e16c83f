#include "matching/matcher.h"

#include <dovetail/errors.h>

#include <algorithm>
#include <cmath>

#include "kernels/scores.h"

namespace dovetail {
namespace {

constexpr std::size_t kRowGrain = 32;
constexpr std::size_t kColumnGrain = 256;
/// Candidates that are scored exactly after a low-precision search; the others keep the score they have.
constexpr std::size_t kRefined = 24;

/// 1 + the number of values, `own` excepted, that 2 s - penalty puts at or above the pair's own.
std::uint32_t count_rank(const float* scores, const std::vector<float>& penalty, std::size_t own,
                         float own_score) {
  const float bar = 2 * own_score - penalty[own];
  std::uint32_t above = 0;
  for (std::size_t j = 0; j < penalty.size(); ++j) above += 2 * scores[j] - penalty[j] >= bar ? 1 : 0;
  return above + (2 * scores[own] - penalty[own] >= bar ? 0 : 1);
}

/// 0 without CSLS.
float mean_of_nearest(std::span<const Scored> list, std::size_t neighbours) {
  const std::size_t nearest = std::min(neighbours, list.size());
  float mean = 0;
  for (std::size_t j = 0; j < nearest; ++j) mean += list[j].score / static_cast<float>(nearest);
  return mean;
}

}  // namespace

Matcher::Matcher(const MatchVectors& vectors, const MatchingOptions& options, ThreadPool& pool)
    : vectors_(vectors), options_(options), pool_(pool), panels_(vectors, options, pool) {
  if (options.candidates == 0) throw ParameterError("the number of candidates is 0; it must be at least 1");
  for (const Matrix<Bfloat16>* side : {&vectors.left, &vectors.right}) {
    for (std::size_t i = 0; i < side->rows(); ++i) {
      if (std::isfinite(dot_rows(side->row(i), side->row(i), side->columns()))) continue;
      throw Error("a feature is not a number: training diverged; try a lower learning rate");
    }
  }
  search();
}

void Matcher::search() {
  const std::size_t k = std::max(options_.candidates, options_.csls_neighbours);
  TopLists left(vectors_.left.rows(), k);
  TopLists right(vectors_.right.rows(), k);
  panels_.for_each([&](const ScorePanels::Panel& panel) {
    pool_.for_ranges(panel.rows, kRowGrain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const float* const scores = panel.scores + i * panel.stride;
        const float& least = left.least()[panel.first + i];
        for (std::size_t j = 0; j < panel.stride; ++j) {
          if (scores[j] >= least) left.offer(panel.first + i, {static_cast<std::uint32_t>(j), scores[j]});
        }
      }
    });
    pool_.for_ranges(panel.stride, kColumnGrain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = 0; i < panel.rows; ++i) {
        const float* const scores = panel.scores + i * panel.stride;
        const float* const least = right.least();
        for (std::size_t j = begin; j < end; ++j) {
          if (scores[j] >= least[j]) right.offer(j, {static_cast<std::uint32_t>(panel.first + i), scores[j]});
        }
      }
    });
  });
  refine(left, true, left_);
  refine(right, false, right_);
  exchange();
  correct(right_, left_);
  correct(left_, right_);
}

void Matcher::refine(TopLists& lists, bool of_left, SideCandidates& side) {
  side.lists.resize(lists.size());
  side.mean.assign(lists.size(), 0);
  side.panel_mean.assign(lists.size(), 0);
  pool_.for_ranges(lists.size(), kRowGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::span<Scored> list = lists.sorted(i);
      side.panel_mean[i] = mean_of_nearest(list, options_.csls_neighbours);
      if (options_.search != Search::exact) {
        for (Scored& item : list.first(std::min(list.size(), kRefined))) {
          const std::size_t left = of_left ? i : item.number, right = of_left ? item.number : i;
          item.score = dot_rows(vectors_.left.row(left), vectors_.right.row(right), vectors_.left.columns());
        }
        std::ranges::sort(list, better);
      }
      side.mean[i] = mean_of_nearest(list, options_.csls_neighbours);
      side.lists[i].assign(list.begin(), list.end());
    }
  });
}

/// CSLS favours those with few near ones; they may not be among the best of i, but i is among theirs.
void Matcher::exchange() {
  std::vector<std::size_t> own(left_.lists.size());
  for (std::size_t i = 0; i < own.size(); ++i) own[i] = left_.lists[i].size();
  const auto give = [](SideCandidates& from, std::size_t row, std::size_t count, SideCandidates& to) {
    for (std::size_t n = 0; n < count; ++n) {
      const Scored& item = from.lists[row][n];
      to.lists[item.number].push_back({static_cast<std::uint32_t>(row), item.score});
    }
  };
  for (std::size_t j = 0; j < right_.lists.size(); ++j) give(right_, j, right_.lists[j].size(), left_);
  for (std::size_t i = 0; i < own.size(); ++i) give(left_, i, own[i], right_);
}

void Matcher::correct(const SideCandidates& other, SideCandidates& side) const {
  pool_.for_ranges(side.lists.size(), kRowGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      std::vector<Scored>& list = side.lists[i];
      if (options_.csls_neighbours > 0) {
        for (Scored& item : list) item.score = 2 * item.score - side.mean[i] - other.mean[item.number];
      }
      std::ranges::sort(list, better);
      const auto repeated = [](const Scored& a, const Scored& b) { return a.number == b.number; };
      list.erase(std::unique(list.begin(), list.end(), repeated), list.end());
      if (list.size() > options_.candidates) list.resize(options_.candidates);
    }
  });
}

Matcher::Ranks Matcher::ranks(std::span<const std::pair<std::uint32_t, std::uint32_t>> pairs) {
  Ranks result{std::vector<std::uint32_t>(pairs.size(), 0), std::vector<std::uint32_t>(pairs.size(), 1)};
  std::vector<float> own(pairs.size());
  for (std::size_t p = 0; p < pairs.size(); ++p) own[p] = panels_.score(pairs[p].first, pairs[p].second);
  panels_.for_each([&](const ScorePanels::Panel& panel) {
    pool_.for_ranges(pairs.size(), kRowGrain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t p = begin; p < end; ++p) {
        const auto [left, right] = pairs[p];
        const float bar = 2 * own[p] - left_.panel_mean[left];
        for (std::size_t i = 0; i < panel.rows; ++i) {
          const float score = 2 * panel.scores[i * panel.stride + right] - left_.panel_mean[panel.first + i];
          if (score >= bar && panel.first + i != left) ++result.right_to_left[p];
        }
        if (left < panel.first || left >= panel.first + panel.rows) continue;
        const float* const scores = panel.scores + (left - panel.first) * panel.stride;
        result.left_to_right[p] = count_rank(scores, right_.panel_mean, right, own[p]);
      }
    });
  });
  // What is decided by the candidates' more exact scores is what counts as found or not.
  const auto agree = [](const std::vector<Scored>& list, std::uint32_t wanted, std::uint32_t& rank) {
    const bool first = list[0].number == wanted && (list.size() < 2 || list[1].score < list[0].score);
    rank = first ? 1 : std::max<std::uint32_t>(rank, 2);
  };
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    agree(left_.lists[pairs[p].first], pairs[p].second, result.left_to_right[p]);
    agree(right_.lists[pairs[p].second], pairs[p].first, result.right_to_left[p]);
  }
  return result;
}

}  // namespace dovetail
