#include "graph/merge.h"

#include <gtest/gtest.h>
#include <set>
#include <string>
#include <vector>

namespace dovetail {
namespace {

KnowledgeGraph graph_of(const std::vector<std::string>& entities) {
  GraphBuilder builder;
  for (const std::string& entity : entities) builder.entity(entity);
  return std::move(builder).build(std::nullopt);
}

std::set<std::string> replaced_by(const MergedNames& names) {
  std::set<std::string> all;
  for (const auto& [kept, gone] : names.replaced()) all.insert(gone + " -> " + kept);
  return all;
}

TEST(MergedNames, WhatIsNotLinkedKeepsItsName) {
  const GraphPair pair(graph_of({"a", "b"}), graph_of({"c"}));
  const MergedNames names(pair, {}, Side::left);
  EXPECT_EQ(names(Side::left, 1), "b");
  EXPECT_EQ(names(Side::right, 0), "c");
  EXPECT_TRUE(names.replaced().empty());
}

TEST(MergedNames, LinksJoinAlsoThroughOthers) {
  const GraphPair pair(graph_of({"a", "b", "c"}), graph_of({"x", "y", "z"}));
  // a-x, b-x, b-y: one thing with four names.
  const std::vector<Link> links = {{1, 1}, {1, 0}, {0, 0}};
  const MergedNames left(pair, links, Side::left);
  for (const EntityId e : {0, 1}) {
    EXPECT_EQ(left(Side::left, e), "a");
    EXPECT_EQ(left(Side::right, e), "a");
  }
  EXPECT_EQ(left(Side::left, 2), "c");
  EXPECT_EQ(replaced_by(left), (std::set<std::string>{"b -> a", "x -> a", "y -> a"}));
  EXPECT_EQ(replaced_by(MergedNames(pair, links, Side::right)),
            (std::set<std::string>{"a -> x", "b -> x", "y -> x"}));
}

TEST(MergedNames, ABlankNodeGivesWayToAName) {
  const GraphPair pair(graph_of({"_:a", "_:b", "c"}), graph_of({"x", "_:b", "_:c"}));
  const MergedNames names(pair, std::vector<Link>{{0, 0}, {1, 1}, {2, 2}}, Side::left);
  EXPECT_EQ(names(Side::left, 0), "x");
  EXPECT_EQ(names(Side::right, 1), "_:left_b");
  EXPECT_EQ(names(Side::right, 2), "c");
  EXPECT_TRUE(names.replaced().empty()) << "nobody else knows a blank node's label";
}

TEST(MergedNames, OneNameOnBothSidesIsNoReplacement) {
  const GraphPair pair(graph_of({"a"}), graph_of({"a"}));
  EXPECT_TRUE(MergedNames(pair, std::vector<Link>{{0, 0}}, Side::right).replaced().empty());
}

}  // namespace
}  // namespace dovetail
