#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

#include "formats/support.h"

namespace dovetail::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<Link> diagonal(std::uint32_t count) {
  std::vector<Link> links;
  for (std::uint32_t i = 0; i < count; ++i) links.push_back({i, i});
  return links;
}

TEST(SplitLinks, HasTheSizesAskedForAndLosesNothing) {
  const SeedLinks split = split_links(diagonal(1000), {.seed_ratio = 0.3, .valid_ratio = 0.1, .seed = 5});
  EXPECT_EQ(split.train.size(), 300U);
  EXPECT_EQ(split.valid.size(), 100U);
  EXPECT_EQ(split.test.size(), 600U);
  std::set<Link> all(split.train.begin(), split.train.end());
  all.insert(split.valid.begin(), split.valid.end());
  all.insert(split.test.begin(), split.test.end());
  EXPECT_EQ(all.size(), 1000U);
}

TEST(SplitLinks, IsTheSameForTheSameSeedOnly) {
  const auto train = [](std::uint64_t seed) { return split_links(diagonal(100), {.seed = seed}).train; };
  EXPECT_EQ(train(1), train(1));
  EXPECT_NE(train(1), train(2));
}

TEST(SplitLinks, TakesAllSharesThatMakeSense) {
  EXPECT_EQ(split_links(diagonal(7), {.seed_ratio = 1}).train.size(), 7U);
  EXPECT_EQ(split_links(diagonal(7), {.seed_ratio = 0}).test.size(), 7U);
  EXPECT_EQ(split_links({}, {.seed_ratio = 0.5}).size(), 0U);
  for (const auto& [train, valid] : {std::pair{0.7, 0.4}, std::pair{-0.1, 0.0}, std::pair{0.5, -0.5}}) {
    EXPECT_NE(error_of([&] { (void)split_links(diagonal(7), {.seed_ratio = train, .valid_ratio = valid}); }),
              "");
  }
  EXPECT_NE(error_of([] { (void)split_links(diagonal(7), {.seed_ratio = std::nan("")}); }), "");
}

/// Two graphs of the same shape whose files list counterparts in the same order, as many benchmarks do.
class GraphsInTheSameOrder : public testing::TestWithParam<std::string> {
 protected:
  static constexpr int kCount = 400;
  std::filesystem::path make() const {
    std::map<std::string, std::string> files;
    for (int i = 0; i < kCount; ++i) {
      const std::string n = std::to_string(i);
      const std::string next = std::to_string((i + 1) % kCount);
      const std::string m = std::to_string(kCount + i);
      const std::string after = std::to_string(kCount + (i + 1) % kCount);
      if (GetParam() == "dbp15k") {
        files["ent_ids_1"] += n + "\tl" + n + "\n";
        files["ent_ids_2"] += m + "\tr" + n + "\n";
        files["triples_1"] += n + "\t0\t" + next + "\n";
        files["triples_2"] += m + "\t0\t" + after + "\n";
        files["ref_ent_ids"] += n + "\t" + m + "\n";
      } else {
        const bool openea = GetParam() == "openea";
        files[openea ? "rel_triples_1" : "left.tsv"] += "l" + n + "\tp\tl" + next + "\n";
        files[openea ? "rel_triples_2" : "right.tsv"] += "r" + n + "\tp\tr" + next + "\n";
        files[openea ? "ent_links" : "links.tsv"] += "l" + n + "\tr" + n + "\n";
      }
    }
    return here.folder("pair", files);
  }
  LoadedPair load(const LoadOptions& options) const {
    Listener listener;
    return load_folder(make(), options, listener);
  }
  Workspace here;
};
INSTANTIATE_TEST_SUITE_P(All, GraphsInTheSameOrder, testing::Values("dbp15k", "openea", "files"),
                         [](const auto& which) { return which.param; });

TEST_P(GraphsInTheSameOrder, GetNumbersThatSayNothing) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    LoadOptions options;
    options.shuffle_seed = seed;
    const LoadedPair pair = load(options);
    ASSERT_EQ(pair.links.size(), static_cast<std::size_t>(kCount));
    int same = 0;
    double covariance = 0;
    for (const auto* part : {&pair.links.train, &pair.links.test}) {
      for (const Link& link : *part) {
        same += link.left == link.right ? 1 : 0;
        covariance += (link.left - kCount / 2.0) * (link.right - kCount / 2.0);
        EXPECT_EQ(pair.graphs.left().entity(link.left).substr(1),
                  pair.graphs.right().entity(link.right).substr(1));
      }
    }
    EXPECT_LT(same, 10) << "about one is to be expected";
    EXPECT_LT(std::abs(covariance / kCount / (kCount * kCount / 12.0)), 0.2) << "correlation of the numbers";
  }
}

TEST_P(GraphsInTheSameOrder, KeepTheirNumbersUnshuffledOnRequest) {
  LoadOptions options;
  options.shuffle_seed.reset();
  const LoadedPair pair = load(options);
  for (const Link& link : pair.links.test) EXPECT_EQ(link.left, link.right);
  EXPECT_EQ(pair.graphs.left().entity(0), "l0");
}

TEST_P(GraphsInTheSameOrder, AreDividedReproducibly) {
  const auto train = [&](std::uint64_t seed, std::uint64_t shuffle) {
    LoadOptions options;
    options.split = {.seed_ratio = 0.25, .valid_ratio = 0, .seed = seed};
    options.shuffle_seed = shuffle;
    const LoadedPair pair = load(options);
    EXPECT_EQ(pair.links.train.size(), kCount / 4U);
    EXPECT_EQ(pair.links.test.size(), kCount * 3U / 4);
    EXPECT_THAT(pair.links.origin, HasSubstr("split seed"));
    return links_of(pair, pair.links.train);
  };
  EXPECT_EQ(train(1, 1), train(1, 1));
  EXPECT_EQ(train(1, 1), train(1, 2)) << "the numbers have no part in it";
  EXPECT_NE(train(1, 1), train(2, 1));
}

TEST(LinksOfFiles, AreAllToLearnFromUnlessDivided) {
  const Workspace here;
  std::string graph = "head\trelation\ttail\n";
  std::string links;
  for (int i = 0; i < 10; ++i) {
    graph += "e" + std::to_string(i) + "\tp\te0\n";
    links += "e" + std::to_string(i) + "\te" + std::to_string(i) + "\n";
  }
  const auto file = here.write("g.tsv", graph);
  const auto link_file = here.write("links", links);
  Listener listener;
  EXPECT_EQ(load_files(file, file, link_file, {}, listener).links.train.size(), 10U);
  LoadOptions options;
  options.split_files = true;
  const LoadedPair pair = load_files(file, file, link_file, options, listener);
  EXPECT_EQ(pair.links.train.size(), 3U);
  EXPECT_EQ(pair.links.test.size(), 7U);
}

}  // namespace
}  // namespace dovetail::test
