#pragma once

#include <dovetail/graph.h>

#include <vector>

namespace dovetail {

/// How far two relations, inverse ones included, mean the same.
struct RelationLink {
  RelationId left, right;  ///< each by the number it has in its own graph; inverse ones from relation_count()
  double seen;             ///< pairs of edges that both have, each by how sure its two ends are
  double left_in_right;    ///< of the left one's edges, the share that the right one has too
  double right_in_left;    ///< of the right one's edges, the share that the left one has too
};

/// A neighbour on either side that speaks for two entities being the same, or against it.
struct Reason {
  Edge left, right;  ///< from the two entities
  double belief;     ///< how likely the left neighbour is what speaks for or against: see Reasons
  double weight;     ///< what it adds to the evidence, for or against
};

/// Why two entities may be the same. Largest weight first.
struct Reasons {
  /// The two neighbours are the same with probability `belief`, and the relations correspond.
  std::vector<Reason> in_favour;
  /// The left edge's relation corresponds to the right one's, but the right neighbour is another than the one
  /// that the left neighbour is, with probability `belief`.
  std::vector<Reason> against;
};

}  // namespace dovetail
