#include <dovetail/errors.h>
#include <dovetail/generate.h>

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <string>

#include "generator_recorder.h"

// Generated pairs of an open world: sides of different size, isolated entities, duplicates.

namespace dovetail {
namespace {

using testing::HasSubstr;
using testing_generator::RecordedGraph;
using testing_generator::RecordedPair;
using testing_generator::Triple;

GenerateOptions lopsided(std::uint64_t left, std::uint64_t right) {
  GenerateOptions options;
  options.entities = left;
  options.right_entities = right;
  return options;
}

std::size_t isolated_in(const RecordedGraph& graph) {
  const std::vector<std::uint32_t> degrees = graph.degrees();
  return static_cast<std::size_t>(std::ranges::count(degrees, 0U));
}

TEST(OpenPairs, SidesHaveTheSizesAskedFor) {
  for (const auto& [left, right] : {std::pair(2000, 20'000), {20'000, 2000}, {10, 3000}, {900, 1000}}) {
    const RecordedPair pair(lopsided(static_cast<std::uint64_t>(left), static_cast<std::uint64_t>(right)));
    EXPECT_EQ(pair.left.entities.size(), static_cast<std::size_t>(left));
    EXPECT_EQ(pair.right.entities.size(), static_cast<std::size_t>(right));
    EXPECT_EQ(pair.links.size(), static_cast<std::size_t>(std::min(left, right) * 9 / 10));
    std::set<std::uint32_t> lefts, rights;
    for (const auto& [l, r] : pair.links) lefts.insert(l), rights.insert(r);
    EXPECT_EQ(lefts.size(), pair.links.size());
    EXPECT_EQ(rights.size(), pair.links.size());
    EXPECT_EQ(isolated_in(pair.left) + isolated_in(pair.right), 0U);
    EXPECT_EQ(pair.left.misnamed + pair.right.misnamed, 0U);
  }
}

TEST(OpenPairs, TheSmallerSideKeepsItsNeighbours) {
  // A tenth of the entities at random would keep one edge in ten, most of them made up.
  const RecordedPair pair(lopsided(2000, 20'000));
  const auto per_entity = [](const RecordedGraph& graph) {
    return static_cast<double>(graph.triples.size()) / static_cast<double>(graph.entities.size());
  };
  EXPECT_NEAR(per_entity(pair.left), 5, 0.5);
  EXPECT_NEAR(per_entity(pair.right), 5, 0.2);
  std::map<std::uint32_t, std::uint32_t> counterpart(pair.links.begin(), pair.links.end());
  std::set<std::pair<std::uint32_t, std::uint32_t>> joined;
  for (const Triple& t : pair.right.triples) joined.emplace(t.head, t.tail);
  double common = 0, all = 0;
  for (const Triple& t : pair.left.triples) {
    if (!counterpart.contains(t.head) || !counterpart.contains(t.tail)) continue;
    ++all;
    common += joined.contains({counterpart[t.head], counterpart[t.tail]}) ? 1 : 0;
  }
  EXPECT_NEAR(common / all, 0.75 * 0.95, 0.06);
}

TEST(OpenPairs, SharesWithoutCounterpartGiveTheSizeOfTheRight) {
  GenerateOptions options;
  options.entities = 2000;
  options.difference.dangling = 0.1;
  options.difference.right_dangling = 0.91;
  RecordedPair pair(options);
  EXPECT_EQ(pair.links.size(), 1800U);
  EXPECT_EQ(pair.right.entities.size(), 20'000U);
  options.difference.dangling = 0.4;
  options.difference.right_dangling = 0.2;  // the right is the smaller one
  pair = RecordedPair(options);
  EXPECT_EQ(pair.left.entities.size(), 2000U);
  EXPECT_EQ(pair.right.entities.size(), 1500U);
  EXPECT_EQ(pair.links.size(), 1200U);
}

TEST(OpenPairs, IsolatedEntitiesHaveNamesOnly) {
  GenerateOptions options = lopsided(3000, 3000);
  options.difference.isolated = 0.2;
  const RecordedPair pair(options);
  EXPECT_EQ(isolated_in(pair.left), 600U);
  EXPECT_EQ(isolated_in(pair.right), 600U);
  EXPECT_NEAR(static_cast<double>(pair.left.triples.size()), 15'000, 450);
  EXPECT_TRUE(std::ranges::none_of(pair.left.labels, &std::string::empty));
  // Drawn for each side alone: of the links, 64% have edges on both sides.
  const std::vector<std::uint32_t> left = pair.left.degrees(), right = pair.right.degrees();
  const auto both = std::ranges::count_if(
      pair.links, [&](const auto& link) { return left[link.first] > 0 && right[link.second] > 0; });
  EXPECT_NEAR(static_cast<double>(both) / static_cast<double>(pair.links.size()), 0.64, 0.04);
}

TEST(OpenPairs, DuplicatesAreLinkedLikeTheirOriginals) {
  GenerateOptions options = lopsided(5000, 5000);
  options.difference.duplicates = 0.1;
  const RecordedPair pair(options);
  EXPECT_EQ(pair.left.entities.size(), 5000U);
  EXPECT_EQ(pair.right.entities.size(), 5450U);
  EXPECT_EQ(pair.links.size(), 4950U);
  std::map<std::uint32_t, std::vector<std::uint32_t>> linked;
  std::set<std::uint32_t> rights;
  for (const auto& [l, r] : pair.links) linked[l].push_back(r), rights.insert(r);
  EXPECT_EQ(linked.size(), 4500U);
  EXPECT_EQ(rights.size(), 4950U) << "a right entity is in one link at most";
  EXPECT_EQ(isolated_in(pair.right), 0U);
  std::map<std::uint32_t, std::set<std::pair<std::uint32_t, std::uint32_t>>> edges;
  for (const Triple& t : pair.right.triples) edges[t.head].emplace(t.relation, t.tail);
  double common = 0, all = 0, same_name = 0, twice = 0;
  for (const auto& [left, own] : linked) {
    if (own.size() < 2) continue;
    ++twice;
    same_name += pair.right.labels[own[0]] == pair.right.labels[own[1]] ? 1 : 0;
    for (const auto& edge : edges[own[0]]) {
      ++all;
      common += edges[own[1]].contains(edge) ? 1 : 0;
    }
  }
  EXPECT_EQ(twice, 450);
  // Some edges are random ones, which no duplicate shares; names are partly spelt in another way.
  EXPECT_NEAR(common / all, 0.7, 0.08);
  EXPECT_GT(same_name / twice, 0.3);
  EXPECT_LT(same_name / twice, 0.9);
}

TEST(OpenPairs, DuplicatesAreSeedsTogetherOrNotAtAll) {
  GenerateOptions options = lopsided(1000, 1000);
  options.difference.duplicates = 0.5;
  options.split.seed_ratio = 0.3;
  const RecordedPair pair(options);
  std::map<std::uint32_t, LinkUse> use;
  for (std::size_t i = 0; i < pair.links.size(); ++i) {
    EXPECT_EQ(use.emplace(pair.links[i].first, pair.uses[i]).first->second, pair.uses[i]);
  }
}

TEST(OpenPairs, WhatContradictsItselfIsRefused) {
  const auto refusal = [](const GenerateOptions& options) -> std::string {
    try {
      (void)resolve_options(options);
    } catch (const ParameterError& error) {
      return error.what();
    }
    return "accepted";
  };
  GenerateOptions options = lopsided(1000, 9);
  EXPECT_THAT(refusal(options), HasSubstr("right entities is 9; expected 10 to 10,000,000"));
  options = lopsided(1000, 2000);
  options.difference.right_dangling = 0.5;
  EXPECT_THAT(refusal(options), HasSubstr("both right entities and right dangling"));
  options = lopsided(1000, 0);
  options.difference.right_dangling = 1;
  EXPECT_THAT(refusal(options), HasSubstr("right dangling is 1"));
  options = lopsided(1000, 0);
  options.difference.isolated = 0.1;
  EXPECT_EQ(refusal(options), "accepted");
  options.labels = false;
  EXPECT_THAT(refusal(options), HasSubstr("expected labels, or isolated 0"));
  options = lopsided(1000, 0);
  options.difference.duplicates = -0.5;
  EXPECT_THAT(refusal(options), HasSubstr("duplicates is -0.5"));
}

TEST(OpenPairs, ResolvedOptionsStayAsTheyAre) {
  GenerateOptions options = lopsided(1000, 0);
  options.difference.right_dangling = 0.95;
  const GenerateOptions once = resolve_options(options), twice = resolve_options(once);
  EXPECT_EQ(once.right_entities, twice.right_entities);
  EXPECT_EQ(once.triples, twice.triples);
  EXPECT_EQ(once.difference.dangling, twice.difference.dangling);
}

}  // namespace
}  // namespace dovetail
