// What GraphBuilder does with classes.
#include <algorithm>
#include <numeric>
#include <utility>

#include "graph/graph_builder.h"

namespace dovetail {

void GraphBuilder::type(std::uint32_t entity, std::string_view class_identifier) {
  types_.push_back({entity, class_index_.find_or_append(parts_.classes, class_identifier)});
}

std::vector<bool> GraphBuilder::classes_among_entities() {
  static constexpr std::string_view kSubClassOf = "http://www.w3.org/2000/01/rdf-schema#subClassOf";
  std::vector<bool> gone;
  std::vector<std::uint32_t> found;
  const auto take = [&](std::uint32_t entity) {
    if (entity < known_) return;
    if (gone.empty()) gone.resize(parts_.entities.size(), false);
    if (gone[entity]) return;
    gone[entity] = true;
    found.push_back(entity);
  };
  for (std::size_t c = 0; c < parts_.classes.size(); ++c) {
    if (const auto entity = find(parts_.classes[c])) take(*entity);
  }
  const std::uint32_t sub_class_of = relation_index_.find(parts_.relations, kSubClassOf);
  if (found.empty() || sub_class_of == kNone) return gone;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> above;  // (class, what it is a subclass of)
  for (std::size_t i = 0; i < chunks_.size(); ++i) {
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
  const bool labelled = !parts_.label_of.empty();
  parts_.label_of.resize(labelled ? gone.size() : 0, kNone);
  for (std::uint32_t n = 0; n < gone.size(); ++n) {
    if (gone[n]) continue;
    number[n] = static_cast<std::uint32_t>(entities.size());
    entities.append(parts_.entities[n]);
    if (labelled) parts_.label_of[number[n]] = parts_.label_of[n];
  }
  if (labelled) parts_.label_of.resize(entities.size());
  parts_.entities = std::move(entities);
  parts_.index = StringIndex();
  parts_.has_index = false;  // made again at the first look-up
  keep_triples(number);
  const auto keep = [&](auto& list, auto subject) {
    std::erase_if(list, [&](const auto& one) { return number[one.*subject] == kNone; });
    for (auto& one : list) one.*subject = number[one.*subject];
  };
  const std::size_t literals = parts_.literals.size();
  keep(parts_.literals, &LiteralTriple::subject);
  parts_.literal_count -= literals - parts_.literals.size();
  keep(types_, &Type::entity);
}

void GraphBuilder::keep_triples(const std::vector<std::uint32_t>& number) {
  std::size_t to = 0, filled = 0;  // the next place
  for (std::size_t i = 0; i < chunks_.size(); ++i) {
    for (const Triple& triple : chunk(i)) {
      const Triple kept = {number[triple.head], triple.relation, number[triple.tail]};
      if (kept.head == kNone || kept.tail == kNone) continue;
      if (filled == chunks_[to].size()) ++to, filled = 0;
      chunks_[to][filled++] = kept;
    }
  }
  if (chunks_.empty()) return;
  chunks_.resize(to + 1);
  in_chunk_ = filled;
  room_ = chunks_.back().size();
}

void GraphBuilder::place_types() {
  if (const std::vector<bool> gone = classes_among_entities(); !gone.empty()) take_out(gone);
  std::ranges::sort(types_);
  types_.erase(std::unique(types_.begin(), types_.end()), types_.end());
  parts_.type_begin.assign(parts_.entities.size() + 1, 0);
  parts_.types.clear();
  parts_.types.reserve(types_.size());
  for (const Type& one : types_) {
    ++parts_.type_begin[one.entity + 1];
    parts_.types.push_back(one.type);
  }
  std::partial_sum(parts_.type_begin.begin(), parts_.type_begin.end(), parts_.type_begin.begin());
  types_ = {};
}

}  // namespace dovetail
