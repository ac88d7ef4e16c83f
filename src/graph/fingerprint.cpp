#include "graph/fingerprint.h"

#include <span>
#include <utility>
#include <vector>

#include "common/hash.h"
#include "graph/graph_parts.h"
#include "graph/lent_graph.h"

namespace dovetail {

class GraphHasher {
 public:
  explicit GraphHasher(const KnowledgeGraph& graph) : graph_(graph), parts_(*graph.parts_) {}

  static KnowledgeGraph lend(const KnowledgeGraph& graph) {
    KnowledgeGraph other{GraphParts()};
    other.parts_.reset(graph.parts_.get());
    return other;
  }
  static void give_back(KnowledgeGraph graph) { (void)graph.parts_.release(); }

  void add_to(Hash& hash) const {
    for (EntityId entity = 0; entity < graph_.entity_count(); ++entity) {
      ask_ahead(entity);
      hash.add(graph_.entity(entity));
      hash.add(graph_.label(entity));
      hash.add(graph_.edges(entity));
    }
    for (RelationId relation = 0; relation < graph_.relation_count(); ++relation) {
      hash.add(graph_.relation(relation));
    }
  }

 private:
  /// Names lie in the order of the source, anywhere in memory, and so does where they are.
  [[gnu::always_inline]] inline void ask_ahead(EntityId entity) const {
    constexpr std::size_t kPlace = 32, kText = 16;
    const std::size_t count = graph_.entity_count();
    if (parts_.source_of.empty() || entity + kPlace >= count) return;
    parts_.entities.prefetch_place(parts_.source_of[entity + kPlace]);
    parts_.entities.prefetch_text(parts_.source_of[entity + kText]);
    if (parts_.label_of.empty()) return;
    __builtin_prefetch(&parts_.label_of[parts_.source_of[entity + kPlace]]);
    __builtin_prefetch(graph_.label(entity + kText).data());
  }

  const KnowledgeGraph& graph_;
  const GraphParts& parts_;
};

std::uint64_t fingerprint(const GraphPair& graphs, const SeedLinks& links) {
  Hash hash;
  for (const Side side : {Side::left, Side::right}) GraphHasher(graphs.graph(side)).add_to(hash);
  for (const std::vector<Link>* part : {&links.train, &links.valid, &links.test}) {
    hash.add(std::span<const Link>(*part));
  }
  if (!links.apart.empty()) hash.add(std::span<const Link>(links.apart));
  return hash.value();
}

KnowledgeGraph lent(const KnowledgeGraph& graph) {
  return GraphHasher::lend(graph);
}

void give_back(KnowledgeGraph graph) {
  GraphHasher::give_back(std::move(graph));
}

}  // namespace dovetail
