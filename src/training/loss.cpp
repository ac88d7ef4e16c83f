#include "training/loss.h"

#include "training/symmetric_loss.h"
#include "training/triplet_loss.h"

namespace dovetail {

template <typename Real>
std::unique_ptr<Loss<Real>> make_loss(const EncoderLayout& layout, const LossOptions& options,
                                      ThreadPool& pool) {
  if (options.kind == LossKind::triplet) return std::make_unique<TripletLoss<Real>>(layout, options, pool);
  return std::make_unique<SymmetricLoss<Real>>(layout, options, pool);
}

template std::unique_ptr<Loss<float>> make_loss(const EncoderLayout&, const LossOptions&, ThreadPool&);
template std::unique_ptr<Loss<double>> make_loss(const EncoderLayout&, const LossOptions&, ThreadPool&);

}  // namespace dovetail
