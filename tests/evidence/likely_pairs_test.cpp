#include "evidence/likely_pairs.h"

#include <dovetail/generate.h>
#include <dovetail/io.h>

#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

#include "deciding/belief_loop.h"
#include "evidence/rules.h"
#include "formats/pair_writer.h"
#include "formats/support.h"

namespace dovetail::test {
namespace {

LoadedPair generated() {
  GenerateOptions options;
  options.entities = 2000;
  options.split.seed_ratio = 0.3;
  const Workspace here;
  Observer quiet;
  const auto writer = make_pair_writer(here / "pair", Format::dbp15k, {}, quiet);
  generate_pair(resolve_options(options), *writer, quiet);
  writer->commit();
  return load_folder(here / "pair", {}, quiet);
}

std::size_t contained(const SparseScores& pairs, const Pools& pools, std::span<const Link> links) {
  std::size_t count = 0;
  for (const Link& link : links) {
    const auto row = std::ranges::lower_bound(pools.left, link.left) - pools.left.begin();
    const auto column = std::ranges::lower_bound(pools.right, link.right) - pools.right.begin();
    count += find_column(pairs, static_cast<std::size_t>(row), static_cast<std::uint32_t>(column)) !=
                     SparseScores::kAbsent
                 ? 1
                 : 0;
  }
  return count;
}

TEST(LikelyPairs, FollowFromLinksAndFromWhatFollows) {
  const LoadedPair made = generated();
  const Pools pools = open_pools(made.graphs, made.links.train);
  ThreadPool pool(2);
  const SparseScores likely =
      likely_pairs(made.graphs, made.links.train, pools.left, pools.right, {}, {}, pool);
  EXPECT_EQ(likely.rows(), pools.left.size());
  EXPECT_LE(likely.size(), 20 * pools.left.size());
  const std::size_t found = contained(likely, pools, made.links.test);
  EXPECT_GT(found, made.links.test.size() * 7 / 10);
  // What follows from the links alone is less.
  const Rules rules(made.graphs);
  const Beliefs beliefs = beliefs_of(made.graphs, made.links.train);
  const SparseScores once =
      rules.evidence(beliefs, rules.compare_relations(beliefs, pool), pools.left, pools.right,
                     no_pairs(pools.left.size(), pools.right.size()), 20, pool);
  EXPECT_GT(found, contained(once, pools, made.links.test));
}

TEST(LikelyPairs, AreNoneWithoutLinks) {
  const LoadedPair made = generated();
  ThreadPool pool(1);
  const Pools pools = open_pools(made.graphs, {});
  EXPECT_EQ(likely_pairs(made.graphs, {}, pools.left, pools.right, {}, {}, pool).size(), 0U);
}

}  // namespace
}  // namespace dovetail::test
