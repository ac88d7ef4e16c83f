#pragma once

#include <cstddef>
#include <cstdint>

namespace dovetail {

/// What the layers start from, for entities.
enum class EntityFeature : std::uint8_t {
  none,
  raw,             ///< the entity's own embedding, as the paper's equations have it
  neighbour_mean,  ///< ELU of the mean of the embeddings of the entity and its neighbours
};

/// How a node weighs its edges: by a softmax over all edges of the node, but for `symmetric`.
enum class Attention : std::uint8_t {
  none,         ///< all alike
  by_relation,  ///< v . r
  three_part,   ///< v . [phi(h_i, r) | r | phi(h_j, r)], the paper's
  symmetric,    ///< 1 / sqrt(degree_i degree_j), the symmetric normalisation of graph convolution
};

/// What is done to features on their way along an edge.
enum class Transform : std::uint8_t {
  reflection,  ///< each relation reflects them: phi
  linear,      ///< a matrix for each layer, applied to the sum of all edges of a node
  none,        ///< they stay as they are
};

/// phi(h, r) = h - 2 (r . h) r
enum class Reflection : std::uint8_t {
  unit,      ///< both r of unit length: a true reflection
  released,  ///< only the r of the dot product normalised, as in the authors' program
};

/// What of an entity's layers makes up its output.
enum class Representation : std::uint8_t {
  multi_hop,  ///< all layers side by side
  residual,   ///< the last one, where each layer adds to the one below: h' = h + layer(h)
  last,       ///< the last one
};

struct EncoderOptions {
  std::size_t dimension = 300;  ///< 0: as much as memory allows, 300 at most; run_alignment() settles it
  std::size_t depth = 2;
  EntityFeature entity_feature = EntityFeature::neighbour_mean;
  bool relation_feature = true;  ///< ELU of the mean of the embeddings of the relations on the entity's edges
  Attention attention = Attention::by_relation;
  Transform transform = Transform::reflection;
  Reflection reflection = Reflection::released;
  Representation representation = Representation::multi_hop;
  bool self_loops = false;  ///< every entity is a neighbour of its own, by a relation that means just this
};

}  // namespace dovetail
