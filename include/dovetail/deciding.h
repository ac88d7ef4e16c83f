#pragma once

#include <dovetail/graph.h>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace dovetail {

/// Sinkhorn: probabilities from scores, by bringing the rows and the columns of exp(score / temperature) to
/// sum 1 in turn.
struct SinkhornOptions {
  std::size_t iterations = 10;  ///< each one pass over the rows and one over the columns
  double temperature = 0.03;    ///< in units of the scores; .03 suits CSLS-corrected cosines
  /// The score of having no counterpart, for each row and each column. Without it all of a row's and a
  /// column's mass goes to its candidates, which suits closed sets where everything has a counterpart.
  std::optional<double> no_counterpart = std::nullopt;
  /// A column may get less than 1, so that columns nobody asks for do not pull: for pools whose right side
  /// has entities without counterpart and whose left side has none.
  bool cap_columns = false;
};

/// How many links an entity may be in.
enum class Cardinality : std::uint8_t {
  one_to_one,    ///< each left and each right entity in one at most
  one_to_many,   ///< a left entity in several, a right one in one at most
  many_to_many,  ///< no limit
};

/// Two entities that were decided to be the same.
struct DecidedLink {
  EntityId left, right;
  float score;        ///< the decoder's
  float margin;       ///< how far it is ahead of the left entity's next candidate
  double confidence;  ///< how likely it is right
};

}  // namespace dovetail
