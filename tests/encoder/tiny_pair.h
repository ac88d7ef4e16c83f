#pragma once

#include <dovetail/graph.h>
#include <dovetail/graph_builder.h>
#include <dovetail/links.h>

#include <array>
#include <cstdint>
#include <fmt/format.h>
#include <tuple>
#include <vector>

#include "common/random.h"

namespace dovetail {

using TestTriple = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;

/// A graph of numbered entities and relations, in that order.
inline KnowledgeGraph tiny_graph(std::uint32_t entities, std::uint32_t relations,
                                 const std::vector<TestTriple>& triples) {
  GraphBuilder builder;
  static constexpr std::array kWords = {"amber", "birch", "cedar", "delta",
                                        "ember", "fjord", "grove", "heron"};
  for (std::uint32_t i = 0; i < entities; ++i) {
    builder.add_entity(fmt::format("e{}", i));
    builder.label(i, fmt::format("{} {}", kWords[i % 8], kWords[i / 8 % 8]));
  }
  for (std::uint32_t r = 0; r < relations; ++r) builder.relation(fmt::format("r{}", r));
  for (const auto& [head, relation, tail] : triples) builder.triple(head, relation, tail);
  return std::move(builder).build(std::nullopt);
}

/// Two copies of one random graph; the right one lacks some triples. Entity 0 has none at all, entity 1 has a
/// self-loop, some pairs of entities have two relations.
inline GraphPair tiny_pair(std::uint32_t entities, std::uint32_t relations, std::size_t triples,
                           std::uint64_t seed) {
  Random random(seed);
  std::vector<TestTriple> left{{1, 0, 1}, {1, 0, 2}}, right{{1, 0, 1}, {1, 0, 2}};
  while (left.size() < triples) {
    const auto head = static_cast<std::uint32_t>(1 + random.below(entities - 1));
    const auto tail = static_cast<std::uint32_t>(1 + random.below(entities - 1));
    const TestTriple triple{head, static_cast<std::uint32_t>(random.below(relations)), tail};
    left.push_back(triple);
    if (random.below(8) != 0) right.push_back(triple);
  }
  return {tiny_graph(entities, relations, left), tiny_graph(entities, relations, right)};
}

/// (i, i) for the first `count` entities.
inline std::vector<Link> identity_links(std::uint32_t count) {
  std::vector<Link> links;
  for (std::uint32_t i = 0; i < count; ++i) links.push_back({i, i});
  return links;
}

}  // namespace dovetail
