#pragma once

#include <dovetail/training.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/buffer.h"
#include "common/threads.h"
#include "encoder/encoder.h"
#include "kernels/standardised.h"
#include "training/dropout.h"
#include "training/loss.h"

namespace dovetail {

/// The symmetric negative-free loss (SNAL), mean over the pairs:
///   -cos(h_i, init_j)^power - cos(h_j, init_i)^power,
/// where h and init are masked by dropout and brought to mean 0 and deviation 1 in each column.
template <typename Real>
class SymmetricLoss final : public Loss<Real> {
 public:
  SymmetricLoss(const EncoderLayout& layout, const LossOptions& options, ThreadPool& pool);

  double evaluate(const Encoder<Real>& encoder, const PairBatch& batch,
                  const Matrix<Stored<Real>>& initial) override;
  double forward_backward(const Encoder<Real>& encoder, const PairBatch& batch,
                          const Matrix<Stored<Real>>& initial, std::uint64_t dropout_seed) override;
  [[nodiscard]] OutputGradient<Real> gradient() const override { return {gradient_.data(), row_of_}; }
  [[nodiscard]] std::size_t memory_bytes() const override;

 private:
  /// Where one block of columns of one matrix of the batch lies.
  struct Block {
    std::size_t layer, feature, column;
  };
  [[nodiscard]] Block block(std::size_t number) const;
  /// The features of a side, and the initial features of the other side that they are compared with.
  [[nodiscard]] MaskedRows<Real> features(std::size_t side, const Block& block) const;
  [[nodiscard]] MaskedRows<Real> targets(std::size_t side, const Block& block) const;
  [[nodiscard]] ColumnScale<Real> scale(std::size_t side, bool target, const Block& block);

  double forward(std::size_t side);
  void backward(std::size_t side);
  void standardise();
  void multiply(std::size_t side);
  /// One node may be in several pairs: its first row takes all their gradients.
  void merge_repeated();

  EncoderLayout layout_;
  LossOptions options_;
  ThreadPool& pool_;
  DropoutMasks masks_;

  // The batch at hand.
  const Encoder<Real>* encoder_ = nullptr;
  const PairBatch* batch_ = nullptr;
  const Matrix<Stored<Real>>* initial_ = nullptr;
  bool dropping_ = false;

  Buffer<Real> mean_, inverse_;                     // [side][features, target][output]
  Buffer<Real> xy_, xx_, yy_;                       // [side][pairs]
  std::vector<Real> on_target_[2], on_feature_[2];  // [pairs] coefficients of the gradient
  Buffer<Stored<Real>> gradient_;                   // [2 pairs, output]
  std::vector<std::uint32_t> row_of_;               // [nodes]
};

}  // namespace dovetail
