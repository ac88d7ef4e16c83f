#include "alignment/embedding_map.h"

#include <algorithm>
#include <cmath>

#include "alignment/model.h"
#include "alignment/workbench.h"
#include "kernels/scores.h"

namespace dovetail {
namespace {

constexpr std::size_t kIterations = 300;  // enough for a picture where the first components are nearly equal

/// Products of all vectors with each other, left ends first, each side measured from its own mean.
class CentredProducts {
 public:
  explicit CentredProducts(const MatchVectors& vectors)
      : half_(vectors.left.rows()), products_(4 * half_ * half_) {
    const std::size_t columns = vectors.left.columns();
    const auto row = [&](std::size_t i) {
      return i < half_ ? vectors.left.row(i) : vectors.right.row(i - half_);
    };
    for (std::size_t i = 0; i < size(); ++i) {
      for (std::size_t j = 0; j <= i; ++j) at(i, j) = at(j, i) = dot_rows(row(i), row(j), columns);
    }
    for (std::size_t i = 0; i < size(); ++i) centre(&at(i, 0), 1);
    for (std::size_t j = 0; j < size(); ++j) centre(&at(0, j), size());
  }

  [[nodiscard]] std::size_t size() const { return 2 * half_; }

  /// The eigenvector with the largest eigenvalue, scaled by its root: coordinates along the component. Its
  /// part of the products is then taken away.
  std::vector<double> next_component() {
    std::vector<double> vector(size());
    for (std::size_t i = 0; i < size(); ++i) vector[i] = i % 2 == 0 ? 1 : -0.5 - static_cast<double>(i % 7);
    double length = 0;
    for (std::size_t n = 0; n < kIterations; ++n) {
      std::vector<double> next(size(), 0);
      for (std::size_t i = 0; i < size(); ++i) {
        for (std::size_t j = 0; j < size(); ++j) next[j] += at(i, j) * vector[i];
      }
      double squares = 0;
      for (const double value : next) squares += value * value;
      length = std::sqrt(squares);
      if (!(length > 0)) return std::vector<double>(size(), 0);
      for (std::size_t i = 0; i < size(); ++i) vector[i] = next[i] / length;
    }
    const auto largest = std::ranges::max_element(vector, {}, [](double value) { return std::abs(value); });
    const double scale = std::copysign(std::sqrt(length), *largest);  // or the sign would be arbitrary
    for (double& value : vector) value *= scale;
    for (std::size_t i = 0; i < size(); ++i) {
      for (std::size_t j = 0; j < size(); ++j) at(i, j) -= vector[i] * vector[j];
    }
    return vector;
  }

 private:
  double& at(std::size_t i, std::size_t j) { return products_[i * size() + j]; }

  /// Takes the means of the two halves of a row or column away from them.
  void centre(double* values, std::size_t stride) const {
    for (double* part : {values, values + half_ * stride}) {
      double mean = 0;
      for (std::size_t i = 0; i < half_; ++i) mean += part[i * stride] / static_cast<double>(half_);
      for (std::size_t i = 0; i < half_; ++i) part[i * stride] -= mean;
    }
  }

  std::size_t half_;
  std::vector<double> products_;
};

}  // namespace

std::vector<MappedLink> embedding_map(const GraphPair& pair, const Model& model, const AlignOptions& options,
                                      std::span<const Link> links, Observer& observer) {
  if (links.empty()) return {};
  AlignOptions encoding = options;
  encoding.encoder = model.encoder;
  Workbench bench(pair, encoding, &observer);
  Pools ends;
  for (const Link& link : links) {
    ends.left.push_back(link.left);
    ends.right.push_back(link.right);
  }
  CentredProducts products(bench.vectors(take_parameters(model, bench.layout(), bench.order()),
                                         {model.seed, bench.nodes(model.tied), initial_keys(model)}, ends));
  const std::vector<double> x = products.next_component(), y = products.next_component();
  std::vector<MappedLink> places;
  for (std::size_t n = 0; n < links.size(); ++n) {
    const std::size_t right = links.size() + n;
    places.push_back({.left = {x[n], y[n]}, .right = {x[right], y[right]}});
  }
  return places;
}

}  // namespace dovetail
