#include "graph/lent_graph.h"

#include <utility>

#include "graph/builder_state.h"

namespace dovetail {

KnowledgeGraph GraphLender::lend(const KnowledgeGraph& graph) {
  return GraphBuilder::State::lend(graph);
}

void GraphLender::give_back(KnowledgeGraph graph) {
  GraphBuilder::State::give_back(std::move(graph));
}

}  // namespace dovetail
