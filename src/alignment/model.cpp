#include "alignment/model.h"

#include <dovetail/errors.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace dovetail {
namespace {

/// Rows of `blocks` padded blocks to the same without padding.
void strip(const Matrix<float>& matrix, std::size_t dimension, std::vector<float>& out) {
  const std::size_t blocks = matrix.columns() / padded(dimension);
  out.resize(matrix.rows() * blocks * dimension);
  float* to = out.data();
  for (std::size_t block = 0; block < matrix.rows() * blocks; ++block, to += dimension) {
    std::copy_n(matrix.data() + block * padded(dimension), dimension, to);
  }
}

void pad(const std::vector<float>& values, std::size_t dimension, Matrix<float>& matrix) {
  const std::size_t blocks = matrix.rows() * matrix.columns() / padded(dimension);
  if (values.size() != blocks * dimension) throw ParameterError("the model's sizes contradict each other");
  for (std::size_t block = 0; block < blocks; ++block) {
    std::copy_n(values.data() + block * dimension, dimension, matrix.data() + block * padded(dimension));
  }
}

}  // namespace

void put_parameters(const Parameters<float>& parameters, const EncoderLayout& layout, const NodeOrder& order,
                    Model& model) {
  const std::size_t dimension = layout.options.dimension;
  model.entity_count = order.node_of.size();
  model.relation_rows = layout.relation_rows;
  model.entities.resize(model.entity_count * dimension);
  for (std::size_t entity = 0; entity < model.entity_count; ++entity) {
    std::copy_n(parameters.entities.row(order.node_of[entity]), dimension,
                model.entities.data() + entity * dimension);
  }
  strip(parameters.relations, dimension, model.relations);
  strip(parameters.attention, dimension, model.attention);
  strip(parameters.linear, dimension, model.linear);
}

Parameters<float> take_parameters(const Model& model, const EncoderLayout& layout, const NodeOrder& order) {
  const std::size_t dimension = layout.options.dimension;
  if (model.entity_count != order.node_of.size() || model.relation_rows != layout.relation_rows ||
      model.entities.size() != model.entity_count * dimension) {
    throw ParameterError("the model belongs to other graphs: it has other numbers of entities or relations");
  }
  Parameters<float> parameters{.entities = Embeddings<float>(model.entity_count, layout.shape.width),
                               .relations = Embeddings<float>(layout.relation_rows, layout.shape.width),
                               .attention = Matrix<float>(layout.options.depth, layout.attention),
                               .linear = Embeddings<float>(layout.linear_rows(), layout.shape.width)};
  pad(model.relations, dimension, parameters.relations);
  pad(model.attention, dimension, parameters.attention);
  pad(model.linear, dimension, parameters.linear);
  for (std::size_t entity = 0; entity < model.entity_count; ++entity) {
    std::copy_n(model.entities.data() + entity * dimension, dimension,
                parameters.entities.row(order.node_of[entity]));
  }
  parameters.all_changed();
  return parameters;
}

}  // namespace dovetail
