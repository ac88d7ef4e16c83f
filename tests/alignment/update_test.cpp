// What is known not to be the same, and going on from an earlier run.
#include <dovetail/generate.h>
#include <dovetail/parameters.h>
#include <dovetail/run.h>

#include <algorithm>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <set>

#include "encoder/parameters.h"
#include "encoder/tiny_pair.h"
#include "formats/pair_writer.h"
#include "formats/support.h"

namespace dovetail::test {
namespace {

struct Way {
  Mode mode;
  Strategy strategy;
};

AlignOptions options_of(const Way& way) {
  AlignOptions options;
  options.mode = way.mode;
  options.semi.strategy = way.strategy;
  options.encoder.dimension = 32;
  options.training.epochs = 3;
  options.semi.turns = 2;
  options.matching.candidates = 10;
  options.deciding.pool = CandidatePool::open;
  return options;
}

class Ways : public testing::TestWithParam<Way> {
 protected:
  Ways() {
    GenerateOptions options;
    options.entities = 250;
    options.split.seed_ratio = 0.4;
    const auto writer = make_pair_writer(here / "pair", Format::tsv, {}, quiet);
    generate_pair(resolve_options(options), *writer, quiet);
    writer->commit();
  }

  [[nodiscard]] LoadedPair pair() {
    return load_files(here / "pair/left.tsv", here / "pair/right.tsv", here / "pair/train_links.tsv", {},
                      quiet);
  }
  [[nodiscard]] dovetail::Run align(const LoadedPair& pair) {
    return run_alignment(pair, options_of(GetParam()), quiet);
  }

  static std::vector<Link> found(const dovetail::Run& run) {
    std::vector<Link> links;
    for (const DecidedLink& link : run.decisions.links) links.push_back({link.left, link.right});
    std::ranges::sort(links);
    return links;
  }
  /// How many of the links are right.
  [[nodiscard]] std::size_t right(const LoadedPair& graphs, const dovetail::Run& run) {
    std::set<Pair> gold;
    for (const NamedLink& link : load_links(here / "pair/test_links.tsv", Format::automatic, {}, quiet)) {
      gold.emplace(link.left, link.right);
    }
    const std::set<Pair> said = links_of(graphs, found(run));
    return static_cast<std::size_t>(
        std::ranges::count_if(said, [&](const Pair& link) { return gold.contains(link); }));
  }
  /// How many of these pairs the run has among its links, its candidates or what it was trained on.
  static std::size_t held(const dovetail::Run& run, const std::vector<Link>& apart) {
    std::size_t count = 0;
    const auto look = [&](const Link& link) { count += std::ranges::binary_search(apart, link) ? 1 : 0; };
    for (const Link& link : found(run)) look(link);
    for (const Link& link : run.model.tied) look(link);
    for (std::size_t i = 0; i < run.open.left.entities.size(); ++i) {
      for (const Candidate& other : run.open.left.ranked[i]) look({run.open.left.entities[i], other.entity});
    }
    for (std::size_t i = 0; i < run.open.right.entities.size(); ++i) {
      for (const Candidate& other : run.open.right.ranked[i])
        look({other.entity, run.open.right.entities[i]});
    }
    return count;
  }

  Observer quiet;
  Workspace here;
};

TEST_P(Ways, PairsThatAreNotTheSameAreNeverFound) {
  LoadedPair known = pair();
  const dovetail::Run before = align(known);
  ASSERT_GT(before.decisions.links.size(), 30U);
  const std::vector<Link> apart = found(before);
  EXPECT_GE(held(before, apart), 2 * apart.size());
  known.links.apart = apart;  // all that was found, as if it were wrong
  EXPECT_EQ(held(align(known), apart), 0U);
  const dovetail::Run after = update_alignment(known, before, before.options, quiet);
  EXPECT_EQ(held(after, apart), 0U);
}

TEST_P(Ways, AnUpdateIsAsGoodAndTakesWhatIsNew) {
  const LoadedPair known = pair();
  const dovetail::Run before = align(known);
  // More of both graphs, with relations of their own, and a link between what is new.
  const std::string old_left(known.graphs.left().entity(0)), old_right(known.graphs.right().entity(0));
  const MoreFiles more{
      .left = here.write("left.tsv", fmt::format("new\tfresh\t{}\nnew\told\tother\n", old_left)),
      .right = here.write("right.tsv", fmt::format("NEW\tFRESH\t{}\n", old_right)),
      .links = here.write("links.tsv", "new\tNEW\n")};
  const LoadedPair grown = add_files(pair(), more, quiet);
  const dovetail::Run after = update_alignment(grown, before, before.options, quiet);
  EXPECT_EQ(grown.links.train.size(), known.links.train.size() + 1);
  const std::size_t was = right(known, before);
  ASSERT_GT(was, 30U);
  EXPECT_GT(right(grown, after), was * 85 / 100);
  EXPECT_FALSE(std::ranges::binary_search(found(after), grown.links.train.back()));
  if (before.model.entity_count == 0) return;
  EXPECT_EQ(after.model.entity_count, before.model.entity_count + 3);
  // The next update knows what entities and relations started from.
  const dovetail::Run last = update_alignment(grown, after, after.options, quiet);
  ASSERT_EQ(last.model.entity_keys.size(), after.model.entity_keys.size());
  // The ends of a pair that was tied may share a key.
  std::set<std::size_t> tied;
  for (const dovetail::Run* run : {&after, &last}) {
    for (const Link& link : run->model.tied) {
      tied.insert(link.left);
      tied.insert(grown.graphs.shared_id(Side::right, link.right));
    }
  }
  for (std::size_t row = 0; row < last.model.entity_keys.size(); ++row) {
    if (tied.contains(row)) continue;
    EXPECT_EQ(last.model.entity_keys[row], after.model.entity_keys[row]) << row;
  }
  EXPECT_EQ(last.model.relation_keys, after.model.relation_keys);
}

TEST_P(Ways, AModelOfOtherGraphsIsRefused) {
  const LoadedPair known = pair();
  const dovetail::Run before = align(known);
  dovetail::Run other = before;
  if (other.model.entity_count == 0) return;
  --other.graphs.right_entities;
  EXPECT_NE(error_of([&] {
              (void)update_alignment(known, other, before.options, quiet);
            }).find("belongs to other graphs"),
            std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Update, Ways,
                         testing::Values(Way{Mode::basic, Strategy::best}, Way{Mode::semi, Strategy::best},
                                         Way{Mode::semi, Strategy::rules}, Way{Mode::semi, Strategy::restart},
                                         Way{Mode::semi, Strategy::paper}, Way{Mode::names, Strategy::best}),
                         [](const testing::TestParamInfo<Way>& way) {
                           return fmt::format("{}_{}", enum_name(way.param.mode),
                                              enum_name(way.param.strategy));
                         });

TEST(InitialKeys, DecideWhatRowsStartFrom) {
  const GraphPair pair = tiny_pair(6, 2, 12, 1);
  const EncoderLayout layout({.dimension = 5}, pair.relation_count());
  ThreadPool pool(2);
  const NodeOrder order = breadth_first_order(pair, pool);
  const Parameters<float> plain = initial_parameters<float>(layout, order, 3, pool);
  InitialKeys keys;
  for (std::uint32_t n = 0; n < 12; ++n) keys.entities.push_back(11 - n);
  for (std::uint32_t n = 0; n < 4; ++n) keys.relations.push_back(n ^ 1U);
  const Parameters<float> keyed = initial_parameters<float>(layout, order, 3, pool, keys);
  for (std::uint32_t n = 0; n < 12; ++n) {
    const float *here = keyed.entities.row(order.node_of[n]),
                *there = plain.entities.row(order.node_of[11 - n]);
    EXPECT_TRUE(std::equal(here, here + 5, there)) << n;
  }
  for (std::uint32_t n = 0; n < 4; ++n) {
    EXPECT_TRUE(std::equal(keyed.relations.row(n), keyed.relations.row(n) + 5, plain.relations.row(n ^ 1U)))
        << n;
  }
}

}  // namespace
}  // namespace dovetail::test
