#pragma once

#include <dovetail/training.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "common/buffer.h"
#include "common/threads.h"
#include "encoder/encoder.h"

namespace dovetail {

/// The pairs of one step: nodes of the step's computation, and rows of the initial features.
struct PairBatch {
  std::size_t node_count = 0;  ///< of the computation
  std::vector<std::uint32_t> left, right;
  std::vector<std::uint32_t> left_initial, right_initial;    ///< empty where the loss does not look at them
  std::vector<std::uint32_t> negative_left, negative_right;  ///< [pairs, n] in place of the left, right end

  [[nodiscard]] std::size_t size() const { return left.size(); }
};

/// What training makes small.
template <typename Real>
class Loss {
 public:
  Loss() = default;
  Loss(const Loss&) = delete;
  Loss& operator=(const Loss&) = delete;
  virtual ~Loss() = default;

  /// The loss alone, without dropout.
  virtual double evaluate(const Encoder<Real>& encoder, const PairBatch& batch,
                          const Matrix<Stored<Real>>& initial) = 0;

  /// The loss, and the gradient on the batch's output rows in gradient().
  virtual double forward_backward(const Encoder<Real>& encoder, const PairBatch& batch,
                                  const Matrix<Stored<Real>>& initial, std::uint64_t dropout_seed) = 0;

  [[nodiscard]] virtual OutputGradient<Real> gradient() const = 0;
  [[nodiscard]] virtual std::size_t memory_bytes() const = 0;
};

template <typename Real>
[[nodiscard]] std::unique_ptr<Loss<Real>> make_loss(const EncoderLayout& layout, const LossOptions& options,
                                                    ThreadPool& pool);

}  // namespace dovetail
