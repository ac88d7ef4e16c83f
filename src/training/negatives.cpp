#include "training/negatives.h"

#include <algorithm>
#include <cmath>

#include "kernels/scores.h"
#include "pairs/top_k.h"

namespace dovetail {
namespace {

constexpr std::size_t kNegativeGrain = 64;
/// Rows and columns of the scores that are computed at a time.
constexpr std::size_t kLists = 64;
constexpr std::size_t kCandidates = 1024;

/// Rows of length 1.
template <typename Row>
Matrix<Bfloat16> directions_of(const Matrix<Row>& features, ThreadPool& pool) {
  Matrix<Bfloat16> directions(features.rows(), features.columns());
  pool.for_ranges(features.rows(), kNegativeGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      double squares = 0;
      for (std::size_t c = 0; c < features.columns(); ++c) {
        const double value = to_real(features.row(i)[c]);
        squares += value * value;
      }
      const double scale = squares > 0 ? 1 / std::sqrt(squares) : 0;
      for (std::size_t c = 0; c < features.columns(); ++c) {
        directions.row(i)[c] = to_bfloat16(static_cast<float>(scale * to_real(features.row(i)[c])));
      }
    }
  });
  return directions;
}

}  // namespace

NegativeSampler::NegativeSampler(const LossOptions& options, const NodeOrder& order)
    : options_(options),
      left_{0, static_cast<std::uint32_t>(order.left_count)},
      right_{left_.end, static_cast<std::uint32_t>(order.entity_of.size())},
      list_of_(options.kind == LossKind::triplet ? order.entity_of.size() : 0, kNone) {}

std::uint32_t NegativeSampler::draw_one(std::uint32_t node, Range graph, Random& random) const {
  if (follows_features() && list_of_[node] != kNone) {
    const std::vector<std::uint32_t>& near = nearest_[list_of_[node]];
    if (!near.empty()) return near[random.below(near.size())];
  }
  return graph.begin + static_cast<std::uint32_t>(random.below(graph.end - graph.begin));
}

NegativeSampler::Drawn NegativeSampler::draw(std::span<const NodePair> links, std::uint64_t seed) const {
  Drawn drawn;
  if (options_.kind != LossKind::triplet) return drawn;
  for (const NodePair& link : links) {
    Random random(seed, std::uint64_t{link.left} << 32 | link.right);
    for (std::size_t i = 0; i < options_.negative_count; ++i) {
      drawn.left.push_back(draw_one(link.left, left_, random));
      drawn.right.push_back(draw_one(link.right, right_, random));
    }
  }
  return drawn;
}

template <typename Row>
void NegativeSampler::renew(std::span<const NodePair> links, const Matrix<Row>& features, ThreadPool& pool) {
  const Matrix<Bfloat16> directions = directions_of(features, pool);
  renewal_bytes_ = features.span().size_bytes() + directions.span().size_bytes();
  std::ranges::fill(list_of_, kNone);
  nearest_.clear();
  for (const bool left : {true, false}) {
    std::vector<std::uint32_t> nodes;
    for (const NodePair& link : links) {
      const std::uint32_t node = left ? link.left : link.right;
      if (list_of_[node] != kNone) continue;
      list_of_[node] = static_cast<std::uint32_t>(nearest_.size());
      nearest_.emplace_back();
      nodes.push_back(node);
    }
    list_nearest(nodes, left ? left_ : right_, directions, pool);
  }
}

void NegativeSampler::list_nearest(const std::vector<std::uint32_t>& nodes, Range graph,
                                   const Matrix<Bfloat16>& directions, ThreadPool& pool) {
  const std::size_t columns = directions.columns();
  TopLists lists(nodes.size(), options_.nearest + 1);  // the node itself is among them
  pool.for_ranges(nodes.size(), kLists, [&](std::size_t begin, std::size_t end) {
    Matrix<Bfloat16> rows(end - begin, columns);
    for (std::size_t i = begin; i < end; ++i) {
      std::copy_n(directions.row(nodes[i]), columns, rows.row(i - begin));
    }
    Matrix<float> scores(end - begin, kCandidates);
    for (std::uint32_t first = graph.begin; first < graph.end; first += kCandidates) {
      const std::size_t count = std::min<std::size_t>(kCandidates, graph.end - first);
      exact_scores(rows.data(), directions.row(first),
                   {.a_rows = end - begin,
                    .b_rows = count,
                    .columns = columns,
                    .out = scores.data(),
                    .out_stride = kCandidates});
      for (std::size_t i = begin; i < end; ++i) {
        const float* const row = scores.row(i - begin);
        for (std::size_t c = 0; c < count; ++c) {
          if (row[c] < lists.least()[i]) continue;
          lists.offer(i, {static_cast<std::uint32_t>(first + c), row[c]});
        }
      }
    }
    for (std::size_t i = begin; i < end; ++i) {
      std::vector<std::uint32_t>& near = nearest_[list_of_[nodes[i]]];
      for (const Scored& item : lists.sorted(i)) {
        if (item.number != nodes[i] && near.size() < options_.nearest) near.push_back(item.number);
      }
    }
  });
}

std::size_t NegativeSampler::memory_bytes() const {
  std::size_t numbers = list_of_.capacity();
  for (const std::vector<std::uint32_t>& near : nearest_) numbers += near.capacity();
  return numbers * sizeof(std::uint32_t) + renewal_bytes_;
}

template void NegativeSampler::renew(std::span<const NodePair>, const Matrix<Bfloat16>&, ThreadPool&);
template void NegativeSampler::renew(std::span<const NodePair>, const Matrix<double>&, ThreadPool&);

}  // namespace dovetail
