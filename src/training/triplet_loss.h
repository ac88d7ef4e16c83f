#pragma once

#include <dovetail/training.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/buffer.h"
#include "common/threads.h"
#include "encoder/encoder.h"
#include "training/dropout.h"
#include "training/loss.h"

namespace dovetail {

/// The triplet loss of the paper's equation 2, with a negative for either end: the mean over pairs (i, j) and
/// their negatives (i', j) and (i, j') of
///   [margin + d(i, j) - d(negative)]+
/// where d is the sum of absolute differences.
template <typename Real>
class TripletLoss final : public Loss<Real> {
 public:
  TripletLoss(const EncoderLayout& layout, const LossOptions& options, ThreadPool& pool);

  double evaluate(const Encoder<Real>& encoder, const PairBatch& batch,
                  const Matrix<Stored<Real>>& initial) override;
  double forward_backward(const Encoder<Real>& encoder, const PairBatch& batch,
                          const Matrix<Stored<Real>>& initial, std::uint64_t dropout_seed) override;
  [[nodiscard]] OutputGradient<Real> gradient() const override { return {gradient_.data(), row_of_}; }
  [[nodiscard]] std::size_t memory_bytes() const override;

 private:
  /// Two rows that are compared, and how much their distance counts in the loss.
  struct Comparison {
    std::uint32_t a, b;
    Real distance = 0;
    Real slope = 0;
  };

  void number_rows(const PairBatch& batch);
  void take_rows(const Encoder<Real>& encoder);
  /// Dropout of one row, of features or of their gradient.
  void drop(std::size_t row, Real* values) const;
  void list_comparisons(const PairBatch& batch);
  void measure();
  /// The loss, and the slopes.
  double hinge(std::size_t pairs);
  void backward();
  void put_gradient(std::size_t row, const std::vector<std::uint32_t>& comparisons, Real* sum);

  EncoderLayout layout_;
  LossOptions options_;
  ThreadPool& pool_;
  DropoutMasks masks_;
  bool dropping_ = false;

  std::vector<std::uint32_t> row_of_;    // [nodes] or kNone
  std::vector<std::uint32_t> node_of_;   // [rows]
  Buffer<Real> rows_;                    // [rows, output] after dropout
  std::vector<Comparison> comparisons_;  // [pairs] of the links, then [pairs, 2 n] of their negatives
  Buffer<Stored<Real>> gradient_;        // [rows, output]
};

}  // namespace dovetail
