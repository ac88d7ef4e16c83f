#include "review/item_json.h"

#include <dovetail/literal.h>

#include <algorithm>
#include <set>
#include <string>

using namespace dovetail;
using nlohmann::json;

namespace {

constexpr std::size_t kMostValues = 40, kMostNeighbours = 12, kMostReasons = 6, kMostText = 10'000;

std::size_t place(Side side) {
  return static_cast<std::size_t>(side);
}

Side other(Side side) {
  return side == Side::left ? Side::right : Side::left;
}

/// Long texts are cut: nobody reads them on the page.
std::string cut(std::string_view text) {
  if (text.size() <= kMostText) return std::string(text);
  std::size_t end = kMostText;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return std::string(text.substr(0, end)) + "…";
}

std::string folded(std::string_view text) {
  std::string result;
  for (const char c : text) result += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return result;
}

std::string relation_name(const KnowledgeGraph& graph, RelationId relation) {
  const bool inverse = relation >= graph.relation_count();
  const auto forward = static_cast<RelationId>(inverse ? relation - graph.relation_count() : relation);
  return (inverse ? "← " : "") + cut(last_part(graph.relation(forward)));
}

json statement_json(const Statement& statement) {
  return {{"property", cut(last_part(statement.property))},
          {"value", cut(statement.name.empty() ? statement.value : statement.name)}};
}

json reasons_json(const std::vector<Reason>& reasons) {
  json list = json::array();
  for (const Reason& reason : reasons) {
    list.push_back({{"signal", reason.signal},
                    {"left", statement_json(reason.left)},
                    {"right", statement_json(reason.right)},
                    {"weight", reason.weight},
                    {"belief", reason.belief}});
  }
  return list;
}

/// Marks values that both sides have, and attributes that both have with other values.
void mark_values(json& left, json& right) {
  std::set<std::string> attributes[2], texts[2];
  for (int side = 0; side < 2; ++side) {
    for (const json& value : side == 0 ? left : right) {
      attributes[side].insert(folded(value["property"].get<std::string>()));
      texts[side].insert(folded(value["value"].get<std::string>()));
    }
  }
  for (int side = 0; side < 2; ++side) {
    for (json& value : side == 0 ? left : right) {
      const bool same = texts[1 - side].contains(folded(value["value"].get<std::string>()));
      const bool both = attributes[1 - side].contains(folded(value["property"].get<std::string>()));
      value["match"] = same ? "same" : both ? "other" : "alone";
    }
  }
}

}  // namespace

PairDescriber::PairDescriber(const Session& session) : session_(session) {
  for (const Side side : {Side::left, Side::right}) {
    const KnowledgeGraph& graph = session.graphs().graph(side);
    std::vector<std::uint64_t>& first = first_literal_[place(side)];
    std::vector<std::uint32_t>& order = literal_order_[place(side)];
    first.assign(graph.entity_count() + 1, 0);
    for (const LiteralTriple& literal : graph.literals()) ++first[literal.subject + 1];
    for (std::size_t n = 1; n < first.size(); ++n) first[n] += first[n - 1];
    order.resize(graph.literals().size());
    std::vector<std::uint64_t> next(first.begin(), first.end() - 1);
    for (std::uint32_t n = 0; n < order.size(); ++n) order[next[graph.literals()[n].subject]++] = n;
  }
  renew();
}

void PairDescriber::renew() {
  counterpart_[0].assign(session_.graphs().left().entity_count(), kNone);
  counterpart_[1].assign(session_.graphs().right().entity_count(), kNone);
  const auto link = [&](EntityId left, EntityId right) {
    counterpart_[0][left] = right;
    counterpart_[1][right] = left;
  };
  for (const DecidedLink& decided : session_.links()) link(decided.left, decided.right);
  for (const Link& known : session_.pair().links.train) link(known.left, known.right);
}

json PairDescriber::entity(Side side, EntityId entity) const {
  const KnowledgeGraph& graph = session_.graphs().graph(side);
  return {{"id", entity},
          {"iri", cut(graph.entity(entity))},
          {"name", cut(graph.name(entity))},
          {"degree", graph.degree(entity)}};
}

json PairDescriber::values(Side side, EntityId entity) const {
  const KnowledgeGraph& graph = session_.graphs().graph(side);
  json list = json::array();
  const std::vector<std::uint64_t>& first = first_literal_[place(side)];
  for (std::uint64_t n = first[entity]; n < first[entity + 1] && list.size() < kMostValues; ++n) {
    const LiteralTriple& literal = graph.literals()[literal_order_[place(side)][n]];
    list.push_back({{"property", cut(last_part(graph.attributes()[literal.attribute]))},
                    {"value", cut(split_literal(graph.literal_values()[literal.value]).text)}});
  }
  return list;
}

json PairDescriber::neighbours(const Link& pair) const {
  json both = json::array(), alone[2] = {json::array(), json::array()};
  if (pair.left == kNone || pair.right == kNone) return {{"both", both}, {"left", both}, {"right", both}};
  const auto edge_json = [&](Side side, const Edge& edge) {
    json record = entity(side, edge.neighbour);
    record["relation"] = relation_name(session_.graphs().graph(side), edge.relation);
    return record;
  };
  for (const Side side : {Side::left, Side::right}) {
    const EntityId own = side == Side::left ? pair.left : pair.right;
    const EntityId opposite = side == Side::left ? pair.right : pair.left;
    const std::span<const Edge> theirs = session_.graphs().graph(other(side)).edges(opposite);
    std::set<EntityId> seen;
    for (const Edge& edge : session_.graphs().graph(side).edges(own)) {
      if (!seen.insert(edge.neighbour).second) continue;
      const EntityId linked = counterpart_[place(side)][edge.neighbour];
      const auto match = linked == kNone ? theirs.end() : std::ranges::find(theirs, linked, &Edge::neighbour);
      if (match != theirs.end()) {
        if (side == Side::left && both.size() < kMostNeighbours) {
          both.push_back({{"left", edge_json(side, edge)}, {"right", edge_json(other(side), *match)}});
        }
        continue;
      }
      json& list = alone[place(side)];
      if (list.size() >= kMostNeighbours) continue;
      json record = edge_json(side, edge);
      // One whose counterpart the other entity is not beside speaks against the pair.
      record["counterpart"] = linked == kNone ? json(nullptr) : entity(other(side), linked);
      list.push_back(std::move(record));
    }
  }
  return {{"both", both}, {"left", alone[0]}, {"right", alone[1]}};
}

json PairDescriber::pair(const Link& pair) const {
  json left = pair.left == kNone ? json::array() : values(Side::left, pair.left);
  json right = pair.right == kNone ? json::array() : values(Side::right, pair.right);
  mark_values(left, right);
  json record = {{"left", pair.left == kNone ? json(nullptr) : entity(Side::left, pair.left)},
                 {"right", pair.right == kNone ? json(nullptr) : entity(Side::right, pair.right)},
                 {"values", {{"left", left}, {"right", right}}},
                 {"neighbours", neighbours(pair)}};
  if (pair.left != kNone && pair.right != kNone) {
    const Reasons reasons = session_.reasons(pair, kMostReasons);
    record["for"] = reasons_json(reasons.in_favour);
    record["against"] = reasons_json(reasons.against);
  }
  return record;
}

json PairDescriber::candidates(Side side, EntityId entity_id) const {
  json list = json::array();
  for (const Candidate& candidate : session_.candidates(side, entity_id)) {
    if (list.size() == 9) break;
    json record = entity(other(side), candidate.entity);
    record["score"] = candidate.score;
    const EntityId taken = counterpart_[place(other(side))][candidate.entity];
    record["taken"] = taken != kNone && taken != entity_id ? entity(side, taken) : json(nullptr);
    list.push_back(std::move(record));
  }
  return list;
}
