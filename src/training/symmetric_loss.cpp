#include "training/symmetric_loss.h"

#include <algorithm>
#include <cmath>

#include "kernels/rows.h"

namespace dovetail {
namespace {

constexpr std::size_t kPairGrain = 64;
constexpr std::size_t kSides = 2;

}  // namespace

template <typename Real>
SymmetricLoss<Real>::SymmetricLoss(const EncoderLayout& layout, const LossOptions& options, ThreadPool& pool)
    : layout_(layout), options_(options), pool_(pool), masks_(options.dropout) {
  mean_ = Buffer<Real>(2 * kSides * layout.output);
  inverse_ = Buffer<Real>(2 * kSides * layout.output);
}

template <typename Real>
typename SymmetricLoss<Real>::Block SymmetricLoss<Real>::block(std::size_t number) const {
  return {number / layout_.shape.features, number % layout_.shape.features, number * layout_.shape.width};
}

template <typename Real>
MaskedRows<Real> SymmetricLoss<Real>::features(std::size_t side, const Block& block) const {
  const std::uint8_t* const mask = dropping_ ? masks_.row(side * batch_->size()) : nullptr;
  return {.base = encoder_->output_layer(block.layer) + block.feature * layout_.shape.width,
          .stride = layout_.shape.size(),
          .numbers = (side == 0 ? batch_->left : batch_->right).data(),
          .count = batch_->size(),
          .mask = mask == nullptr ? nullptr : mask + block.column / 8,
          .mask_stride = masks_.stride()};
}

template <typename Real>
MaskedRows<Real> SymmetricLoss<Real>::targets(std::size_t side, const Block& block) const {
  const std::uint8_t* const mask = dropping_ ? masks_.row((kSides + side) * batch_->size()) : nullptr;
  return {.base = initial_->data() + block.column,
          .stride = layout_.output,
          .numbers = (side == 0 ? batch_->right_initial : batch_->left_initial).data(),
          .count = batch_->size(),
          .mask = mask == nullptr ? nullptr : mask + block.column / 8,
          .mask_stride = masks_.stride()};
}

template <typename Real>
ColumnScale<Real> SymmetricLoss<Real>::scale(std::size_t side, bool target, const Block& block) {
  const std::size_t at = (2 * side + std::size_t{target}) * layout_.output + block.column;
  return {mean_.data() + at, inverse_.data() + at};
}

template <typename Real>
void SymmetricLoss<Real>::standardise() {
  const std::size_t blocks = layout_.output_layers * layout_.shape.features;
  pool_.run(blocks * 2 * kSides, [&](std::size_t piece) {
    const Block columns = block(piece % blocks);
    const std::size_t side = piece / blocks / 2;
    const bool target = piece / blocks % 2 == 1;
    const ColumnScale<Real> out = scale(side, target, columns);
    if (options_.standardise && batch_->size() > 1) {
      column_scale(target ? targets(side, columns) : features(side, columns), layout_.shape.width,
                   static_cast<Real>(options_.epsilon), out);
    } else {  // one pair has no deviation
      std::fill_n(out.mean, layout_.shape.width, Real{0});
      std::fill_n(out.inverse, layout_.shape.width, Real{1});
    }
  });
}

template <typename Real>
void SymmetricLoss<Real>::multiply(std::size_t side) {
  pool_.for_ranges(batch_->size(), kPairGrain, [&](std::size_t begin, std::size_t end) {
    const std::size_t at = side * batch_->size();
    const RowProducts<Real> products{xy_.data() + at, xx_.data() + at, yy_.data() + at};
    for (Real* sums : {products.xy, products.xx, products.yy}) std::fill(sums + begin, sums + end, Real{0});
    for (std::size_t b = 0; b < layout_.output_layers * layout_.shape.features; ++b) {
      const Block columns = block(b);
      row_products(features(side, columns), scale(side, false, columns), targets(side, columns),
                   scale(side, true, columns), layout_.shape.width, begin, end, products);
    }
  });
}

/// The side's loss, and the coefficients from which its gradient follows.
template <typename Real>
double SymmetricLoss<Real>::forward(std::size_t side) {
  multiply(side);
  const std::size_t count = batch_->size();
  on_target_[side].assign(count, Real{0});
  on_feature_[side].assign(count, Real{0});
  const auto power = static_cast<double>(options_.power);
  double total = 0;
  for (std::size_t b = 0; b < count; ++b) {
    const double xx = xx_[side * count + b];
    const double norms = std::sqrt(xx) * std::sqrt(static_cast<double>(yy_[side * count + b]));
    if (!(norms > 0)) continue;  // a row of zeros points nowhere
    const double cosine = xy_[side * count + b] / norms;
    total -= std::pow(cosine, power);
    const double slope = -power * std::pow(cosine, power - 1) / static_cast<double>(count);
    on_target_[side][b] = static_cast<Real>(slope / norms);
    on_feature_[side][b] = static_cast<Real>(-slope * cosine / xx);
  }
  return total / static_cast<double>(count);
}

template <typename Real>
void SymmetricLoss<Real>::backward(std::size_t side) {
  pool_.run(layout_.output_layers * layout_.shape.features, [&](std::size_t piece) {
    const Block columns = block(piece);
    Buffer<Real> scratch(2 * layout_.shape.width);
    standardised_backward(
        features(side, columns), scale(side, false, columns), targets(side, columns),
        scale(side, true, columns), layout_.shape.width, on_target_[side].data(), on_feature_[side].data(),
        options_.standardise && batch_->size() > 1, scratch.data(),
        gradient_.data() + side * batch_->size() * layout_.output + columns.column, layout_.output);
  });
}

template <typename Real>
void SymmetricLoss<Real>::merge_repeated() {
  row_of_.assign(batch_->node_count, kNone);
  std::vector<Real> sum(layout_.output);
  for (std::size_t i = 0; i < kSides * batch_->size(); ++i) {
    const std::uint32_t node = i < batch_->size() ? batch_->left[i] : batch_->right[i - batch_->size()];
    if (row_of_[node] == kNone) {
      row_of_[node] = static_cast<std::uint32_t>(i);
      continue;
    }
    Stored<Real>* const first = gradient_.data() + row_of_[node] * layout_.output;
    std::ranges::fill(sum, Real{0});
    add_scaled_stored<Real>(first, Real{1}, layout_.output, sum.data());
    add_scaled_stored<Real>(gradient_.data() + i * layout_.output, Real{1}, layout_.output, sum.data());
    store_row<Real>(sum.data(), layout_.output, first);
  }
}

template <typename Real>
double SymmetricLoss<Real>::evaluate(const Encoder<Real>& encoder, const PairBatch& batch,
                                     const Matrix<Stored<Real>>& initial) {
  encoder_ = &encoder;
  batch_ = &batch;
  initial_ = &initial;
  for (Buffer<Real>* sums : {&xy_, &xx_, &yy_}) sums->require(kSides * batch.size());
  standardise();
  return forward(0) + forward(1);
}

template <typename Real>
double SymmetricLoss<Real>::forward_backward(const Encoder<Real>& encoder, const PairBatch& batch,
                                             const Matrix<Stored<Real>>& initial,
                                             std::uint64_t dropout_seed) {
  masks_.draw(dropout_seed, 2 * kSides * batch.size(), layout_.output, pool_);
  dropping_ = true;
  const double loss = evaluate(encoder, batch, initial);
  gradient_.require(kSides * batch.size() * layout_.output);
  backward(0);
  backward(1);
  dropping_ = false;
  merge_repeated();
  return loss;
}

template <typename Real>
std::size_t SymmetricLoss<Real>::memory_bytes() const {
  std::size_t bytes = gradient_.span().size_bytes() + row_of_.capacity() * sizeof(std::uint32_t);
  for (const auto* buffer : {&mean_, &inverse_, &xy_, &xx_, &yy_}) bytes += buffer->span().size_bytes();
  for (const auto* numbers : {on_target_, on_feature_}) {
    bytes += (numbers[0].capacity() + numbers[1].capacity()) * sizeof(Real);
  }
  return bytes + masks_.memory_bytes();
}

template class SymmetricLoss<float>;
template class SymmetricLoss<double>;

}  // namespace dovetail
