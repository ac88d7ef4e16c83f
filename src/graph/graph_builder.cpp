#include "graph/graph_builder.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "common/random.h"
#include "common/text_hash.h"

namespace dovetail {

GraphBuilder::GraphBuilder(KnowledgeGraph graph) : parts_(std::move(*graph.parts_)) {
  const auto source_of = [this](EntityId entity) {
    return parts_.source_of.empty() ? entity : parts_.source_of[entity];
  };
  for (EntityId entity = 0; entity < parts_.entities.size(); ++entity) {
    for (std::uint64_t n = parts_.offsets[entity]; n < parts_.offsets[entity + 1]; ++n) {
      const Edge edge = parts_.edges[n];
      if (edge.relation >= parts_.relations.size()) break;  // inverse ones come last
      triple(source_of(entity), edge.relation, source_of(edge.neighbour));
    }
  }
  for (LiteralTriple& literal : parts_.literals) literal.subject = source_of(literal.subject);
  if (!parts_.has_index) parts_.index = StringIndex(parts_.entities);
  parts_.has_index = true;
  relation_index_ = StringIndex(parts_.relations);
  attribute_index_ = StringIndex(parts_.attributes);
  value_index_ = StringIndex(parts_.literal_values);
  label_preference_.resize(parts_.label_of.size(), UINT8_MAX);
  for (std::size_t n = 0; n < parts_.label_of.size(); ++n) {
    if (parts_.label_of[n] != kNone) label_preference_[n] = 0;
  }
}

std::uint32_t GraphBuilder::entity(std::string_view identifier) {
  parts_.has_index = true;
  return parts_.index.find_or_append(parts_.entities, identifier);
}

void GraphBuilder::entities(std::span<const std::string_view> identifiers, std::uint32_t* numbers) {
  parts_.has_index = true;
  parts_.index.find_or_append(parts_.entities, identifiers, numbers);
}

std::uint32_t GraphBuilder::add_entity(std::string_view identifier) {
  parts_.entities.append(identifier);
  return static_cast<std::uint32_t>(parts_.entities.size() - 1);
}

std::optional<std::uint32_t> GraphBuilder::find(std::string_view identifier) const {
  const std::uint32_t number = parts_.index.find(parts_.entities, identifier);
  return number == kNone ? std::nullopt : std::optional(number);
}

std::uint32_t GraphBuilder::relation(std::string_view identifier) {
  return relation_index_.find_or_append(parts_.relations, identifier);
}

void GraphBuilder::start_chunk() {
  room_ = chunks_.empty() ? kFirstChunk : kChunk;
  chunks_.emplace_back(room_);
  in_chunk_ = 0;
}

void GraphBuilder::label(std::uint32_t entity, std::string_view text, std::uint8_t preference) {
  if (text.empty()) return;
  if (parts_.label_of.size() <= entity) {
    const std::size_t size = std::max<std::size_t>(parts_.entities.size(), entity + std::size_t{1});
    parts_.label_of.resize(size, kNone);
    label_preference_.resize(size, UINT8_MAX);
  }
  if (preference >= label_preference_[entity]) return;
  label_preference_[entity] = preference;
  parts_.label_of[entity] = static_cast<std::uint32_t>(parts_.labels.size());
  parts_.labels.append(text);
}

void GraphBuilder::literal(std::uint32_t entity, std::string_view attribute, std::string_view value) {
  ++parts_.literal_count;
  if (!keep_literals_) return;
  parts_.literals.push_back({entity, attribute_index_.find_or_append(parts_.attributes, attribute),
                             value_index_.find_or_append(parts_.literal_values, value)});
}

KnowledgeGraph GraphBuilder::build(std::optional<std::uint64_t> shuffle_seed) && {
  if (!parts_.label_of.empty()) parts_.label_of.resize(parts_.entities.size(), kNone);
  if (shuffle_seed) shuffle(*shuffle_seed);
  place_edges();
  chunks_.clear();
  sort_and_deduplicate();
  parts_.literals.shrink_to_fit();
  for (StringTable* table : {&parts_.entities, &parts_.relations, &parts_.labels, &parts_.literal_values}) {
    table->shrink_to_fit();
  }
  return KnowledgeGraph(std::move(parts_));
}

namespace {

/// Orders the texts by their hashes, then by themselves, and returns their new numbers.
std::vector<RelationId> ordered(StringTable& texts) {
  std::vector<std::uint32_t> order(texts.size());
  std::iota(order.begin(), order.end(), 0U);
  std::vector<std::uint64_t> hash;
  for (const std::uint32_t n : order) hash.push_back(text_hash(texts[n]));
  std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
    return hash[a] != hash[b] ? hash[a] < hash[b] : texts[a] < texts[b];
  });
  StringTable result;
  std::vector<RelationId> number_of(order.size());
  for (RelationId n = 0; n < order.size(); ++n) {
    result.append(texts[order[n]]);
    number_of[order[n]] = n;
  }
  texts = std::move(result);
  return number_of;
}

}  // namespace

void GraphBuilder::shuffle(std::uint64_t seed) {
  const std::size_t known = parts_.source_of.size(), count = parts_.entities.size();
  parts_.source_of.resize(count);
  const std::span<std::uint32_t> added = std::span(parts_.source_of).subspan(known);
  std::iota(added.begin(), added.end(), static_cast<std::uint32_t>(known));
  std::uint64_t triples = 0;
  const std::vector<RelationId> relation_of =
      known == 0 ? ordered(parts_.relations) : std::vector<RelationId>();
  for (std::size_t i = 0; i < chunks_.size(); ++i) {
    triples += chunk(i).size();
    if (relation_of.empty()) continue;
    for (Triple& triple : chunk(i)) triple.relation = relation_of[triple.relation];
  }
  // By what entities are called: the order of a source's lines makes no difference. What the graph as a whole
  // is like is in it too, so that two graphs with the same identifiers do not get the same order.
  std::vector<std::uint64_t> hash(count);
  std::uint64_t all = mix64(seed) + mix64(triples) + mix64(~parts_.literal_count);
  for (std::size_t r = 0; r < parts_.relations.size(); ++r) all += mix64(text_hash(parts_.relations[r]));
  for (const std::uint32_t label : parts_.label_of)
    all += label == kNone ? 0 : text_hash(parts_.labels[label]);
  for (std::uint32_t n = 0; n < count; ++n) all += hash[n] = text_hash(parts_.entities[n]);
  for (std::uint64_t& own : hash) own = mix64(own ^ all);
  std::ranges::sort(added, [&](std::uint32_t a, std::uint32_t b) {
    return hash[a] != hash[b] ? hash[a] < hash[b] : parts_.entities[a] < parts_.entities[b];
  });
  parts_.entity_of.resize(count);
  for (std::uint32_t id = 0; id < count; ++id) parts_.entity_of[parts_.source_of[id]] = id;
  for (LiteralTriple& literal : parts_.literals) literal.subject = parts_.entity_of[literal.subject];
}

namespace {

using Places = std::array<const void*, 2>;

/// Calls now() for each triple. Some triples before its turn what it needs, which lies anywhere in memory, is
/// asked for: where that is, later() and then soon() say.
template <typename Triple, typename Later, typename Soon, typename Now>
void in_time(std::span<Triple> triples, const Later& later, const Soon& soon, const Now& now) {
  constexpr std::size_t kLater = 32, kSoon = 16;
  for (std::size_t n = 0; n < triples.size(); ++n) {
    if (n + kLater < triples.size()) {
      for (const void* const place : later(triples[n + kLater])) __builtin_prefetch(place, 1);
    }
    if (n + kSoon < triples.size()) {
      for (const void* const place : soon(triples[n + kSoon])) __builtin_prefetch(place, 1);
    }
    now(triples[n]);
  }
}

}  // namespace

void GraphBuilder::place_edges() {
  const std::size_t entities = parts_.entities.size();
  const auto relations = static_cast<RelationId>(parts_.relations.size());
  parts_.offsets = Buffer<std::uint64_t>(entities + 1);
  std::uint64_t* const offsets = parts_.offsets.data();
  const std::uint32_t* const entity_of = parts_.entity_of.empty() ? nullptr : parts_.entity_of.data();
  const auto id = [&](std::uint32_t number) { return entity_of == nullptr ? number : entity_of[number]; };
  for (std::size_t i = 0; i < chunks_.size(); ++i) {
    in_time(
        chunk(i),
        [&](const Triple& triple) {
          return entity_of == nullptr ? Places{} : Places{entity_of + triple.head, entity_of + triple.tail};
        },
        [&](const Triple& triple) {
          return Places{offsets + id(triple.head), offsets + id(triple.tail)};
        },
        [&](Triple& triple) {
          triple.head = id(triple.head);
          triple.tail = id(triple.tail);
          ++offsets[triple.head];
          ++offsets[triple.tail];
        });
  }
  // offsets[i] becomes the end of row i and counts down to its beginning while the row fills.
  std::partial_sum(offsets, offsets + entities + 1, offsets);
  parts_.edges = Buffer<Edge>(offsets[entities]);
  Edge* const edges = parts_.edges.data();
  for (std::size_t i = 0; i < chunks_.size(); ++i) {
    in_time(
        chunk(i),
        [&](const Triple& triple) {
          return Places{offsets + triple.head, offsets + triple.tail};
        },
        [&](const Triple& triple) {  // its own edge, or one of the same row that comes before it
          return Places{edges + offsets[triple.head] - 1, edges + offsets[triple.tail] - 1};
        },
        [&](const Triple& triple) {
          edges[--offsets[triple.head]] = {triple.tail, triple.relation};
          edges[--offsets[triple.tail]] = {triple.head, triple.relation + relations};
        });
    if (i + 1 < chunks_.size()) chunks_[i] = Buffer<Triple>();
  }
}

namespace {

/// Most rows are short, and for those a plain insertion is quicker than what std::sort sets up.
void sort_edges(Edge* begin, Edge* end) {
  if (end - begin > 24) {
    std::sort(begin, end, [](const Edge& a, const Edge& b) { return a.key() < b.key(); });
    return;
  }
  if (begin == end) return;  // of a graph without edges both are null
  for (Edge* next = begin + 1; next < end; ++next) {
    const Edge edge = *next;
    const std::uint64_t key = edge.key();
    Edge* place = next;
    for (; place > begin && place[-1].key() > key; --place) *place = place[-1];
    *place = edge;
  }
}

}  // namespace

void GraphBuilder::sort_and_deduplicate() {
  Edge* const edges = parts_.edges.data();
  Edge* out = edges;
  for (std::size_t entity = 0; entity + 1 < parts_.offsets.size(); ++entity) {
    Edge* const begin = edges + parts_.offsets[entity];
    Edge* const end = edges + parts_.offsets[entity + 1];
    sort_edges(begin, end);
    Edge* const last = std::unique(begin, end);
    parts_.offsets[entity] = static_cast<std::uint64_t>(out - edges);
    out = out == begin ? last : std::move(begin, last, out);
  }
  const auto kept = static_cast<std::size_t>(out - edges);
  parts_.duplicates += (parts_.edges.size() - kept) / 2;
  parts_.offsets[parts_.offsets.size() - 1] = kept;
  // A few duplicates do not pay for copying the whole array.
  if (parts_.edges.size() > kept + kept / 8) {
    Buffer<Edge> compact(kept);
    std::copy(edges, out, compact.data());
    parts_.edges = std::move(compact);
  }
}

}  // namespace dovetail
