#include "graph/fingerprint.h"

#include <span>
#include <string>
#include <vector>
#include <xxhash.h>

#include "common/hash.h"
#include "common/random.h"
#include "graph/entity_types.h"
#include "graph/graph_parts.h"

namespace dovetail {

class GraphHasher {
 public:
  explicit GraphHasher(const KnowledgeGraph& graph) : graph_(graph), parts_(parts_of(graph)) {}

  void add_to(Hash& hash, bool with_literals) const {
    for (EntityId entity = 0; entity < graph_.entity_count(); ++entity) {
      ask_ahead(entity);
      hash.add(graph_.entity(entity));
      hash.add(graph_.label(entity));
      hash.add(graph_.edges(entity));
    }
    for (RelationId relation = 0; relation < graph_.relation_count(); ++relation) {
      hash.add(graph_.relation(relation));
    }
    if (type_count(graph_) > 0) add_types(hash);
    if (with_literals && !graph_.literals().empty()) hash.add(std::to_string(literals()));
  }

 private:
  void add_types(Hash& hash) const {
    for (EntityId entity = 0; entity < graph_.entity_count(); ++entity) hash.add(types_of(graph_, entity));
    for (std::size_t c = 0; c < classes_of(graph_).size(); ++c) hash.add(classes_of(graph_)[c]);
  }

  /// A sum over all literals, for their order means nothing; each text is hashed once.
  [[nodiscard]] std::uint64_t literals() const {
    const auto hashes_of = [](const StringTable& texts) {
      std::vector<std::uint64_t> hashes(texts.size());
      for (std::size_t n = 0; n < hashes.size(); ++n) {
        hashes[n] = XXH3_64bits(texts[n].data(), texts[n].size());
      }
      return hashes;
    };
    const std::vector<std::uint64_t> attributes = hashes_of(graph_.attributes()),
                                     values = hashes_of(graph_.literal_values());
    std::uint64_t sum = 0;
    for (const LiteralTriple& one : graph_.literals()) {
      sum += mix64(mix64(one.subject ^ attributes[one.attribute]) ^ values[one.value]);
    }
    return sum;
  }

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

std::uint64_t fingerprint(const GraphPair& graphs, const SeedLinks& links, bool with_literals) {
  Hash hash;
  for (const Side side : {Side::left, Side::right}) {
    GraphHasher(graphs.graph(side)).add_to(hash, with_literals);
  }
  for (const std::vector<Link>* part : {&links.train, &links.valid, &links.test}) {
    hash.add(std::span<const Link>(*part));
  }
  if (!links.apart.empty()) hash.add(std::span<const Link>(links.apart));
  return hash.value();
}

}  // namespace dovetail
