#include "alignment/memory_plan.h"

#include <dovetail/errors.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dovetail {
namespace {

using testing::HasSubstr;

constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;

/// Two graphs of a million entities, ten million triples in all.
RunSize million() {
  return {.left_entities = 1'000'000,
          .right_entities = 1'000'000,
          .edges = 20'000'000,
          .seeds = 240'000,
          .left_pool = 760'000,
          .right_pool = 760'000,
          .graph_bytes = kGiB / 2};
}

AlignOptions basic(std::size_t dimension) {
  AlignOptions options;
  options.mode = Mode::basic;
  options.encoder.dimension = dimension;
  return options;
}

TEST(MemoryPlan, TakesAllItWouldWhereThereIsRoom) {
  RunSize size = million();
  size.left_entities = size.right_entities = 200'000;
  const MemoryPlan plan = plan_memory(size, basic(64), 100 * kGiB, "memory");
  EXPECT_EQ(plan.dimension, 64U);
  EXPECT_EQ(plan.sampling, Sampling::none);
  EXPECT_FALSE(plan.vectors_in_files);
  EXPECT_EQ(plan.candidates, AlignOptions().matching.candidates);
}

TEST(MemoryPlan, GivesUpOneThingAfterTheOther) {
  AlignOptions options = basic(128);
  options.matching.search = Search::four_bit;  // else there are few candidates to begin with
  std::uint64_t last = 100 * kGiB;
  bool in_files = false, few = false;
  while (last > 3 * kGiB) {  // each budget is just too small for the plan before
    MemoryPlan plan;
    try {
      plan = plan_memory(million(), options, last - 1, "memory");
    } catch (const SystemError&) {
      break;
    }
    EXPECT_LT(plan.bytes, last);
    EXPECT_EQ(plan.dimension, 128U);
    EXPECT_GE(plan.vectors_in_files, in_files);
    EXPECT_GE(plan.candidates < 50, few);
    in_files = plan.vectors_in_files;
    few = plan.candidates < 50;
    last = plan.bytes;
  }
  EXPECT_TRUE(in_files);
  EXPECT_TRUE(few);
}

TEST(MemoryPlan, BasicHasFewCandidatesWhereNotAllPairsAreCompared) {
  AlignOptions options = basic(128);
  EXPECT_EQ(settled_candidates(options, 10'000, 10'000), 50U);
  EXPECT_EQ(settled_candidates(options, 1'000'000, 1'000'000), 10U);
  // The plan counts them, and leaves what was asked for to searches of smaller pools.
  const MemoryPlan plan = plan_memory(million(), options, 100 * kGiB, "memory");
  EXPECT_EQ(plan.candidates, 50U);
  AlignOptions all = options;
  all.matching.search = Search::four_bit;
  EXPECT_LT(plan.bytes, planned_bytes(million(), all, plan));
  options.matching.csls_neighbours = 0;
  EXPECT_EQ(settled_candidates(options, 1'000'000, 1'000'000), 50U);
  options.matching.csls_neighbours = 10;
  options.matching.candidates = 5;
  EXPECT_EQ(settled_candidates(options, 1'000'000, 1'000'000), 5U);
  options.matching.candidates = 50;
  options.mode = Mode::semi;  // Sinkhorn wants all that it can have
  EXPECT_EQ(settled_candidates(options, 1'000'000, 1'000'000), 50U);
}

TEST(MemoryPlan, AnAutomaticDimensionGrowsWithTheMemory) {
  std::size_t last = 0;
  for (const std::uint64_t budget : {4 * kGiB, 6 * kGiB, 12 * kGiB, 40 * kGiB}) {
    const MemoryPlan plan = plan_memory(million(), basic(0), budget, "memory");
    EXPECT_LE(plan.bytes, budget);
    EXPECT_GE(plan.dimension, last);
    last = plan.dimension;
  }
  EXPECT_EQ(last, 300U);
}

TEST(MemoryPlan, RefusesWithWhatWouldDo) {
  std::string said;
  try {
    (void)plan_memory(million(), basic(128), kGiB, "memory");
  } catch (const SystemError& error) {
    said = error.what();
  }
  EXPECT_THAT(said, HasSubstr("of memory; found 1.0 GiB"));
  EXPECT_THAT(said, HasSubstr("--dimension auto"));
  // With just what it names, it goes; with one less, it does not.
  const std::uint64_t named = std::stoull(said.substr(said.find("needs ") + 6)) << 20;
  EXPECT_NO_THROW((void)plan_memory(million(), basic(128), named, "memory"));
  EXPECT_THROW((void)plan_memory(million(), basic(128), named - (1 << 20), "memory"), SystemError);
}

TEST(MemoryPlan, WhatIsAskedForIsNotChanged) {
  AlignOptions options = basic(128);
  options.sampling.method = Sampling::none;
  EXPECT_EQ(plan_memory(million(), options, 100 * kGiB, "memory").sampling, Sampling::none);
  options.encoder.attention = Attention::symmetric;
  options.sampling.method = Sampling::automatic;
  EXPECT_EQ(plan_memory(million(), options, 100 * kGiB, "memory").sampling, Sampling::none);
}

}  // namespace
}  // namespace dovetail
