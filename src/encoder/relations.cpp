#include "encoder/relations.h"

#include <algorithm>
#include <cmath>

#include "kernels/rows.h"

namespace dovetail {
namespace {

constexpr std::size_t kRelationGrain = 64;
constexpr double kLeastNorm = 1e-12;  // an embedding of zeros reflects nothing, and divides by this

}  // namespace

template <typename Real>
RelationScales<Real>::RelationScales(const EncoderLayout& layout)
    : reflects_(layout.options.transform == Transform::reflection),
      unit_(reflects_ && layout.options.reflection == Reflection::unit),
      width_(layout.shape.width),
      p_scale_(layout.relation_rows),
      q_scale_(layout.relation_rows),
      normal_scale_(layout.relation_rows) {}

template <typename Real>
void RelationScales<Real>::update(const Parameters<Real>& parameters, ThreadPool& pool) {
  relations_ = parameters.relations.data();
  pool.for_ranges(p_scale_.size(), kRelationGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Real norm = std::max(std::sqrt(dot(r(i), r(i), width_)), static_cast<Real>(kLeastNorm));
      p_scale_[i] = reflects_ ? 1 / norm : Real{0};
      q_scale_[i] = unit_ ? 1 / norm : Real{1};
      normal_scale_[i] = unit_ ? 2 / norm : 1 / norm;
    }
  });
}

template <typename Real>
Reflections<Real> RelationScales<Real>::view() const {
  return {relations_, p_scale_.data(), q_scale_.data(), normal_scale_.data()};
}

template <typename Real>
void RelationScales<Real>::add_p_gradient(const Real* x, Real factor, Real px, std::size_t relation,
                                          const RelationSums<Real>& sums) const {
  Real* const row = sums.rows + relation * width_;
  if (sums.touched[relation] == 0) std::fill_n(row, width_, Real{0});
  sums.touched[relation] = 1;
  add_scaled(x, factor * p_scale_[relation], width_, row);
  sums.normal[relation] += factor * px * p_scale_[relation];
}

template <typename Real>
void RelationScales<Real>::finish_gradient(std::size_t relation, Real normal, const Real* dq,
                                           Real* row) const {
  if (dq != nullptr) {
    add_scaled(dq, q_scale_[relation], width_, row);
    if (unit_) normal += q_scale_[relation] * p_scale_[relation] * dot(r(relation), dq, width_);
  }
  add_scaled(r(relation), -normal * p_scale_[relation], width_, row);
}

template <typename Real>
RelationGradients<Real>::RelationGradients(const EncoderLayout& layout)
    : width_(layout.shape.width),
      relation_rows_(layout.relation_rows),
      depth_(layout.options.depth),
      scalars_(layout.attention / layout.shape.width),
      learned_(is_learned(layout.options.attention)),
      stripes_(kStripes),
      attention_(layout.options.depth, layout.attention) {
  for (Stripe& stripe : stripes_) {
    stripe.rows = Matrix<Real>(relation_rows_, width_);
    stripe.normal.resize(relation_rows_);
    stripe.logits = Matrix<Real>(depth_, relation_rows_ * scalars_);
    stripe.direct = Matrix<Real>(depth_, layout.attention);
    stripe.touched.resize(relation_rows_);
  }
}

template <typename Real>
void RelationGradients<Real>::clear() {
  for (Stripe& stripe : stripes_) {
    std::ranges::fill(stripe.normal, Real{0});
    std::ranges::fill(stripe.logits.span(), Real{0});
    std::ranges::fill(stripe.direct.span(), Real{0});
    std::ranges::fill(stripe.touched, std::uint8_t{0});
  }
}

template <typename Real>
RelationSums<Real> RelationGradients<Real>::sums(std::size_t stripe, std::size_t layer) {
  Stripe& s = stripes_[stripe];
  const bool by_relation = learned_ && scalars_ == 1;
  return {.rows = s.rows.data(),
          .normal = s.normal.data(),
          .logit_above = by_relation && layer < depth_ ? s.logits.row(layer) : nullptr,
          .logit_here = by_relation && layer > 0 ? s.logits.row(layer - 1) : nullptr,
          .touched = s.touched.data()};
}

template <typename Real>
Real* RelationGradients<Real>::attention_scalars(std::size_t stripe, std::size_t layer) {
  return stripes_[stripe].logits.row(layer - 1);
}

template <typename Real>
Real* RelationGradients<Real>::attention_direct(std::size_t stripe, std::size_t layer) {
  return stripes_[stripe].direct.row(layer - 1);
}

template <typename Real>
void RelationGradients<Real>::finish_relation(const RelationScales<Real>& scales,
                                              const Parameters<Real>& parameters, std::size_t relation) {
  Stripe& total = stripes_[0];
  Real* const row = total.rows.row(relation);
  if (total.touched[relation] == 0) std::fill_n(row, width_, Real{0});
  for (std::size_t s = 1; s < kStripes; ++s) {
    const Stripe& stripe = stripes_[s];
    total.normal[relation] += stripe.normal[relation];
    if (stripe.touched[relation] != 0) {
      add_scaled(stripe.rows.row(relation), Real{1}, width_, row);
      total.touched[relation] = 1;
    }
    for (std::size_t k = 0; k < depth_; ++k) {
      for (std::size_t part = 0; part < scalars_; ++part) {
        total.logits.row(k)[relation * scalars_ + part] += stripe.logits.row(k)[relation * scalars_ + part];
      }
    }
  }
  std::vector<Real> dq(learned_ ? width_ : 0, Real{0});
  for (std::size_t k = 0; learned_ && k < depth_; ++k) {
    for (std::size_t part = 0; part < scalars_; ++part) {
      const Real scalar = total.logits.row(k)[relation * scalars_ + part];
      add_scaled(parameters.attention.row(k) + part * width_, scalar, width_, dq.data());
    }
  }
  scales.finish_gradient(relation, total.normal[relation], learned_ ? dq.data() : nullptr, row);
}

template <typename Real>
void RelationGradients<Real>::finish(const RelationScales<Real>& scales, const Parameters<Real>& parameters,
                                     ThreadPool& pool) {
  pool.for_ranges(relation_rows_, kRelationGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t r = begin; r < end; ++r) finish_relation(scales, parameters, r);
  });
  std::ranges::fill(attention_.span(), Real{0});
  for (std::size_t k = 0; learned_ && k < depth_; ++k) {
    Real* const gradient = attention_.row(k);
    for (const Stripe& stripe : stripes_) {
      add_scaled(stripe.direct.row(k), Real{1}, attention_.columns(), gradient);
    }
    for (std::size_t r = 0; r < relation_rows_; ++r) {
      for (std::size_t part = 0; part < scalars_; ++part) {
        const Real scalar = stripes_[0].logits.row(k)[r * scalars_ + part];
        add_scaled(scales.r(r), scalar * scales.q_scale(r), width_, gradient + part * width_);
      }
    }
  }
}

template <typename Real>
std::size_t RelationGradients<Real>::memory_bytes() const {
  std::size_t bytes = attention_.span().size_bytes();
  for (const Stripe& stripe : stripes_) {
    bytes += stripe.rows.span().size_bytes() + stripe.normal.size() * sizeof(Real) +
             stripe.logits.span().size_bytes() + stripe.direct.span().size_bytes() + stripe.touched.size();
  }
  return bytes;
}

template class RelationScales<float>;
template class RelationScales<double>;
template class RelationGradients<float>;
template class RelationGradients<double>;

}  // namespace dovetail
