#include "training/triplet_loss.h"

#include <algorithm>
#include <cmath>

#include "kernels/rows.h"

namespace dovetail {
namespace {

constexpr std::size_t kTripletGrain = 64;

template <typename Real>
Real sum_of_differences(const Real* a, const Real* b, std::size_t size) {
  // Several sums, which a compiler can keep in one register of lanes.
  Real sums[kRowUnit] = {};
  for (std::size_t c = 0; c < size; c += kRowUnit) {
    for (std::size_t i = 0; i < kRowUnit; ++i) sums[i] += std::abs(a[c + i] - b[c + i]);
  }
  Real total = 0;
  for (const Real sum : sums) total += sum;
  return total;
}

/// out += factor sign(a - b)
template <typename Real>
void add_signs(const Real* a, const Real* b, Real factor, std::size_t size, Real* out) {
  for (std::size_t c = 0; c < size; ++c) {
    const Real difference = a[c] - b[c];
    out[c] += difference > 0 ? factor : (difference < 0 ? -factor : Real{0});
  }
}

}  // namespace

template <typename Real>
TripletLoss<Real>::TripletLoss(const EncoderLayout& layout, const LossOptions& options, ThreadPool& pool)
    : layout_(layout), options_(options), pool_(pool), masks_(options.dropout) {}

/// A row for each node, however many pairs it is in.
template <typename Real>
void TripletLoss<Real>::number_rows(const PairBatch& batch) {
  row_of_.assign(batch.node_count, kNone);
  node_of_.clear();
  for (const auto* nodes : {&batch.left, &batch.right, &batch.negative_left, &batch.negative_right}) {
    for (const std::uint32_t node : *nodes) {
      if (row_of_[node] != kNone) continue;
      row_of_[node] = static_cast<std::uint32_t>(node_of_.size());
      node_of_.push_back(node);
    }
  }
}

template <typename Real>
void TripletLoss<Real>::take_rows(const Encoder<Real>& encoder) {
  const std::size_t size = layout_.output;
  rows_.require(node_of_.size() * size);
  pool_.for_ranges(node_of_.size(), kTripletGrain, [&](std::size_t begin, std::size_t end) {
    std::vector<Stored<Real>> output(size);
    for (std::size_t i = begin; i < end; ++i) {
      Real* const row = rows_.data() + i * size;
      encoder.copy_output(node_of_[i], output.data());
      for (std::size_t c = 0; c < size; ++c) row[c] = to_real(output[c]);
      drop(i, row);
    }
  });
}

template <typename Real>
void TripletLoss<Real>::drop(std::size_t row, Real* values) const {
  const std::uint8_t* const mask = dropping_ ? masks_.row(row) : nullptr;
  if (mask == nullptr) return;
  const auto scale = static_cast<Real>(1 / (1 - options_.dropout));
  for (std::size_t c = 0; c < layout_.output; ++c) {
    values[c] = (mask[c / 8] >> (c % 8) & 1) != 0 ? scale * values[c] : Real{0};
  }
}

template <typename Real>
void TripletLoss<Real>::list_comparisons(const PairBatch& batch) {
  comparisons_.clear();
  for (std::size_t i = 0; i < batch.size(); ++i) {
    comparisons_.push_back({row_of_[batch.left[i]], row_of_[batch.right[i]]});
  }
  const std::size_t n = options_.negative_count;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    for (std::size_t k = 0; k < n; ++k) {
      comparisons_.push_back({row_of_[batch.left[i]], row_of_[batch.negative_right[i * n + k]]});
      comparisons_.push_back({row_of_[batch.negative_left[i * n + k]], row_of_[batch.right[i]]});
    }
  }
}

template <typename Real>
void TripletLoss<Real>::measure() {
  const std::size_t size = layout_.output;
  pool_.for_ranges(comparisons_.size(), kTripletGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      Comparison& pair = comparisons_[i];
      pair.distance = sum_of_differences(rows_.data() + pair.a * size, rows_.data() + pair.b * size, size);
    }
  });
}

template <typename Real>
double TripletLoss<Real>::hinge(std::size_t pairs) {
  const std::size_t negatives = 2 * options_.negative_count;
  const double share = 1 / static_cast<double>(pairs * negatives);
  double total = 0;
  for (std::size_t i = 0; i < pairs; ++i) {
    Comparison& link = comparisons_[i];
    for (std::size_t k = 0; k < negatives; ++k) {
      Comparison& negative = comparisons_[pairs + i * negatives + k];
      const double excess = options_.margin + link.distance - negative.distance;
      if (!(excess > 0)) continue;
      total += share * excess;
      link.slope += static_cast<Real>(share);
      negative.slope = static_cast<Real>(-share);
    }
  }
  return total;
}

template <typename Real>
void TripletLoss<Real>::backward() {
  std::vector<std::vector<std::uint32_t>> of_row(node_of_.size());
  for (std::uint32_t i = 0; i < comparisons_.size(); ++i) {
    if (comparisons_[i].slope == 0) continue;
    of_row[comparisons_[i].a].push_back(i);
    of_row[comparisons_[i].b].push_back(i);
  }
  gradient_.require(node_of_.size() * layout_.output);
  pool_.for_ranges(node_of_.size(), kTripletGrain, [&](std::size_t begin, std::size_t end) {
    std::vector<Real> sum(layout_.output);
    for (std::size_t row = begin; row < end; ++row) put_gradient(row, of_row[row], sum.data());
  });
}

template <typename Real>
void TripletLoss<Real>::put_gradient(std::size_t row, const std::vector<std::uint32_t>& comparisons,
                                     Real* sum) {
  const std::size_t size = layout_.output;
  const Real* const own = rows_.data() + row * size;
  std::fill_n(sum, size, Real{0});
  for (const std::uint32_t i : comparisons) {
    const Comparison& pair = comparisons_[i];
    const Real* const other = rows_.data() + (pair.a == row ? pair.b : pair.a) * size;
    add_signs(own, other, pair.slope, size, sum);
  }
  drop(row, sum);
  store_row<Real>(sum, size, gradient_.data() + row * size);
}

template <typename Real>
double TripletLoss<Real>::evaluate(const Encoder<Real>& encoder, const PairBatch& batch,
                                   const Matrix<Stored<Real>>& /*initial*/) {
  number_rows(batch);
  take_rows(encoder);
  list_comparisons(batch);
  measure();
  return hinge(batch.size());
}

template <typename Real>
double TripletLoss<Real>::forward_backward(const Encoder<Real>& encoder, const PairBatch& batch,
                                           const Matrix<Stored<Real>>& initial, std::uint64_t dropout_seed) {
  const std::size_t most = 2 * batch.size() * (1 + options_.negative_count);
  masks_.draw(dropout_seed, std::min(most, batch.node_count), layout_.output, pool_);
  dropping_ = true;
  const double loss = evaluate(encoder, batch, initial);
  backward();
  dropping_ = false;
  return loss;
}

template <typename Real>
std::size_t TripletLoss<Real>::memory_bytes() const {
  return rows_.span().size_bytes() + gradient_.span().size_bytes() + masks_.memory_bytes() +
         (row_of_.capacity() + node_of_.capacity()) * sizeof(std::uint32_t) +
         comparisons_.capacity() * sizeof(Comparison);
}

template class TripletLoss<float>;
template class TripletLoss<double>;

}  // namespace dovetail
