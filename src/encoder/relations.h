#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/buffer.h"
#include "common/threads.h"
#include "encoder/message_graph.h"
#include "encoder/parameters.h"
#include "kernels/propagate.h"

namespace dovetail {

/// What the layers need of the relations' embeddings r: the scales that make of r the two vectors p and q of
/// the reflection, and how these change with r. Attention looks at q. Where nothing is reflected, p is zero
/// and q is r.
template <typename Real>
class RelationScales {
 public:
  explicit RelationScales(const EncoderLayout& layout);

  void update(const Parameters<Real>& parameters, ThreadPool& pool);

  /// Of the parameters of the last update().
  [[nodiscard]] Reflections<Real> view() const;
  [[nodiscard]] const Real* r(std::size_t relation) const { return relations_ + relation * width_; }
  [[nodiscard]] Real p_scale(std::size_t relation) const { return p_scale_[relation]; }
  [[nodiscard]] Real q_scale(std::size_t relation) const { return q_scale_[relation]; }

  /// Adds the gradient factor * x on p to what RelationSums collects; px = p . x.
  void add_p_gradient(const Real* x, Real factor, Real px, std::size_t relation,
                      const RelationSums<Real>& sums) const;
  /// dr = row - normal p + (dq/dr)^T dq, in place of row; dq may be null.
  void finish_gradient(std::size_t relation, Real normal, const Real* dq, Real* row) const;

 private:
  bool reflects_, unit_;
  std::size_t width_;
  const Real* relations_ = nullptr;
  std::vector<Real> p_scale_, q_scale_, normal_scale_;
};

/// Gradients of relations and attention, summed over the stripes of the graph in a fixed order.
template <typename Real>
class RelationGradients {
 public:
  explicit RelationGradients(const EncoderLayout& layout);

  void clear();
  /// Where a stripe's nodes add their share for the layer `layer` and the one above.
  [[nodiscard]] RelationSums<Real> sums(std::size_t stripe, std::size_t layer);
  /// Attention scalars of one layer and stripe: [relation_rows, scalars()], dL/d(v_part . q_r).
  [[nodiscard]] Real* attention_scalars(std::size_t stripe, std::size_t layer);
  [[nodiscard]] std::size_t scalars() const { return scalars_; }
  /// dL/dv of one layer and stripe beyond what follows from the scalars: [layout.attention].
  [[nodiscard]] Real* attention_direct(std::size_t stripe, std::size_t layer);

  /// Adds everything up: afterwards gradient rows hold dL/dr and dL/dv.
  void finish(const RelationScales<Real>& scales, const Parameters<Real>& parameters, ThreadPool& pool);

  [[nodiscard]] std::size_t memory_bytes() const;
  [[nodiscard]] bool touched(std::size_t relation) const { return stripes_[0].touched[relation] != 0; }
  [[nodiscard]] const Real* relation(std::size_t relation) const { return stripes_[0].rows.row(relation); }
  [[nodiscard]] const Real* attention(std::size_t layer) const { return attention_.row(layer); }

 private:
  struct Stripe {
    Matrix<Real> rows;         // [relation_rows, width]; only touched rows are valid
    std::vector<Real> normal;  // [relation_rows]
    Matrix<Real> logits;       // [depth, relation_rows * scalars]
    Matrix<Real> direct;       // [depth, layout.attention]
    std::vector<std::uint8_t> touched;
  };

  void finish_relation(const RelationScales<Real>& scales, const Parameters<Real>& parameters,
                       std::size_t relation);

  std::size_t width_, relation_rows_, depth_, scalars_;
  bool learned_;
  std::vector<Stripe> stripes_;
  Matrix<Real> attention_;
};

}  // namespace dovetail
