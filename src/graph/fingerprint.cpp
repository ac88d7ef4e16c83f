#include "graph/fingerprint.h"

#include <array>
#include <span>
#include <vector>

#include "common/hash.h"
#include "graph/graph_parts.h"

namespace dovetail {

class GraphHasher {
 public:
  explicit GraphHasher(const KnowledgeGraph& graph) : graph_(graph), parts_(*graph.parts_) {}

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

  void add_literals_to(Hash& hash) const {
    const std::array sums = {parts_.literal_count, parts_.literal_hash};
    hash.add(std::span<const std::uint64_t>(sums));
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

std::uint64_t fingerprint(const GraphPair& graphs, const SeedLinks& links, FingerprintVersion version) {
  Hash hash;
  for (const Side side : {Side::left, Side::right}) GraphHasher(graphs.graph(side)).add_to(hash);
  for (const std::vector<Link>* part : {&links.train, &links.valid, &links.test}) {
    hash.add(std::span<const Link>(*part));
  }
  if (!links.apart.empty()) hash.add(std::span<const Link>(links.apart));
  if (version >= FingerprintVersion::with_literals) {
    for (const Side side : {Side::left, Side::right}) GraphHasher(graphs.graph(side)).add_literals_to(hash);
  }
  return hash.value();
}

}  // namespace dovetail
