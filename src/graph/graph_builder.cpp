#include <dovetail/graph_builder.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>
#include <vector>

#include "common/random.h"
#include "common/text_hash.h"
#include "graph/builder_state.h"

namespace dovetail {

GraphBuilder::GraphBuilder() : state_(std::make_unique<State>()) {}
GraphBuilder::GraphBuilder(GraphBuilder&&) noexcept = default;
GraphBuilder& GraphBuilder::operator=(GraphBuilder&&) noexcept = default;
GraphBuilder::~GraphBuilder() = default;

GraphBuilder::GraphBuilder(KnowledgeGraph graph) : GraphBuilder() {
  state_->parts = std::move(*graph.parts_);
  const auto source_of = [this](EntityId entity) {
    return state_->parts.source_of.empty() ? entity : state_->parts.source_of[entity];
  };
  for (EntityId entity = 0; entity < state_->parts.entities.size(); ++entity) {
    for (std::uint64_t n = state_->parts.offsets[entity]; n < state_->parts.offsets[entity + 1]; ++n) {
      const Edge edge = state_->parts.edges[n];
      if (edge.relation >= state_->parts.relations.size()) break;  // inverse ones come last
      triple(source_of(entity), edge.relation, source_of(edge.neighbour));
    }
  }
  for (LiteralTriple& literal : state_->parts.literals) literal.subject = source_of(literal.subject);
  state_->known = state_->parts.entities.size();
  know_name_attributes();
  for (std::uint32_t number = 0; number + 1 < state_->parts.type_begin.size(); ++number) {
    for (std::uint64_t n = state_->parts.type_begin[number]; n < state_->parts.type_begin[number + 1]; ++n) {
      state_->types.push_back({number, state_->parts.types[n]});
    }
  }
  state_->class_index = StringIndex(state_->parts.classes);
  if (!state_->parts.has_index) state_->parts.index = StringIndex(state_->parts.entities);
  state_->parts.has_index = true;
  state_->relation_index = StringIndex(state_->parts.relations);
  state_->attribute_index = StringIndex(state_->parts.attributes);
  state_->value_index = StringIndex(state_->parts.literal_values);
  state_->label_preference.resize(state_->parts.label_of.size(), UINT8_MAX);
  for (std::size_t n = 0; n < state_->parts.label_of.size(); ++n) {
    if (state_->parts.label_of[n] != kNone) state_->label_preference[n] = 0;
  }
}

std::uint32_t GraphBuilder::entity(std::string_view identifier) {
  state_->parts.has_index = true;
  return state_->parts.index.find_or_append(state_->parts.entities, identifier);
}

void GraphBuilder::entities(std::span<const std::string_view> identifiers, std::uint32_t* numbers) {
  state_->parts.has_index = true;
  state_->parts.index.find_or_append(state_->parts.entities, identifiers, numbers);
}

std::uint32_t GraphBuilder::add_entity(std::string_view identifier) {
  state_->parts.entities.append(identifier);
  return static_cast<std::uint32_t>(state_->parts.entities.size() - 1);
}

std::optional<std::uint32_t> GraphBuilder::find(std::string_view identifier) const {
  const std::uint32_t number = state_->parts.index.find(state_->parts.entities, identifier);
  return number == kNone ? std::nullopt : std::optional(number);
}

std::uint32_t GraphBuilder::relation(std::string_view identifier) {
  return state_->relation_index.find_or_append(state_->parts.relations, identifier);
}

void GraphBuilder::start_chunk() {
  const std::size_t room = state_->chunks.empty() ? State::kFirstChunk : State::kChunk;
  next_ = state_->chunks.emplace_back(room).data();
  end_ = next_ + room;
}

std::span<GraphBuilder::Triple> GraphBuilder::chunk(std::size_t i) {
  const std::span<Triple> all = state_->chunks[i].span();
  return i + 1 == state_->chunks.size() ? std::span(all.data(), next_) : all;
}

void GraphBuilder::reserve_entities(std::size_t count, std::size_t bytes) {
  state_->parts.entities.reserve(count, bytes);
}

void GraphBuilder::keep_literals(bool keep) {
  state_->keep_literals = keep;
}

std::size_t GraphBuilder::entity_count() const {
  return state_->parts.entities.size();
}

std::size_t GraphBuilder::relation_count() const {
  return state_->parts.relations.size();
}

void GraphBuilder::label(std::uint32_t entity, std::string_view text, std::uint8_t preference) {
  if (text.empty()) return;
  if (state_->parts.label_of.size() <= entity) {
    const std::size_t size = std::max<std::size_t>(state_->parts.entities.size(), entity + std::size_t{1});
    state_->parts.label_of.resize(size, kNone);
    state_->label_preference.resize(size, UINT8_MAX);
  }
  if (preference >= state_->label_preference[entity]) return;
  state_->label_preference[entity] = preference;
  state_->parts.label_of[entity] = static_cast<std::uint32_t>(state_->parts.labels.size());
  state_->parts.labels.append(text);
}

void GraphBuilder::literal(std::uint32_t entity, std::string_view attribute, std::string_view value) {
  if (!state_->keep_literals) return literal(entity, kNone, kNone);
  literal(entity, this->attribute(attribute),
          state_->value_index.find_or_append(state_->parts.literal_values, value));
}

void GraphBuilder::literal(std::uint32_t entity, std::uint32_t attribute, std::uint32_t value) {
  ++state_->parts.literal_count;
  if (state_->keep_literals) state_->parts.literals.push_back({entity, attribute, value});
}

std::uint32_t GraphBuilder::attribute(std::string_view identifier) {
  return state_->keep_literals ? state_->attribute_index.find_or_append(state_->parts.attributes, identifier)
                               : kNone;
}

void GraphBuilder::literal_values(std::span<const std::string_view> values, std::uint32_t* numbers) {
  if (state_->keep_literals)
    state_->value_index.find_or_append(state_->parts.literal_values, values, numbers);
}

void GraphBuilder::set_name_properties(std::vector<std::string> properties) {
  state_->name_properties = std::move(properties);
}

void GraphBuilder::set_iri_prefix(std::string_view prefix) {
  if (state_->parts.iri_prefix.empty()) state_->parts.iri_prefix = prefix;
}

KnowledgeGraph GraphBuilder::build(std::optional<std::uint64_t> shuffle_seed) && {
  if (!state_->types.empty() || !state_->parts.type_begin.empty()) place_types();
  list_name_attributes();
  if (!state_->parts.label_of.empty()) state_->parts.label_of.resize(state_->parts.entities.size(), kNone);
  if (shuffle_seed) shuffle(*shuffle_seed);
  place_edges();
  state_->chunks.clear();
  sort_and_deduplicate();
  state_->parts.literals.shrink_to_fit();
  for (StringTable* table : {&state_->parts.entities, &state_->parts.relations, &state_->parts.labels,
                             &state_->parts.literal_values}) {
    table->shrink_to_fit();
  }
  return KnowledgeGraph(std::move(state_->parts));
}

void GraphBuilder::shuffle(std::uint64_t seed) {
  const std::size_t known = state_->parts.source_of.size(), count = state_->parts.entities.size();
  state_->parts.source_of.resize(count);
  const std::span<std::uint32_t> added = std::span(state_->parts.source_of).subspan(known);
  std::iota(added.begin(), added.end(), static_cast<std::uint32_t>(known));
  // By what entities are called: the order of a source's lines makes no difference. What all of them are
  // called is in it too, so that two graphs with the same identifiers do not get the same order.
  std::vector<std::uint64_t> hash(count);
  std::uint64_t all = mix64(seed);
  for (std::uint32_t n = 0; n < count; ++n) all += hash[n] = text_hash(state_->parts.entities[n]);
  for (std::uint64_t& own : hash) own = mix64(own ^ all);
  std::ranges::sort(added, [&](std::uint32_t a, std::uint32_t b) {
    return hash[a] != hash[b] ? hash[a] < hash[b] : state_->parts.entities[a] < state_->parts.entities[b];
  });
  state_->parts.entity_of.resize(count);
  for (std::uint32_t id = 0; id < count; ++id) state_->parts.entity_of[state_->parts.source_of[id]] = id;
  for (LiteralTriple& literal : state_->parts.literals)
    literal.subject = state_->parts.entity_of[literal.subject];
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
  const std::size_t entities = state_->parts.entities.size();
  const auto relations = static_cast<RelationId>(state_->parts.relations.size());
  state_->parts.offsets = Buffer<std::uint64_t>(entities + 1);
  std::uint64_t* const offsets = state_->parts.offsets.data();
  const std::uint32_t* const entity_of =
      state_->parts.entity_of.empty() ? nullptr : state_->parts.entity_of.data();
  const auto id = [&](std::uint32_t number) { return entity_of == nullptr ? number : entity_of[number]; };
  for (std::size_t i = 0; i < state_->chunks.size(); ++i) {
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
  state_->parts.edges = Buffer<Edge>(offsets[entities]);
  Edge* const edges = state_->parts.edges.data();
  for (std::size_t i = 0; i < state_->chunks.size(); ++i) {
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
    if (i + 1 < state_->chunks.size()) state_->chunks[i] = Buffer<Triple>();
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
  Edge* const edges = state_->parts.edges.data();
  Edge* out = edges;
  for (std::size_t entity = 0; entity + 1 < state_->parts.offsets.size(); ++entity) {
    Edge* const begin = edges + state_->parts.offsets[entity];
    Edge* const end = edges + state_->parts.offsets[entity + 1];
    sort_edges(begin, end);
    Edge* const last = std::unique(begin, end);
    state_->parts.offsets[entity] = static_cast<std::uint64_t>(out - edges);
    out = out == begin ? last : std::move(begin, last, out);
  }
  const auto kept = static_cast<std::size_t>(out - edges);
  state_->parts.duplicates += (state_->parts.edges.size() - kept) / 2;
  state_->parts.offsets[state_->parts.offsets.size() - 1] = kept;
  // A few duplicates do not pay for copying the whole array.
  if (state_->parts.edges.size() > kept + kept / 8) {
    Buffer<Edge> compact(kept);
    std::copy(edges, out, compact.data());
    state_->parts.edges = std::move(compact);
  }
}

}  // namespace dovetail
