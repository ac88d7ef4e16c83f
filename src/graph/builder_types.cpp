// What GraphBuilder does with classes.
#include <algorithm>
#include <numeric>
#include <utility>

#include "graph/builder_state.h"

namespace dovetail {

void GraphBuilder::type(std::uint32_t entity, std::string_view class_identifier) {
  state_->types.push_back(
      {entity, state_->class_index.find_or_append(state_->parts.classes, class_identifier)});
}

std::vector<bool> GraphBuilder::classes_among_entities() {
  static constexpr std::string_view kSubClassOf = "http://www.w3.org/2000/01/rdf-schema#subClassOf";
  std::vector<bool> gone;
  std::vector<std::uint32_t> found;
  const auto take = [&](std::uint32_t entity) {
    if (entity < state_->known) return;
    if (gone.empty()) gone.resize(state_->parts.entities.size(), false);
    if (gone[entity]) return;
    gone[entity] = true;
    found.push_back(entity);
  };
  for (std::size_t c = 0; c < state_->parts.classes.size(); ++c) {
    if (const auto entity = find(state_->parts.classes[c])) take(*entity);
  }
  const std::uint32_t sub_class_of = state_->relation_index.find(state_->parts.relations, kSubClassOf);
  if (found.empty() || sub_class_of == kNone) return gone;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> above;  // (class, what it is a subclass of)
  for (std::size_t i = 0; i < state_->chunks.size(); ++i) {
    for (const Triple& triple : chunk(i)) {
      if (triple.relation == sub_class_of) above.emplace_back(triple.head, triple.tail);
    }
  }
  std::ranges::sort(above);
  for (std::size_t n = 0; n < found.size(); ++n) {  // which grows
    for (auto at = std::ranges::lower_bound(above, std::pair(found[n], 0U));
         at != above.end() && at->first == found[n]; ++at) {
      take(at->second);
    }
  }
  return gone;
}

void GraphBuilder::take_out(const std::vector<bool>& gone) {
  std::vector<std::uint32_t> number(gone.size(), kNone);
  StringTable entities;
  const bool labelled = !state_->parts.label_of.empty();
  state_->parts.label_of.resize(labelled ? gone.size() : 0, kNone);
  for (std::uint32_t n = 0; n < gone.size(); ++n) {
    if (gone[n]) continue;
    number[n] = static_cast<std::uint32_t>(entities.size());
    entities.append(state_->parts.entities[n]);
    if (labelled) state_->parts.label_of[number[n]] = state_->parts.label_of[n];
  }
  if (labelled) state_->parts.label_of.resize(entities.size());
  state_->parts.entities = std::move(entities);
  state_->parts.index = StringIndex();
  state_->parts.has_index = false;  // made again at the first look-up
  keep_triples(number);
  const auto keep = [&](auto& list, auto subject) {
    std::erase_if(list, [&](const auto& one) { return number[one.*subject] == kNone; });
    for (auto& one : list) one.*subject = number[one.*subject];
  };
  const std::size_t literals = state_->parts.literals.size();
  keep(state_->parts.literals, &LiteralTriple::subject);
  state_->parts.literal_count -= literals - state_->parts.literals.size();
  keep(state_->types, &State::Type::entity);
}

void GraphBuilder::keep_triples(const std::vector<std::uint32_t>& number) {
  std::size_t to = 0, filled = 0;  // the next place
  for (std::size_t i = 0; i < state_->chunks.size(); ++i) {
    for (const Triple& triple : chunk(i)) {
      const Triple kept = {number[triple.head], triple.relation, number[triple.tail]};
      if (kept.head == kNone || kept.tail == kNone) continue;
      if (filled == state_->chunks[to].size()) ++to, filled = 0;
      state_->chunks[to][filled++] = kept;
    }
  }
  if (state_->chunks.empty()) return;
  state_->chunks.resize(to + 1);
  next_ = state_->chunks.back().data() + filled;
  end_ = state_->chunks.back().data() + state_->chunks.back().size();
}

void GraphBuilder::place_types() {
  if (const std::vector<bool> gone = classes_among_entities(); !gone.empty()) take_out(gone);
  std::ranges::sort(state_->types);
  state_->types.erase(std::unique(state_->types.begin(), state_->types.end()), state_->types.end());
  state_->parts.type_begin.assign(state_->parts.entities.size() + 1, 0);
  state_->parts.types.clear();
  state_->parts.types.reserve(state_->types.size());
  for (const State::Type& one : state_->types) {
    ++state_->parts.type_begin[one.entity + 1];
    state_->parts.types.push_back(one.type);
  }
  std::partial_sum(state_->parts.type_begin.begin(), state_->parts.type_begin.end(),
                   state_->parts.type_begin.begin());
  state_->types = {};
}

}  // namespace dovetail
