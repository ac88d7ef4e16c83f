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

/// What the layers need of the relations' embeddings r: the two vectors of the reflection, and how they
/// change with r. Attention looks at q.
template <typename Real>
class RelationTables {
 public:
  explicit RelationTables(const EncoderLayout& layout);

  void update(const Parameters<Real>& parameters, ThreadPool& pool);

  [[nodiscard]] Reflections<Real> view() const;
  [[nodiscard]] const Real* p(std::size_t relation) const { return p_.row(relation); }
  [[nodiscard]] const Real* q(std::size_t relation) const { return q_.row(relation); }

  /// Adds a gradient with respect to p to what RelationSums collects.
  void add_p_gradient(const Real* x, Real factor, Real px, std::size_t relation,
                      const RelationSums<Real>& sums) const;
  /// dr = rows - normal p + (dq/dr)^T dq, in place of rows.
  void finish_gradient(std::size_t relation, Real normal, const Real* dq, Real* rows) const;

 private:
  bool unit_;
  std::size_t width_;
  Matrix<Real> p_, q_;
  std::vector<Real> p_slope_, q_slope_, normal_slope_;
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
  void finish(const RelationTables<Real>& tables, const Parameters<Real>& parameters, ThreadPool& pool);

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

  void finish_relation(const RelationTables<Real>& tables, const Parameters<Real>& parameters,
                       std::size_t relation);

  std::size_t width_, relation_rows_, depth_, scalars_;
  bool learned_;
  std::vector<Stripe> stripes_;
  Matrix<Real> attention_;
};

}  // namespace dovetail
