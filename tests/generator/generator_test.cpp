#include <dovetail/errors.h>
#include <dovetail/generate.h>

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>
#include <set>
#include <unordered_set>

#include "generator/permutation.h"
#include "generator_recorder.h"

namespace dovetail {
namespace {

using testing::HasSubstr;
using testing_generator::RecordedGraph;
using testing_generator::RecordedPair;
using testing_generator::Triple;

GenerateOptions sized(std::uint64_t entities) {
  GenerateOptions options;
  options.entities = entities;
  return options;
}

/// One pair for the tests that only look at it.
const RecordedPair& usual_pair() {
  static const RecordedPair pair(sized(20'000));
  return pair;
}

/// Of the left triples between linked entities, the share whose head and tail the right joins as well.
double measured_overlap(const RecordedPair& pair) {
  std::vector<std::uint32_t> counterpart(pair.left.entities.size(), kNone);
  for (const auto& [left, right] : pair.links) counterpart[left] = right;
  std::unordered_set<std::uint64_t> joined;
  for (const Triple& t : pair.right.triples) joined.insert(std::uint64_t{t.head} << 32 | t.tail);
  std::uint64_t common = 0;
  std::uint64_t all = 0;
  for (const Triple& t : pair.left.triples) {
    if (counterpart[t.head] == kNone || counterpart[t.tail] == kNone) continue;
    ++all;
    common += joined.count(std::uint64_t{counterpart[t.head]} << 32 | counterpart[t.tail]);
  }
  return static_cast<double>(common) / static_cast<double>(all);
}

/// Correlation of the numbers of counterparts, or of their positions in some order.
double correlation(const std::vector<std::pair<std::uint32_t, std::uint32_t>>& pairs) {
  double x = 0, y = 0, xx = 0, yy = 0, xy = 0;
  const auto n = static_cast<double>(pairs.size());
  for (const auto& [a, b] : pairs) {
    x += a, y += b;
    xx += double{1} * a * a, yy += double{1} * b * b, xy += double{1} * a * b;
  }
  return (n * xy - x * y) / std::sqrt((n * xx - x * x) * (n * yy - y * y));
}

/// The place of each entity in the order in which triples first mention them.
std::vector<std::uint32_t> first_mentions(const RecordedGraph& graph) {
  std::vector<std::uint32_t> place(graph.entities.size(), kNone);
  std::uint32_t next = 0;
  for (const Triple& t : graph.triples) {
    for (const std::uint32_t e : {t.head, t.tail}) {
      if (place[e] == kNone) place[e] = next++;
    }
  }
  return place;
}

TEST(Permutation, IsABijectionWithItsInverse) {
  for (const std::uint64_t size : {1U, 2U, 5U, 64U, 1000U, 4097U}) {
    const Permutation permutation(size, 7);
    std::set<std::uint32_t> seen;
    for (std::uint32_t i = 0; i < size; ++i) {
      const std::uint32_t image = permutation(i);
      EXPECT_LT(image, size);
      EXPECT_EQ(permutation.inverse(image), i);
      seen.insert(image);
    }
    EXPECT_EQ(seen.size(), size);
  }
}

TEST(Generator, SameSeedSameBytes) {
  GenerateOptions options = sized(2000);
  const auto first = RecordedPair(options).hash();
  EXPECT_EQ(RecordedPair(options).hash(), first);
  options.seed = 2;
  const auto other = RecordedPair(options).hash();
  EXPECT_NE(std::get<0>(other), std::get<0>(first));
  EXPECT_NE(std::get<1>(other), std::get<1>(first));
  EXPECT_NE(std::get<2>(other), std::get<2>(first));
}

TEST(Generator, BytesAreTheSameOnEveryMachine) {
  // Recorded once. Another value here means that pairs made with older versions cannot be made again.
  const auto [left, right, links] = RecordedPair(sized(1000)).hash();
  EXPECT_EQ(left, 1686689645484060356U);
  EXPECT_EQ(right, 14317448084025987953U);
  EXPECT_EQ(links, 4379523694607170268U);
}

TEST(Generator, TripleTermsCarryTheirIdentifiers) {
  EXPECT_EQ(usual_pair().left.misnamed, 0U);
  EXPECT_EQ(usual_pair().right.misnamed, 0U);
  EXPECT_THAT(usual_pair().left.entities[123], "http://left.example/entity/L000123");
  EXPECT_THAT(usual_pair().right.entities[123], "http://right.example/entity/R000123");
}

TEST(Generator, CountsAreThoseAskedFor) {
  struct Case {
    std::uint64_t entities, triples;
    double dangling;
  };
  for (const Case& c : {Case{20'000, 100'000, 0.1}, Case{20'000, 200'000, 0.2}, Case{20'000, 30'000, 0.0},
                        Case{3000, 15'000, 0.5}}) {
    SCOPED_TRACE(c.triples);
    GenerateOptions options = sized(c.entities);
    options.triples = c.triples;
    options.difference.dangling = c.dangling;
    const RecordedPair pair(options);
    const auto links =
        static_cast<std::uint64_t>(std::llround(static_cast<double>(c.entities) * (1 - c.dangling)));
    EXPECT_EQ(pair.links.size(), links);
    for (const RecordedGraph* graph : {&pair.left, &pair.right}) {
      EXPECT_EQ(graph->entities.size(), c.entities);
      EXPECT_EQ(std::set<std::string>(graph->entities.begin(), graph->entities.end()).size(), c.entities);
      const auto wanted = static_cast<double>(c.triples);
      EXPECT_NEAR(static_cast<double>(graph->triples.size()), wanted, .02 * wanted);
    }
  }
}

TEST(Generator, EveryEntityHasATripleAndFewTriplesRepeat) {
  GenerateOptions sparse = sized(5000);
  sparse.triples = 5000;
  sparse.difference.dangling = 0.9;
  const RecordedPair sparse_pair(sparse);
  for (const RecordedPair* pair : {&usual_pair(), &sparse_pair}) {
    for (const RecordedGraph* graph : {&pair->left, &pair->right}) {
      const std::vector<std::uint32_t> degrees = graph->degrees();
      EXPECT_GE(*std::min_element(degrees.begin(), degrees.end()), 1U);
      EXPECT_TRUE(std::none_of(graph->triples.begin(), graph->triples.end(),
                               [](const Triple& t) { return t.head == t.tail; }));
      const std::set<Triple> distinct(graph->triples.begin(), graph->triples.end());
      EXPECT_GE(distinct.size() * 1000, graph->triples.size() * 999);
    }
  }
}

TEST(Generator, LinksAreOneToOne) {
  std::set<std::uint32_t> left;
  std::set<std::uint32_t> right;
  for (const auto& [l, r] : usual_pair().links) left.insert(l), right.insert(r);
  EXPECT_EQ(left.size(), 18'000U);
  EXPECT_EQ(right.size(), 18'000U);
}

TEST(Generator, OverlapIsTheOneAskedFor) {
  for (const double overlap : {0.0, 0.4, 0.75, 1.0}) {
    GenerateOptions options = sized(10'000);
    options.difference.overlap = overlap;
    options.difference.noise = 0;
    // Not exact at 0: two relations may join the same entities, each known to one side.
    EXPECT_NEAR(measured_overlap(RecordedPair(options)), overlap, 0.035) << overlap;
  }
}

TEST(Generator, NoiseIsTheShareAskedFor) {
  for (const double noise : {0.0, 0.3, 1.0}) {
    GenerateOptions options = sized(10'000);
    options.difference.overlap = 1;
    options.difference.noise = noise;
    EXPECT_NEAR(measured_overlap(RecordedPair(options)), 1 - noise, 0.015) << noise;
  }
}

TEST(Generator, DegreesAreHeavyTailed) {
  std::vector<std::uint32_t> degrees = usual_pair().left.degrees();
  std::sort(degrees.begin(), degrees.end());
  const auto quantile = [&](double q) {
    return degrees[static_cast<std::size_t>(q * static_cast<double>(degrees.size() - 1))];
  };
  EXPECT_LE(quantile(.5), 8U);
  EXPECT_LE(quantile(.1), 3U);
  EXPECT_GE(quantile(.99), 40U);
  EXPECT_GE(quantile(.999), 100U);  // an exponential tail with this mean would end near 70
  EXPECT_GE(degrees.back(), 400U);
}

TEST(Generator, RelationFrequenciesAreZipfLike) {
  const RecordedGraph& graph = usual_pair().left;
  std::vector<double> counts(graph.relations.size());
  for (const Triple& t : graph.triples) ++counts[t.relation];
  std::sort(counts.rbegin(), counts.rend());
  EXPECT_GE(counts.size(), 200U);
  // The slope of log frequency over log rank, from rank 1 to 128, by least squares: about -1.
  double x = 0, y = 0, xx = 0, xy = 0;
  for (std::size_t rank = 1; rank <= 128; rank *= 2) {
    const double a = std::log(static_cast<double>(rank));
    const double b = std::log(counts[rank - 1]);
    x += a, y += b, xx += a * a, xy += a * b;
  }
  EXPECT_NEAR((8 * xy - x * y) / (8 * xx - x * x), -1, 0.3);
}

TEST(Generator, RelationsPreferSomeEntities) {
  // An entity with ten triples out has far fewer relations in them than ten draws from all triples have.
  const RecordedGraph& graph = usual_pair().left;
  std::vector<std::vector<std::uint32_t>> relations(graph.entities.size());
  for (const Triple& t : graph.triples) relations[t.head].push_back(t.relation);
  Random random(1);
  double seen = 0, expected = 0;
  for (const auto& own : relations) {
    if (own.size() != 10) continue;
    seen += static_cast<double>(std::set<std::uint32_t>(own.begin(), own.end()).size());
    std::set<std::uint32_t> drawn;
    for (int i = 0; i < 10; ++i) drawn.insert(graph.triples[random.below(graph.triples.size())].relation);
    expected += static_cast<double>(drawn.size());
  }
  ASSERT_GT(seen, 0);
  EXPECT_LT(seen, 0.85 * expected);
}

TEST(Generator, NothingLeaksWhichEntitiesBelongTogether) {
  const RecordedPair& pair = usual_pair();
  EXPECT_LT(std::abs(correlation(pair.links)), 0.03);  // four standard deviations
  const std::vector<std::uint32_t> left = first_mentions(pair.left);
  const std::vector<std::uint32_t> right = first_mentions(pair.right);
  const std::vector<std::uint32_t> left_degrees = pair.left.degrees();
  const std::vector<std::uint32_t> right_degrees = pair.right.degrees();
  std::vector<std::pair<std::uint32_t, std::uint32_t>> places;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> left_by_link;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> right_by_link;
  for (std::uint32_t i = 0; i < pair.links.size(); ++i) {
    const auto [l, r] = pair.links[i];
    left_by_link.emplace_back(i, l);
    right_by_link.emplace_back(i, r);
    // Hubs are mentioned early on both sides, which is the graph's own doing.
    if (left_degrees[l] <= 4 && right_degrees[r] <= 4) places.emplace_back(left[l], right[r]);
  }
  EXPECT_LT(std::abs(correlation(left_by_link)), 0.03);
  EXPECT_LT(std::abs(correlation(right_by_link)), 0.03);
  EXPECT_LT(std::abs(correlation(places)), 0.1);
}

TEST(Generator, RelationIdentifiersAreSharedOnlyOnDemand) {
  GenerateOptions options = sized(500);
  const RecordedPair apart(options);
  EXPECT_NE(apart.left.relations[0], apart.right.relations[0]);
  options.schema.shared_relations = true;
  const RecordedPair shared(options);
  const std::set<std::string> left(shared.left.relations.begin(), shared.left.relations.end());
  const std::set<std::string> right(shared.right.relations.begin(), shared.right.relations.end());
  EXPECT_EQ(left, right);
  EXPECT_NE(shared.left.relations, shared.right.relations);  // numbered in another order
}

TEST(Generator, LinksAreDividedAsAsked) {
  GenerateOptions options = sized(1000);
  options.difference.dangling = 0;
  const RecordedPair whole(options);
  EXPECT_EQ(std::count(whole.uses.begin(), whole.uses.end(), LinkUse::any), 1000);
  options.split.seed_ratio = 0.3;
  options.split.valid_ratio = 0.1;
  const RecordedPair divided(options);
  EXPECT_EQ(std::count(divided.uses.begin(), divided.uses.end(), LinkUse::train), 300);
  EXPECT_EQ(std::count(divided.uses.begin(), divided.uses.end(), LinkUse::valid), 100);
  EXPECT_EQ(std::count(divided.uses.begin(), divided.uses.end(), LinkUse::test), 600);
}

TEST(Generator, ReportsProgressUntilAllIsDone) {
  struct Recorder : Observer {
    std::uint64_t last = 0, total = 0, calls = 0;
    void progress(std::string_view task, std::uint64_t done, std::uint64_t of,
                  std::string_view unit) override {
      EXPECT_EQ(task, "generating");
      EXPECT_EQ(unit, "triples");
      EXPECT_GE(done, last);
      last = done, total = of, ++calls;
    }
  } recorder;
  struct Ignore : GraphSink {
    void relation(Term) override {}
    void entity(Term, std::string_view) override {}
    void triple(Term, Term, Term) override {}
    void literal(Term, std::string_view, std::string_view) override {}
  } graph;
  struct IgnorePair : PairSink {
    explicit IgnorePair(GraphSink& sink) : graph(sink) {}
    GraphSink& side(Side) override { return graph; }
    void link(Term, Term, LinkUse) override {}
    GraphSink& graph;
  } pair(graph);
  generate_pair(sized(30'000), pair, recorder);
  EXPECT_EQ(recorder.last, 300'000U);
  EXPECT_EQ(recorder.total, 300'000U);
  EXPECT_GE(recorder.calls, 4U);
}

TEST(Generator, SmallestPairsWork) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    GenerateOptions options = sized(10);
    options.seed = seed;
    options.difference.dangling = 0.9;
    EXPECT_EQ(RecordedPair(options).links.size(), 1U);
  }
}

template <typename Change>
std::string refusal(Change change) {
  GenerateOptions options;
  change(options);
  try {
    (void)resolve_options(options);
  } catch (const ParameterError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(GenerateOptions, BadOnesAreRefusedByName) {
  EXPECT_EQ(refusal([](auto& o) { o.entities = 9; }), "entities is 9; expected 10 to 10,000,000 per side");
  EXPECT_THAT(refusal([](auto& o) { o.entities = 10'000'001; }), HasSubstr("entities is 10,000,001"));
  EXPECT_EQ(refusal([](auto& o) { o.triples = 9999; }),
            "triples is 9,999; expected 10,000 to 1,000,000 for 10,000 entities");
  EXPECT_THAT(refusal([](auto& o) { o.triples = 1'000'001; }), HasSubstr("triples is 1,000,001"));
  EXPECT_THAT(refusal([](auto& o) { o.schema.relations = 100'001; }), HasSubstr("relations is 100,001"));
  EXPECT_THAT(refusal([](auto& o) { o.schema.types = 1001; }), HasSubstr("types is 1,001"));
  EXPECT_THAT(refusal([](auto& o) { o.schema.communities = 10'001; }), HasSubstr("communities is 10,001"));
  EXPECT_EQ(refusal([](auto& o) { o.difference.overlap = 1.5; }),
            "overlap is 1.5; expected a number from 0 to 1");
  EXPECT_THAT(refusal([](auto& o) { o.difference.noise = -0.1; }), HasSubstr("noise is -0.1"));
  EXPECT_THAT(refusal([](auto& o) { o.difference.dangling = 0.95; }), HasSubstr("from 0 to 0.9"));
  EXPECT_THAT(refusal([](auto& o) { o.difference.names = std::numeric_limits<double>::quiet_NaN(); }),
              HasSubstr("name difference is nan"));
  EXPECT_THAT(refusal([](auto& o) { o.split.seed_ratio = 2; }), HasSubstr("seed ratio is 2"));
  EXPECT_THAT(refusal([](auto& o) { o.split = {0.6, 0.6}; }), HasSubstr("sum of seed ratio and valid ratio"));
  EXPECT_EQ(refusal([](auto&) {}), "accepted");
}

TEST(GenerateOptions, ChosenValuesGrowWithTheEntities) {
  const GenerateOptions small = resolve_options(sized(1000));
  const GenerateOptions large = resolve_options(sized(1'000'000));
  EXPECT_EQ(small.triples, 5000U);
  EXPECT_EQ(large.triples, 5'000'000U);
  EXPECT_EQ(small.schema.relations, 200U);
  EXPECT_EQ(large.schema.relations, 400U);
  EXPECT_EQ(large.schema.communities, 4000U);
  EXPECT_LT(small.schema.types, large.schema.types);
}

}  // namespace
}  // namespace dovetail
