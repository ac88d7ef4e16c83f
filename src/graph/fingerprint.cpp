#include "graph/fingerprint.h"

#include <span>
#include <vector>

#include "common/hash.h"

namespace dovetail {

std::uint64_t fingerprint(const GraphPair& graphs, const SeedLinks& links) {
  Hash hash;
  for (const Side side : {Side::left, Side::right}) {
    const KnowledgeGraph& graph = graphs.graph(side);
    constexpr EntityId kAhead = 16;  // names lie in the order of the source, anywhere
    for (EntityId entity = 0; entity < graph.entity_count(); ++entity) {
      if (entity + kAhead < graph.entity_count()) {
        __builtin_prefetch(graph.entity(entity + kAhead).data());
        __builtin_prefetch(graph.label(entity + kAhead).data());
      }
      hash.add(graph.entity(entity));
      hash.add(graph.label(entity));
      hash.add(graph.edges(entity));
    }
    for (RelationId relation = 0; relation < graph.relation_count(); ++relation) {
      hash.add(graph.relation(relation));
    }
  }
  for (const std::vector<Link>* part : {&links.train, &links.valid, &links.test}) {
    hash.add(std::span<const Link>(*part));
  }
  if (!links.apart.empty()) hash.add(std::span<const Link>(links.apart));
  return hash.value();
}

}  // namespace dovetail
