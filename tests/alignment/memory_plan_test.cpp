#include "alignment/memory_plan.h"

#include <dovetail/errors.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alignment/progress.h"
#include "encoder/tiny_pair.h"
#include "signals/structure.h"

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
  std::size_t batch = 3750;
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
    EXPECT_LE(plan.batch_size, batch);
    in_files = plan.vectors_in_files;
    few = plan.candidates < 50;
    batch = plan.batch_size;
    last = plan.bytes;
  }
  EXPECT_TRUE(in_files);
  EXPECT_TRUE(few);
  EXPECT_EQ(batch, 1024U);
}

TEST(MemoryPlan, BatchesGrowWithTheSeeds) {
  AlignOptions options = basic(128);
  EXPECT_EQ(settled_batch(options, 65'536), 1024U);
  EXPECT_EQ(settled_batch(options, 65'537), 1025U);
  EXPECT_EQ(settled_batch(options, 240'000), 3750U);
  EXPECT_EQ(plan_memory(million(), options, 100 * kGiB, "memory").batch_size, 3750U);
  options.training.most_batches = 0;
  EXPECT_EQ(settled_batch(options, 240'000), 1024U);
  options.training.most_batches = 64;
  options.training.batch_size = 0;
  EXPECT_EQ(settled_batch(options, 240'000), 0U);
  EXPECT_EQ(plan_memory(million(), options, 100 * kGiB, "memory").batch_size, 0U);
  options.training.batch_size = 1024;
  options.mode = Mode::semi;  // restarts have a size of their own
  EXPECT_EQ(settled_batch(options, 240'000), 1024U);
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
  EXPECT_EQ(settled_candidates(options, 100'000, 1'000'000), 100U);
  EXPECT_EQ(settled_candidates(options, 10'000, 10'000), 50U);
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

TEST(MemoryPlan, SinkhornRatherHasASmallerDimensionThanFewCandidates) {
  AlignOptions options = basic(0);
  options.mode = Mode::semi;
  const std::uint64_t least = planned_bytes(
      million(), options,
      {.dimension = 16, .sampling = Sampling::attention, .vectors_in_files = true, .candidates = 50});
  EXPECT_EQ(plan_memory(million(), options, least, "memory").candidates, 50U);
  EXPECT_EQ(plan_memory(million(), options, least, "memory").dimension, 16U);
  EXPECT_EQ(plan_memory(million(), options, least - 1, "memory").candidates, 20U);
  EXPECT_GT(plan_memory(million(), options, least - 1, "memory").dimension, 16U) << "there is room again";
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

TEST(MemoryPlan, FeaturesAreSmallUpToAGibibyte) {
  const EncoderOptions encoder = basic(128).encoder;  // 3 layers of 2 features of 128 numbers of 2 bytes
  EXPECT_TRUE(features_are_small(encoder, kGiB / (3 * 2 * 128 * 2)));
  EXPECT_FALSE(features_are_small(encoder, kGiB / (3 * 2 * 128 * 2) + 1));
}

TEST(MemoryPlan, ARunThatHasBegunGoesOnAsItBegan) {
  const MemoryPlan begun = plan_memory(million(), basic(128), 6 * kGiB, "memory");
  ASSERT_TRUE(begun.vectors_in_files);
  const MemoryPlan with_more = plan_memory(million(), basic(128), 100 * kGiB, "memory", begun);
  EXPECT_TRUE(with_more.vectors_in_files);
  EXPECT_EQ(with_more.batch_size, begun.batch_size);
  EXPECT_EQ(with_more.bytes, begun.bytes);
  try {
    (void)plan_memory(million(), basic(128), begun.bytes - 1, "memory", begun);
    FAIL() << "it would not keep to what there is";
  } catch (const SystemError& error) {  // and there is nothing to choose
    EXPECT_THAT(error.what(), ::testing::EndsWith("memory; use more"));
  }
}

/// A run that began by a plan that none would choose here.
class Begun : public Keeper {
 public:
  [[nodiscard]] Progress kept() override {
    Progress progress;
    progress.plan = {.dimension = 16, .batch_size = 7, .candidates = 3, .bytes = 12345};
    return progress;
  }
};

TEST(MemoryPlan, AResumedRunHasThePlanItBeganBy) {
  LoadedPair pair{tiny_pair(40, 3, 150, 1), {}, "made here"};
  pair.links.train = identity_links(20);
  AlignOptions options = basic(0);
  options.training.epochs = 1;
  options.deciding.calibrate = false;
  Begun keeper;
  Observer quiet;
  const dovetail::Run run = run_alignment(pair, options, quiet, keeper);
  EXPECT_EQ(run.options.encoder.dimension, 16U);
  EXPECT_EQ(run.options.training.batch_size, 7U);
  EXPECT_EQ(run.options.matching.candidates, 3U);
  EXPECT_EQ(run.planned_memory_bytes, 12345U);
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
