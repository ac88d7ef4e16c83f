#include "encoder/parameters.h"

#include <dovetail/errors.h>

#include <cmath>

#include "common/random.h"

namespace dovetail {
namespace {

constexpr double kInitialRange = 0.05;

/// Streams of random numbers, one for each row of each kind of parameter.
enum class Stream : std::uint64_t { entity, relation, attention, linear };

template <typename Real>
void fill(std::uint64_t seed, Stream kind, std::uint64_t row, std::size_t blocks, std::size_t columns,
          Real* values, double range = kInitialRange) {
  Random random(seed, mix64(row * 4 + static_cast<std::uint64_t>(kind)));
  for (std::size_t block = 0; block < blocks; ++block) {
    for (std::size_t c = 0; c < columns; ++c) {
      values[block * padded(columns) + c] = static_cast<Real>((2 * random.uniform() - 1) * range);
    }
  }
}

std::uint32_t key_of(const std::vector<std::uint32_t>& keys, std::uint32_t row) {
  return keys.empty() ? row : keys[row];
}

}  // namespace

EncoderLayout::EncoderLayout(const EncoderOptions& encoder, std::size_t relation_count) : options(encoder) {
  if (encoder.dimension == 0) throw ParameterError("the dimension is 0; it must be at least 1");
  if (encoder.depth == 0 || encoder.depth > 16) {
    throw ParameterError("the depth must be at least 1 and at most 16");
  }
  const bool entity = encoder.entity_feature != EntityFeature::none;
  if (!entity && !encoder.relation_feature) {
    throw ParameterError("entity and relation feature are both off; one of them is needed");
  }
  shape = {.width = padded(encoder.dimension),
           .features = std::size_t{entity} + std::size_t{encoder.relation_feature}};
  layers = encoder.depth + 1;
  output_layers = encoder.representation == Representation::multi_hop ? layers : 1;
  output = output_layers * shape.size();
  attention =
      encoder.attention == Attention::three_part ? shape.width * (1 + 2 * shape.features) : shape.width;
  relation_block = encoder.relation_feature ? static_cast<int>(entity) : -1;
  relation_rows = 2 * relation_count + std::size_t{encoder.self_loops};
}

template <typename Real>
Parameters<Real> initial_parameters(const EncoderLayout& layout, const NodeOrder& order, std::uint64_t seed,
                                    ThreadPool& pool, const InitialKeys& keys) {
  const std::size_t width = layout.shape.width;
  const std::size_t columns = layout.options.dimension;
  Parameters<Real> parameters{.entities = Embeddings<Real>(order.entity_of.size(), width),
                              .relations = Embeddings<Real>(layout.relation_rows, width),
                              .attention = Matrix<Real>(layout.options.depth, layout.attention),
                              .linear = Embeddings<Real>(layout.linear_rows(), width)};
  constexpr std::size_t kRowGrain = 1024;
  pool.for_ranges(order.entity_of.size(), kRowGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t node = begin; node < end; ++node) {
      const std::uint32_t key = key_of(keys.entities, order.entity_of[node]);
      fill(seed, Stream::entity, key, 1, columns, parameters.entities.row(node));
      parameters.entities.changed(node);
    }
  });
  for (std::size_t r = 0; r < layout.relation_rows; ++r) {
    const std::uint32_t key = key_of(keys.relations, static_cast<std::uint32_t>(r));
    fill(seed, Stream::relation, key, 1, columns, parameters.relations.row(r));
  }
  for (std::size_t k = 0; k < layout.options.depth; ++k) {
    fill(seed, Stream::attention, k, layout.attention / width, columns, parameters.attention.row(k));
  }
  // Matrices of this range keep features at about the same length.
  const double range = std::sqrt(3.0 / static_cast<double>(columns));
  for (std::size_t row = 0; row < layout.linear_rows(); ++row) {
    fill(seed, Stream::linear, row, 1, columns, parameters.linear.row(row), range);
  }
  parameters.relations.all_changed();
  parameters.linear.all_changed();
  return parameters;
}

template Parameters<float> initial_parameters(const EncoderLayout&, const NodeOrder&, std::uint64_t,
                                              ThreadPool&, const InitialKeys&);
template Parameters<double> initial_parameters(const EncoderLayout&, const NodeOrder&, std::uint64_t,
                                               ThreadPool&, const InitialKeys&);

}  // namespace dovetail
