#pragma once

#include <dovetail/graph.h>

namespace dovetail {

/// Lends graphs to a second pair without copying them.
class GraphLender {
 public:
  /// A graph over the parts of another one, which must outlive it. It has to be given back instead of being
  /// destroyed.
  [[nodiscard]] static KnowledgeGraph lend(const KnowledgeGraph& graph);
  static void give_back(KnowledgeGraph graph);
};

}  // namespace dovetail
