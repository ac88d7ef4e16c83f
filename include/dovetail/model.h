#pragma once

#include <dovetail/encoder.h>
#include <dovetail/links.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace dovetail {

/// What training leaves behind: all that matching, and a later run that goes on from here, needs to know.
struct Model {
  EncoderOptions encoder;
  std::uint64_t seed = 1;  ///< that the initial parameters follow from, and so the initial features
  std::vector<Link> tied;  ///< links whose two ends had one embedding at the start
  std::size_t entity_count = 0;
  std::size_t relation_rows = 0;  ///< relations and their inverses
  std::vector<float> entities;    ///< [entity_count, dimension] by shared id
  std::vector<float> relations;   ///< [relation_rows, dimension]
  std::vector<float> attention;   ///< [depth, parts, dimension]
  std::vector<float> linear;      ///< [depth, dimension, dimension], empty unless the transform is linear
  /// Which random numbers the initial embeddings of entities and relations are: what stays when ids change
  /// because graphs have grown. Empty: those of the rows' own numbers.
  std::vector<std::uint32_t> entity_keys, relation_keys;
};

}  // namespace dovetail
