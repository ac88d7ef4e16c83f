#pragma once

#include <gtest/gtest.h>

#include "encoder/message_graph.h"

namespace dovetail {

inline void expect_equal(const EdgeLists& one, const EdgeLists& other) {
  EXPECT_EQ(one.node_begin, other.node_begin);
  EXPECT_EQ(one.group_begin, other.group_begin);
  EXPECT_EQ(one.relation, other.relation);
  EXPECT_EQ(one.neighbour, other.neighbour);
}

inline void expect_equal(const NodeLists& one, const NodeLists& other) {
  EXPECT_EQ(one.begin, other.begin);
  EXPECT_EQ(one.items, other.items);
}

inline void expect_equal(const MessageGraph& one, const MessageGraph& other) {
  ASSERT_EQ(one.node_count, other.node_count);
  expect_equal(one.out, other.out);
  expect_equal(one.in, other.in);
  expect_equal(one.closed, other.closed);
  expect_equal(one.closed_in, other.closed_in);
  EXPECT_EQ(one.in_edge, other.in_edge);
  EXPECT_EQ(one.row_of, other.row_of);
  EXPECT_EQ(one.stripes, other.stripes);
}

}  // namespace dovetail
