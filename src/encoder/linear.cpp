#include "encoder/linear.h"

#include <algorithm>

#include "kernels/rows.h"
#include "kernels/scores.h"

namespace dovetail {
namespace {

/// Nodes whose rows are multiplied at a time: enough to make good use of the matrix in the cache.
constexpr std::size_t kNodes = 128;

/// out[i, j] = a_i . b_j; a: [a_rows, columns], b: [b_rows, columns], out: [a_rows, stride].
void multiply(const Bfloat16* a, std::size_t a_rows, const Bfloat16* b, std::size_t b_rows,
              std::size_t columns, float* out, std::size_t stride) {
  exact_scores(a, b,
               {.a_rows = a_rows, .b_rows = b_rows, .columns = columns, .out = out, .out_stride = stride});
}
void multiply(const double* a, std::size_t a_rows, const double* b, std::size_t b_rows, std::size_t columns,
              double* out, std::size_t stride) {
  for (std::size_t i = 0; i < a_rows; ++i) {
    for (std::size_t j = 0; j < b_rows; ++j)
      out[i * stride + j] = dot(a + i * columns, b + j * columns, columns);
  }
}

/// [rows, columns] to [columns, stride]; what is beyond the rows stays as it is.
template <typename T>
void transpose(const T* matrix, std::size_t rows, std::size_t columns, std::size_t stride, T* out) {
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) out[j * stride + i] = matrix[i * columns + j];
  }
}

/// Those of the nodes from `begin` on, at most kNodes of them, that are needed.
std::vector<std::size_t> needed(std::span<const std::uint8_t> need, std::size_t k, std::size_t begin,
                                std::size_t end) {
  std::vector<std::size_t> nodes;
  for (std::size_t node = begin; node < std::min(end, begin + kNodes); ++node) {
    if (need[node] > k) nodes.push_back(node);
  }
  return nodes;
}

template <typename T>
void gather(std::span<const std::size_t> nodes, const T* rows, std::size_t size, T* out) {
  for (std::size_t i = 0; i < nodes.size(); ++i) std::copy_n(rows + nodes[i] * size, size, out + i * size);
}

}  // namespace

template <typename Real>
LinearLayers<Real>::LinearLayers(const EncoderLayout& layout, ThreadPool& pool)
    : layout_(layout), pool_(pool), sums_(layout.layers) {
  if (layout.linear_rows() == 0) return;
  for (std::size_t s = 0; s < kStripes; ++s) {
    stripes_.emplace_back(layout.options.dimension, layout.shape.width);
  }
  gradient_ = Matrix<Real>(layout.linear_rows(), layout.shape.width);
}

template <typename Real>
Stored<Real>* LinearLayers<Real>::sums(std::size_t k, std::size_t nodes) {
  sums_[k].require(nodes * layout_.shape.size());
  return sums_[k].data();
}

template <typename Real>
void LinearLayers<Real>::forward(std::size_t k, std::span<const std::uint8_t> need,
                                 const Parameters<Real>& parameters, Stored<Real>* y) {
  const RowShape& shape = layout_.shape;
  const std::size_t dimension = layout_.options.dimension;
  const Stored<Real>* const matrix = parameters.linear.gathered().row((k - 1) * dimension);
  pool_.for_ranges(need.size(), kNodes, [&](std::size_t begin, std::size_t end) {
    Buffer<Stored<Real>> in(kNodes * shape.size());
    Buffer<Real> out(kNodes * shape.size());
    for (; begin < end; begin += kNodes) {
      const std::vector<std::size_t> nodes = needed(need, k, begin, end);
      gather<Stored<Real>>(nodes, sums_[k].data(), shape.size(), in.data());
      multiply(in.data(), nodes.size() * shape.features, matrix, dimension, shape.width, out.data(),
               shape.width);
      for (std::size_t i = 0; i < nodes.size(); ++i) {
        store_elu_row<Real>(out.data() + i * shape.size(), shape.size(), y + nodes[i] * shape.size());
      }
    }
  });
}

template <typename Real>
void LinearLayers<Real>::backward(std::size_t k, const MessageGraph& graph,
                                  std::span<const std::uint8_t> need, const Parameters<Real>& parameters,
                                  Stored<Real>* rows) {
  const RowShape& shape = layout_.shape;
  const std::size_t dimension = layout_.options.dimension;
  Matrix<Stored<Real>> transposed(shape.width, shape.width);
  transpose(parameters.linear.gathered().row((k - 1) * dimension), dimension, shape.width, shape.width,
            transposed.data());
  pool_.run(kStripes, [&](std::size_t stripe) {
    Matrix<Real>& sum = stripes_[stripe];
    std::ranges::fill(sum.span(), Real{0});
    Buffer<Stored<Real>> outer(kNodes * shape.size()), inner(kNodes * shape.size());
    Buffer<Real> out(kNodes * shape.size());
    const std::size_t end = graph.stripes[stripe + 1];
    for (std::size_t begin = graph.stripes[stripe]; begin < end; begin += kNodes) {
      const std::vector<std::size_t> nodes = needed(need, k, begin, end);
      if (nodes.empty()) continue;
      gather<Stored<Real>>(nodes, rows, shape.size(), outer.data());
      gather<Stored<Real>>(nodes, sums_[k].data(), shape.size(), inner.data());
      const std::size_t count = nodes.size() * shape.features;
      add_gradient(outer.data(), inner.data(), count, sum);
      multiply(outer.data(), count, transposed.data(), shape.width, shape.width, out.data(), shape.width);
      for (std::size_t i = 0; i < nodes.size(); ++i) {
        store_row<Real>(out.data() + i * shape.size(), shape.size(), rows + nodes[i] * shape.size());
      }
    }
  });
  for (std::size_t row = 0; row < dimension; ++row) {
    Real* const total = gradient_.row((k - 1) * dimension + row);
    std::fill_n(total, shape.width, Real{0});
    for (const Matrix<Real>& stripe : stripes_) add_scaled(stripe.row(row), Real{1}, shape.width, total);
  }
}

/// sum[o, i] += sum over rows of outer[row, o] inner[row, i].
template <typename Real>
void LinearLayers<Real>::add_gradient(const Stored<Real>* outer, const Stored<Real>* inner, std::size_t rows,
                                      Matrix<Real>& sum) const {
  const std::size_t width = layout_.shape.width;
  const std::size_t stride = padded(rows);
  Matrix<Stored<Real>> outer_columns(width, stride), inner_columns(width, stride);
  transpose(outer, rows, width, stride, outer_columns.data());
  transpose(inner, rows, width, stride, inner_columns.data());
  Matrix<Real> product(sum.rows(), width);
  multiply(outer_columns.data(), sum.rows(), inner_columns.data(), width, stride, product.data(), width);
  add_scaled(product.data(), Real{1}, product.span().size(), sum.data());
}

template <typename Real>
std::size_t LinearLayers<Real>::memory_bytes() const {
  std::size_t bytes = gradient_.span().size_bytes();
  for (const auto& sums : sums_) bytes += sums.span().size_bytes();
  for (const auto& stripe : stripes_) bytes += stripe.span().size_bytes();
  return bytes;
}

template class LinearLayers<float>;
template class LinearLayers<double>;

}  // namespace dovetail
