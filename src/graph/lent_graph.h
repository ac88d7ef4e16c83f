#pragma once

#include <dovetail/graph.h>

namespace dovetail {

/// A second KnowledgeGraph over the parts of the first one, which must outlive it. It has to be given back
/// instead of being destroyed.
[[nodiscard]] KnowledgeGraph lent(const KnowledgeGraph& graph);
void give_back(KnowledgeGraph graph);

}  // namespace dovetail
