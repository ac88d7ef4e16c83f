#pragma once

#include <dovetail/encoder.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/buffer.h"
#include "encoder/message_graph.h"
#include "kernels/propagate.h"
#include "kernels/rows.h"

namespace dovetail {

/// The sizes that follow from the options. Rows are padded; padding is zero everywhere and stays zero.
struct EncoderLayout {
  EncoderOptions options;
  RowShape shape;             ///< one layer's row: the features side by side
  std::size_t layers;         ///< input included: depth + 1
  std::size_t output_layers;  ///< layers that the output consists of
  std::size_t output;         ///< columns of the concatenated output
  std::size_t attention;      ///< columns of a layer's attention vector; [v2 | v1 | v3] if three-part
  int relation_block;         ///< which feature is the relations', or -1
  std::size_t relation_rows;  ///< relations, inverse ones and that of self-loops included

  EncoderLayout(const EncoderOptions& encoder, std::size_t relation_count);
  /// Rows of all layers' matrices.
  [[nodiscard]] std::size_t linear_rows() const {
    return options.transform == Transform::linear ? options.depth * options.dimension : 0;
  }
};

[[nodiscard]] constexpr bool is_learned(Attention attention) {
  return attention == Attention::by_relation || attention == Attention::three_part;
}

/// A table of embeddings, and a copy of it in the precision that rows are gathered in.
template <typename Real>
class Embeddings : public Matrix<Real> {
 public:
  Embeddings() = default;
  Embeddings(std::size_t rows, std::size_t columns) : Matrix<Real>(rows, columns), gathered_(rows, columns) {}

  /// Whoever changes a row says so with this.
  void changed(std::size_t row) { store_row<Real>(this->row(row), this->columns(), gathered_.row(row)); }
  void all_changed() {
    for (std::size_t row = 0; row < this->rows(); ++row) changed(row);
  }
  [[nodiscard]] const Matrix<Stored<Real>>& gathered() const { return gathered_; }
  /// Drops the table itself, where only rows will be gathered from now on.
  void keep_gathered() { static_cast<Matrix<Real>&>(*this) = Matrix<Real>(); }

 private:
  Matrix<Stored<Real>> gathered_;
};

/// What is learned. Entity rows are in node order.
template <typename Real>
struct Parameters {
  Embeddings<Real> entities;   ///< [entities, width]
  Embeddings<Real> relations;  ///< [relation_rows, width]
  Matrix<Real> attention;      ///< [depth, layout.attention]
  Embeddings<Real> linear;     ///< [depth * dimension, width] rows of each layer's matrix; no rows: none

  void all_changed() {
    for (Embeddings<Real>* table : {&entities, &relations, &linear}) table->all_changed();
  }
};

/// For an archive to write or to read; all_changed() has then to be called.
template <typename Archive, typename Real>
void visit_state(Archive& archive, Parameters<Real>& parameters) {
  archive(parameters.entities, parameters.relations, parameters.attention, parameters.linear);
}

/// Which random numbers rows start with: those of their key. Where there are no keys, an entity's is its
/// shared id and a relation's its row.
struct InitialKeys {
  std::vector<std::uint32_t> entities = {}, relations = {};
};

/// All uniform in (-0.05, 0.05); a value depends on the seed, the key of its row and the column alone.
template <typename Real>
[[nodiscard]] Parameters<Real> initial_parameters(const EncoderLayout& layout, const NodeOrder& order,
                                                  std::uint64_t seed, ThreadPool& pool,
                                                  const InitialKeys& keys = {});

/// Two nodes said to be the same entity.
struct NodePair {
  std::uint32_t left, right;
};

/// Gives the right node of each pair the embedding of its left one.
template <typename Real>
void tie(std::span<const NodePair> pairs, Parameters<Real>& parameters) {
  for (const NodePair& pair : pairs) {
    std::copy_n(parameters.entities.row(pair.left), parameters.entities.columns(),
                parameters.entities.row(pair.right));
    parameters.entities.changed(pair.right);
  }
}

/// What a model starts from: everything else follows from it and the graphs.
struct Initialisation {
  std::uint64_t seed = 1;
  std::vector<NodePair> tied;  ///< links whose two ends get one embedding
  InitialKeys keys = {};
};

template <typename Real>
[[nodiscard]] Parameters<Real> start_parameters(const EncoderLayout& layout, const NodeOrder& order,
                                                const Initialisation& start, ThreadPool& pool) {
  Parameters<Real> parameters = initial_parameters<Real>(layout, order, start.seed, pool, start.keys);
  tie<Real>(start.tied, parameters);
  return parameters;
}

}  // namespace dovetail
