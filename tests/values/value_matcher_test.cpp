#include "values/value_matcher.h"

#include <dovetail/graph_builder.h>

#include <algorithm>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "common/random.h"
#include "graph/literal.h"
#include "values/decoys.h"
#include "values/soft_logistic.h"

namespace dovetail::test {
namespace {

struct Cell {
  std::string attribute, value;
};
using Table = std::vector<std::vector<Cell>>;

KnowledgeGraph graph_of(const Table& rows) {
  GraphBuilder builder;
  builder.keep_literals(true);
  for (std::size_t n = 0; n < rows.size(); ++n) {
    const std::uint32_t entity = builder.entity(fmt::format("e{}", n));
    for (const Cell& cell : rows[n])
      builder.literal(entity, cell.attribute, make_literal(cell.value, "", ""));
  }
  return std::move(builder).build(std::nullopt);
}

std::string word(Random& random) {
  std::string text;
  for (std::size_t i = 0; i < 6; ++i) text += static_cast<char>('a' + random.below(26));
  return text;
}

/// Products with a title, a model number, a price that differs a little and a colour; entity n is the same on
/// both sides for n < `shared`. Attributes have other names on the right.
struct Products {
  Table left, right;
};

Products products(std::size_t count, std::size_t shared, std::uint64_t seed) {
  Random random(seed);
  Products tables;
  std::vector<std::string> brands;
  for (std::size_t b = 0; b < 12; ++b) brands.push_back(word(random));
  const auto make = [&](std::size_t n, Table& first, Table* second) {
    const std::string& brand = brands[random.below(brands.size())];
    const std::string kind = word(random),
                      model = fmt::format("{}{}-{}", word(random).substr(0, 2), n, random.below(90));
    const double price = 10 + static_cast<double>(random.below(900));
    const char* const colour = random.below(2) == 0 ? "black" : "white";
    first.push_back({{"title", brand + " " + kind + " " + model},
                     {"model", model},
                     {"price", fmt::format("{:.2f}", price)},
                     {"colour", colour}});
    if (second == nullptr) return;
    std::string bare = model;
    std::erase(bare, '-');
    second->push_back({{"name", kind + " by " + brand},
                       {"code", bare},
                       {"cost", fmt::format("{:.2f}", price * 1.02)},
                       {"shade", colour}});
  };
  for (std::size_t n = 0; n < shared; ++n) make(n, tables.left, &tables.right);
  for (std::size_t n = shared; n < count; ++n) {
    make(n, tables.left, nullptr);
    Table only;
    make(n + count, only, &tables.right);
  }
  return tables;
}

std::vector<EntityId> all_of(const KnowledgeGraph& graph) {
  std::vector<EntityId> out(graph.entity_count());
  std::iota(out.begin(), out.end(), 0U);
  return out;
}

struct Learned {
  SparseScores pairs, scores;
  ValueModel model;
};

Learned learned(const GraphPair& pair, const ValueMatcher& matcher, std::size_t threads) {
  ThreadPool pool(threads);
  const auto left = all_of(pair.left()), right = all_of(pair.right());
  Learned out;
  out.pairs = matcher.candidates(left, right, pool);
  out.model = matcher.learn(left, right, out.pairs, {}, pool);
  out.scores = matcher.scores(out.model, left, right, out.pairs, pool);
  return out;
}

/// The share of the first `shared` rows whose best candidate is the one of the same number, with a score
/// above 0, and of the other rows whose best one is below 0.
double right_share(const SparseScores& scores, std::size_t shared) {
  std::size_t right = 0;
  for (std::size_t row = 0; row < scores.rows(); ++row) {
    const auto ranked = ranked_row(scores, row);
    if (row < shared) {
      right += !ranked.empty() && ranked[0].number == row && ranked[0].score > 0 ? 1 : 0;
    } else {
      right += ranked.empty() || ranked[0].score <= 0 ? 1 : 0;
    }
  }
  return static_cast<double>(right) / static_cast<double>(scores.rows());
}

TEST(ValueMatcher, LearnsWithoutLinksWhichAttributesCorrespond) {
  const Products tables = products(400, 300, 1);
  const GraphPair pair(graph_of(tables.left), graph_of(tables.right));
  const ValueMatcher matcher(pair, {});
  const Learned result = learned(pair, matcher, 2);
  EXPECT_GT(right_share(result.scores, 300), .95);
  std::set<std::string> links;
  for (const AttributeLink& link : result.model.attributes) {
    links.insert(
        fmt::format("{}={}", pair.left().attributes()[link.left], pair.right().attributes()[link.right]));
  }
  EXPECT_TRUE(links.contains("title=name"));
  EXPECT_TRUE(links.contains("price=cost"));
  EXPECT_FALSE(links.contains("price=name"));
}

/// learned() with the pairs (n, n) of some entities as known links.
Learned learned_with(const GraphPair& pair, const ValueMatcher& matcher, const std::vector<EntityId>& seeds) {
  ThreadPool pool(2);
  const auto left = all_of(pair.left()), right = all_of(pair.right());
  std::vector<Link> links;
  for (const EntityId entity : seeds) links.push_back({entity, entity});
  Learned out;
  out.pairs = matcher.candidates(left, right, pool);
  out.model = matcher.learn(left, right, out.pairs, known_chances(out.pairs, links), pool);
  out.scores = matcher.scores(out.model, left, right, out.pairs, pool);
  return out;
}

TEST(ValueMatcher, SeedsSayWhatIsRightAndWhatIsWrong) {
  SparseScores pairs;
  pairs.columns = 3;
  pairs.begin = {0, 2, 4, 5};
  pairs.column = {0, 1, 0, 2, 2};
  pairs.score.assign(5, 1);
  const std::vector<Link> links = {{0, 1}};
  EXPECT_EQ(known_chances(pairs, links), (std::vector<float>{0, 1, -1, -1, -1}));
  EXPECT_TRUE(known_chances(pairs, {}).empty());
}

TEST(ValueMatcher, SeedsDoNoHarm) {
  for (const std::uint64_t seed : {11U, 12U, 13U}) {
    const Products tables = products(400, 300, seed);
    const GraphPair pair(graph_of(tables.left), graph_of(tables.right));
    const ValueMatcher matcher(pair, {});
    std::vector<EntityId> seeds;
    for (EntityId n = 0; n < 30; ++n) seeds.push_back(10 * n);
    const double without = right_share(learned(pair, matcher, 2).scores, 300);
    EXPECT_GE(right_share(learned_with(pair, matcher, seeds).scores, 300), without - .01) << seed;
  }
}

std::uint32_t attribute_of(const KnowledgeGraph& graph, std::string_view name) {
  for (std::uint32_t a = 0; a < graph.attributes().size(); ++a) {
    if (graph.attributes()[a] == name) return a;
  }
  return kNone;
}

TEST(ValueMatcher, PinnedAttributesAreComparedAndForbiddenOnesNever) {
  const Products tables = products(400, 300, 14);
  const GraphPair pair(graph_of(tables.left), graph_of(tables.right));
  const AttributePair price = {attribute_of(pair.left(), "price"), attribute_of(pair.right(), "cost")};
  const AttributePair strange = {attribute_of(pair.left(), "colour"), attribute_of(pair.right(), "cost")};
  const ValueMatcher free(pair, {}), told(pair, {}, {.same = {strange}, .different = {price}});
  const auto has = [](const ValueModel& model, const AttributePair& attributes) {
    const auto of = [&](const auto& one) { return AttributePair(one.left, one.right) == attributes; };
    return std::pair(std::ranges::any_of(model.attributes, of),
                     std::ranges::any_of(model.features, of, &WeighedFeature::feature));
  };
  const ValueModel plain = learned(pair, free, 2).model, chosen = learned(pair, told, 2).model;
  EXPECT_EQ(has(plain, price), std::pair(true, true));
  EXPECT_EQ(has(plain, strange), std::pair(false, false));
  EXPECT_EQ(has(chosen, price), std::pair(false, false));
  EXPECT_EQ(has(chosen, strange), std::pair(true, true));
}

TEST(ValueMatcher, AProbabilitySaysHowFarAttributesAgree) {
  const Products tables = products(400, 300, 15);
  const GraphPair pair(graph_of(tables.left), graph_of(tables.right));
  const ValueModel model = learned(pair, ValueMatcher(pair, {}), 2).model;
  double code = 0, price = 0;
  for (const AttributeLink& link : model.attributes) {
    EXPECT_GE(link.probability, 0);
    EXPECT_LE(link.probability, 1);
    const auto left = pair.left().attributes()[link.left], right = pair.right().attributes()[link.right];
    if (left == "model" && right == "code") code = link.probability;
    if (left == "price" && right == "cost") price = link.probability;
  }
  EXPECT_GT(code, .9);
  EXPECT_GT(price, .8);
}

TEST(ValueMatcher, ReasonsShowBothValuesAndAddUpToTheScore) {
  const Products tables = products(400, 300, 2);
  const GraphPair pair(graph_of(tables.left), graph_of(tables.right));
  const ValueMatcher matcher(pair, {});
  const Learned result = learned(pair, matcher, 2);
  const ValueReasons reasons = matcher.reasons(result.model, 5, 5, 100);
  ASSERT_FALSE(reasons.in_favour.empty());
  const ValueReasons other = matcher.reasons(result.model, 5, 7, 100);
  ASSERT_FALSE(other.against.empty());
  double sum = result.model.intercept, highest = 0;
  for (const auto* list : {&reasons.in_favour, &reasons.against}) {
    for (const ValueReason& reason : *list) sum += reason.weight;
  }
  for (const double price : result.model.price) highest = std::max(highest, std::abs(price));
  EXPECT_NEAR(sum, matcher.score(result.model, 5, 5), highest + 1e-3);
  bool price_shown = false;
  for (const ValueReason& reason : reasons.in_favour) {
    if (reason.left_attribute == kAllValues) continue;
    EXPECT_NE(reason.left_value, kNone);
    price_shown = price_shown || pair.left().attributes()[reason.left_attribute] == "price";
  }
  EXPECT_TRUE(price_shown);
}

TEST(ValueMatcher, TheNumberOfThreadsChangesNothing) {
  const Products tables = products(300, 200, 3);
  const GraphPair pair(graph_of(tables.left), graph_of(tables.right));
  const ValueMatcher matcher(pair, {});
  const Learned one = learned(pair, matcher, 1);
  for (const std::size_t threads : {2U, 8U}) {
    const Learned other = learned(pair, matcher, threads);
    EXPECT_EQ(one.pairs.column, other.pairs.column);
    EXPECT_EQ(one.pairs.score, other.pairs.score);
    EXPECT_EQ(one.scores.score, other.scores.score);
  }
}

TEST(ValueMatcher, CandidatesAreTheNearestOfAllPairs) {
  const Products tables = products(120, 80, 4);
  const GraphPair pair(graph_of(tables.left), graph_of(tables.right));
  const ValueTable left(pair.left()), right(pair.right());
  const ValueTerms terms(left, right);
  ThreadPool pool(2);
  ValueOptions few;
  few.candidates = few.fewest = 5;
  few.looked_at = 1'000'000;
  const SparseScores found = value_candidates(terms, all_of(pair.left()), all_of(pair.right()), few, pool);
  // The naive twin: every product of every pair.
  for (EntityId a = 0; a < 120; ++a) {
    std::vector<double> naive;
    for (EntityId b = 0; b < 120; ++b) {
      naive.push_back(dot(terms.grams().entities[0][a], terms.grams().entities[1][b]) +
                      dot(terms.words().entities[0][a], terms.words().entities[1][b]));
    }
    std::vector<double> sorted = naive;
    std::ranges::sort(sorted, std::greater());
    for (EntityId b = 0; b < 120; ++b) {
      const std::size_t at = find_column(found, a, b);
      if (naive[b] > sorted[5] + 1e-4) {
        EXPECT_NE(at, SparseScores::kAbsent) << a << ' ' << b;
      }
      if (at != SparseScores::kAbsent) {
        EXPECT_NEAR(found.score[at], naive[b], 1e-4);
      }
    }
  }
}

TEST(ValueMatcher, IdentifiersOfEntitiesAreNoEvidence) {
  const Products tables = products(200, 150, 5);
  const GraphPair pair(graph_of(tables.left), graph_of(tables.right));
  GraphBuilder builder;
  builder.keep_literals(true);
  for (std::size_t n = 0; n < tables.right.size(); ++n) {
    const std::uint32_t entity = builder.entity(fmt::format("another-{}", 977 * n % 1009));
    for (const Cell& cell : tables.right[n])
      builder.literal(entity, cell.attribute, make_literal(cell.value, "", ""));
  }
  const GraphPair renamed(graph_of(tables.left), std::move(builder).build(std::nullopt));
  const ValueMatcher matcher(pair, {}), other(renamed, {});
  EXPECT_EQ(learned(pair, matcher, 1).scores.score, learned(renamed, other, 1).scores.score);
}

TEST(ValueMatcher, HostileValuesDoNoHarm) {
  Products tables = products(400, 300, 6);
  for (Table* const side : {&tables.left, &tables.right}) {
    Random random(side == &tables.left ? 7 : 8);
    for (std::size_t n = 0; n < side->size(); ++n) {
      auto& row = (*side)[n];
      row.push_back({"source", "the same for all"});
      row.push_back({"noise", word(random) + word(random)});
      const std::vector<std::string> odd = {"1e999", "NaN",  "0000-00-00", "+99999-01-01",
                                            "",      "true", "12.5",       "\xFF"};
      row.push_back({"mixed", odd[n % odd.size()]});
    }
    (*side)[3].push_back({"text", std::string(3'000'000, 'x')});
    for (std::size_t n = 0; n < 20'000; ++n) (*side)[4].push_back({"many", fmt::format("value {}", n)});
  }
  const GraphPair pair(graph_of(tables.left), graph_of(tables.right));
  const ValueMatcher matcher(pair, {});
  EXPECT_GT(right_share(learned(pair, matcher, 2).scores, 300), .93);
}

TEST(ValueMatcher, AMillionValuesOnOneEntityAreNoBurden) {
  Products tables = products(200, 150, 16);
  for (Table* const side : {&tables.left, &tables.right}) {
    for (std::size_t n = 0; n < 1'000'000; ++n) {
      (*side)[4].push_back({fmt::format("a{}", n % 100), std::to_string(n)});
    }
  }
  const GraphPair pair(graph_of(tables.left), graph_of(tables.right));
  const ValueMatcher matcher(pair, {});
  EXPECT_GT(right_share(learned(pair, matcher, 2).scores, 150), .9);
}

TEST(ValueMatcher, AColumnOfNoiseOrOfOneValueIsNoEvidence) {
  for (const bool noise : {true, false}) {
    Products tables = products(400, 300, 17);
    for (Table* const side : {&tables.left, &tables.right}) {
      Random random(side == &tables.left ? 18 : 19);
      for (auto& row : *side)
        row.push_back({"extra", noise ? word(random) + word(random) : "the same for all"});
    }
    const GraphPair pair(graph_of(tables.left), graph_of(tables.right));
    const Learned result = learned(pair, ValueMatcher(pair, {}), 2);
    EXPECT_GT(right_share(result.scores, 300), .95);
    for (const AttributeLink& link : result.model.attributes) {
      EXPECT_NE(pair.left().attributes()[link.left], "extra");
      EXPECT_NE(pair.right().attributes()[link.right], "extra");
    }
  }
}

TEST(ValueFeatures, CodesAreComparedWithoutTheirPunctuation) {
  const std::uint8_t same = edit_level("12345", "12345");
  EXPECT_EQ(edit_level("415/399-0499", "415-399-0499"), same);        // a phone number
  EXPECT_EQ(edit_level("978-3-16-148410-0", "9783161484100"), same);  // an ISBN
  EXPECT_EQ(edit_level("KX-4831b", "kx4831B"), same);                 // a model number
  EXPECT_LT(edit_level("KX-4831B", "KX-4832B"), same);
  EXPECT_GT(edit_level("KX-4831B", "KX-4832B"), edit_level("KX-4831B", "ZZ-9999A"));
}

TEST(ValueMatcher, NothingToCompareIsNoCrash) {
  const Table none = {{}, {}}, some = {{{"a", "x"}}, {{"a", "y"}}};
  for (const auto& [left, right] : {std::pair(none, none), std::pair(none, some), std::pair(some, some)}) {
    const GraphPair pair(graph_of(left), graph_of(right));
    const ValueMatcher matcher(pair, {});
    const Learned result = learned(pair, matcher, 1);
    for (const float score : result.scores.score) EXPECT_TRUE(std::isfinite(score));
  }
}

TEST(ValueTable, RowsAreCompactTypedAndDistinct) {
  const GraphPair pair(graph_of({{{"year", "1999"}, {"year", "1999"}, {"title", "A B"}},
                                 {{"year", "2001"}, {"title", "A B"}, {"price", "12,50"}}}),
                       graph_of({{{"x", "y"}}}));
  const ValueTable table(pair.left());
  EXPECT_EQ(table.count(0), 2U);
  EXPECT_EQ(table.count(1), 3U);
  EXPECT_EQ(pair.left().literal_values().size(), 4U);  // "A B" is stored once
  const auto kind = [&](std::string_view attribute) {
    for (std::uint32_t a = 0; a < table.attribute_count(); ++a) {
      if (table.attribute(a) == attribute) return table.summary(a).kind;
    }
    return ValueKind::text;
  };
  EXPECT_EQ(kind("year"), ValueKind::date);
  EXPECT_EQ(kind("price"), ValueKind::number);
  EXPECT_EQ(kind("title"), ValueKind::text);
}

TEST(ValueTable, AValueTakesAtMost24BytesBeyondItsText) {
  Table rows(20'000);
  for (std::size_t n = 0; n < rows.size(); ++n) {
    for (std::size_t a = 0; a < 10; ++a)
      rows[n].push_back({fmt::format("a{}", a), fmt::format("value {} {}", n, a)});
  }
  const KnowledgeGraph graph = graph_of(rows);
  const ValueTable table(graph);
  std::size_t text = 0;
  for (std::size_t v = 0; v < graph.literal_values().size(); ++v) text += graph.literal_values()[v].size();
  const std::size_t all =
      graph.literals().size_bytes() + graph.literal_values().memory_bytes() - text + table.row_memory_bytes();
  EXPECT_LE(static_cast<double>(all) / 200'000, 24.81);  // and where each entity's row begins
}

TEST(Decoys, RisingValuesStayAndFallingOnesArePooled) {
  const std::vector<double> values = {1, 3, 2, 4}, weights = {1, 1, 1, 1};
  EXPECT_EQ(isotonic(values, weights), (std::vector<double>{1, 2.5, 2.5, 4}));
}

TEST(Decoys, TheShareWithoutCounterpartIsSeen) {
  Random random(9);
  SparseBuilder scores(1000, 1200);
  const auto wrong = [&] { return static_cast<float>(random.uniform() * 4 - 4); };
  for (std::size_t row = 0; row < 1000; ++row) {
    std::set<std::size_t> columns;
    while (columns.size() < 10) columns.insert(random.below(1200));
    if (row < 600) columns.insert(row);
    for (const std::size_t column : columns) {
      scores.add(row, column,
                 row < 600 && column == row ? 4 + static_cast<float>(random.uniform()) : wrong());
    }
  }
  const SparseScores all = scores.build();
  const std::vector<std::uint8_t> group(all.size(), 0);
  const auto estimates = estimate_by_decoys(all, group, 1, {});
  EXPECT_NEAR(estimates[0].share, .4, .08);
  EXPECT_GT(estimates[0].price, -1);
  EXPECT_LT(estimates[0].price, 4.2);
}

TEST(SoftLogistic, FindsTheWeightsThatMadeTheOutcomes) {
  Random random(10);
  SoftExamples examples;
  examples.width = 2;
  for (std::size_t n = 0; n < 5000; ++n) {
    const double a = random.uniform() * 4 - 2, b = random.uniform() * 4 - 2;
    examples.inputs.insert(examples.inputs.end(), {static_cast<float>(a), static_cast<float>(b)});
    examples.target.push_back(static_cast<float>(1 / (1 + std::exp(-(2 * a - b + .5)))));
    examples.weight.push_back(1);
  }
  const std::vector<double> solution = fit_soft_logistic(examples, 1e-6);
  EXPECT_NEAR(solution[0], 2, 1e-3);
  EXPECT_NEAR(solution[1], -1, 1e-3);
  EXPECT_NEAR(solution[2], .5, 1e-3);
}

}  // namespace
}  // namespace dovetail::test
