#include "signals/signals.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <memory>
#include <set>

#include "alignment/ranking.h"
#include "deciding/belief_loop.h"
#include "deciding/decode.h"
#include "deciding/unit_fit.h"
#include "encoder/tiny_pair.h"
#include "literal/name_search.h"
#include "signals/list.h"

namespace dovetail {
namespace {

SparseScores scores_of(std::size_t columns, const std::vector<std::vector<Scored>>& rows) {
  SparseScores scores;
  scores.columns = columns;
  for (const auto& row : rows) {
    for (const Scored& item : row) {
      scores.column.push_back(item.number);
      scores.score.push_back(item.score);
    }
    scores.begin.push_back(scores.column.size());
  }
  return scores;
}

TEST(BestPairs, MutualBestIsTheBestOfBoth) {
  // Row 0 and column 1 want each other; row 1 wants column 1 too; column 0 wants row 1, which does not.
  const SparseScores scores = scores_of(3, {{{0, 0.1F}, {1, 0.9F}}, {{0, 0.5F}, {1, 0.8F}}, {}, {{2, 0.1F}}});
  EXPECT_EQ(mutual_best(scores), (std::vector<Decision>{{0, 1, 0.9F}, {3, 2, 0.1F}}));
}

/// A signal that proposes what it is told to, and scores every pair by its place.
class Told : public Signal {
 public:
  Told(std::string_view name, SparseScores proposed) : name_(name), proposed_(std::move(proposed)) {}
  [[nodiscard]] std::string_view name() const override { return name_; }
  [[nodiscard]] std::optional<Found> propose(const SparseScores* /*believed*/) const override {
    return Found{.similarity = proposed_, .left_mean = {}, .right_mean = {}};
  }
  [[nodiscard]] float score(std::size_t row, std::size_t column) const override {
    return static_cast<float>(10 * row + column);
  }
  void weigh(std::span<float> corrected) const override {
    for (float& score : corrected) score *= 2;
  }
  [[nodiscard]] double temperature() const override { return 0.25; }
  [[nodiscard]] std::size_t iterations() const override { return 7; }

 private:
  std::string_view name_;
  SparseScores proposed_;
};

/// One whose scores come from beliefs: it proposes one pair more.
class Gathering : public Told {
 public:
  using Told::Told;
  [[nodiscard]] std::optional<Found> propose(const SparseScores* /*believed*/) const override {
    return std::nullopt;
  }
  [[nodiscard]] std::optional<SparseScores> gather(const SparseScores& pairs,
                                                   std::size_t proposals) const override {
    SparseScores all = proposals == 0 ? pairs : united(pairs, scores_of(4, {{{3, 0}}, {}}));
    std::ranges::fill(all.score, 0.5F);
    return all;
  }
};

Signals signals_of(const Pools& pools, ThreadPool& pool, std::vector<std::unique_ptr<Signal>> list) {
  return {std::move(list), pools, 1, pool};
}

const Pools kPools{.left = {0, 1}, .right = {0, 1, 2, 3}};

TEST(Signals, PairsOfAllAreScoredByAll) {
  ThreadPool pool(2);
  std::vector<std::unique_ptr<Signal>> list;
  list.push_back(std::make_unique<Told>("a", scores_of(4, {{{1, 0.5F}}, {{0, 0.25F}, {3, 0.75F}}})));
  list.push_back(std::make_unique<Told>("b", scores_of(4, {{{0, 9}, {1, 9}}, {}})));
  const Signals signals = signals_of(kPools, pool, std::move(list));
  const PairScores scores = signals.find();
  EXPECT_EQ(scores.combined.column, (std::vector<std::uint32_t>{0, 1, 0, 3}));
  EXPECT_EQ(scores.by_signal[0].score, (std::vector<float>{0, 0.5F, 0.25F, 0.75F}));
  EXPECT_EQ(scores.by_signal[1].score, (std::vector<float>{9, 9, 10, 13}));
  EXPECT_EQ(scores.combined.score, (std::vector<float>{18, 19, 20.5F, 27.5F}));  // each weighs twice
  EXPECT_EQ(scores.temperature, 1);
  EXPECT_EQ(scores.iterations, 7U);
}

TEST(Signals, OneAloneKeepsItsUnit) {
  ThreadPool pool(1);
  std::vector<std::unique_ptr<Signal>> list;
  list.push_back(std::make_unique<Told>("a", scores_of(4, {{{1, 0.5F}}, {}})));
  const PairScores scores = signals_of(kPools, pool, std::move(list)).find();
  EXPECT_EQ(scores.combined.score, (std::vector<float>{0.5F}));
  EXPECT_EQ(scores.temperature, 0.25);
}

TEST(Signals, GatheredScoresReplaceOldOnesAndAddPairs) {
  ThreadPool pool(1);
  std::vector<std::unique_ptr<Signal>> list;
  list.push_back(std::make_unique<Told>("a", scores_of(4, {{{1, 0.5F}}, {}})));
  list.push_back(std::make_unique<Gathering>("g", SparseScores()));
  const Signals signals = signals_of(kPools, pool, std::move(list));
  PairScores scores = signals.find();
  EXPECT_EQ(scores.by_signal.size(), 1U);
  for (const std::size_t proposals : {0U, 5U, 0U}) signals.gather(scores, proposals);
  signals.combine(scores);
  ASSERT_EQ(scores.by_signal.size(), 2U);
  EXPECT_EQ(scores.combined.column, (std::vector<std::uint32_t>{1, 3}));
  EXPECT_EQ(scores.by_signal[0].score, (std::vector<float>{0.5F, 3}));
  EXPECT_EQ(scores.combined.score, (std::vector<float>{2, 7}));
}

TEST(Signals, PairsKnownToBeApartAreNoCandidates) {
  ThreadPool pool(1);
  const Pools pools{.left = {4, 5}, .right = {6, 7, 8, 9}, .apart = {{4, 7}, {5, 9}}};
  std::vector<std::unique_ptr<Signal>> list;
  list.push_back(std::make_unique<Told>("a", scores_of(4, {{{1, 1}, {2, 1}}, {{3, 1}}})));
  EXPECT_EQ(signals_of(pools, pool, std::move(list)).find().combined.column, (std::vector<std::uint32_t>{2}));
}

TEST(Signals, NamesJoinStructureInTheirOwnUnits) {
  const GraphPair pair = tiny_pair(12, 3, 40, 1);
  AlignOptions options;
  options.mode = Mode::names;
  options.semi.strategy = Strategy::restart;
  options.encoder.dimension = 8;
  options.matching.candidates = 3;
  options.matching.csls_neighbours = 0;
  ThreadPool pool(1);
  Observer quiet;
  const SignalSources sources = make_signals(pair, {}, options, {}, pool, quiet);
  EXPECT_TRUE(sources.identify());
  Pools pools;
  for (EntityId entity = 0; entity < 12; ++entity) {
    pools.left.push_back(entity);
    pools.right.push_back(entity);
  }
  Workbench bench(pair, options);
  const Initialisation start{7, {}};
  const MatchVectors vectors = bench.vectors(
      start_parameters<float>(bench.layout(), bench.order(), start, bench.pool()), start, pools);
  Signals signals = sources.in(pools, options, pool);
  // The names of counterparts are the same, so names alone are sure of all of them.
  const PairScores by_names = signals.find();
  ASSERT_EQ(by_names.by_signal.size(), 1U);
  EXPECT_EQ(by_names.by_signal[0].name, "names");
  std::vector<Decision> sure = mutual_best(probabilities_of(by_names, pool).pairs);
  std::erase_if(sure, [](const Decision& found) { return found.score < 0.5; });
  EXPECT_GT(sure.size(), 6U);
  for (const Decision& found : sure) EXPECT_EQ(found.row, found.column);

  signals.take_vectors(&vectors);
  const PairScores scores = signals.find();
  ASSERT_EQ(scores.by_signal.size(), 2U);
  EXPECT_EQ(scores.by_signal[0].name, "structure");
  const NameSimilarity names(pair, options.names, pool);
  ASSERT_GT(scores.combined.size(), 12U * 3);
  for (std::size_t row = 0; row < 12; ++row) {
    for (std::uint64_t n = scores.combined.begin[row]; n < scores.combined.begin[row + 1]; ++n) {
      const std::uint32_t column = scores.combined.column[n];
      EXPECT_EQ(scores.by_signal[1].score[n], names.score(pools.left[row], pools.right[column]));
      EXPECT_NEAR(scores.combined.score[n],
                  scores.by_signal[0].score[n] / options.deciding.structure_scale +
                      scores.by_signal[1].score[n] / options.deciding.name_scale,
                  1e-4);
    }
  }
}

TEST(Signals, TheListHasEachNameOnceAndWhatTheModeUses) {
  AlignOptions options;
  options.mode = Mode::semi;
  std::set<std::string_view> names, used;
  for (const SignalKind& kind : signal_kinds()) {
    EXPECT_TRUE(names.insert(kind.name).second);
    if (kind.used(options)) used.insert(kind.name);
  }
  EXPECT_EQ(used, (std::set<std::string_view>{"structure", "rules"}));
}

/// Rows whose wanted column is drawn with probability proportional to exp(s / a + n / b).
TEST(UnitFit, FindsTheUnitsThatDrewTheData) {
  Random random(5);
  SparseScores structure, names;
  structure.columns = names.columns = 20;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> wanted;
  for (std::uint32_t row = 0; row < 4000; ++row) {
    std::vector<double> chance;
    for (std::uint32_t column = 0; column < 20; ++column) {
      const double s = random.uniform(), n = random.uniform();
      for (SparseScores* scores : {&structure, &names}) scores->column.push_back(column);
      structure.score.push_back(static_cast<float>(s));
      names.score.push_back(static_cast<float>(n));
      chance.push_back((chance.empty() ? 0 : chance.back()) + std::exp(s / 0.2 + n / 0.1));
    }
    for (SparseScores* scores : {&structure, &names}) scores->begin.push_back(scores->column.size());
    const double at = random.uniform() * chance.back();
    wanted.emplace_back(row,
                        static_cast<std::uint32_t>(std::ranges::upper_bound(chance, at) - chance.begin()));
  }
  const std::vector<std::vector<float>> scores{structure.score, names.score};
  const std::vector<double> units = fit_units(structure, scores, wanted);
  EXPECT_NEAR(units[0], 0.2, 0.02);
  EXPECT_NEAR(units[1], 0.1, 0.01);
}

TEST(Ranking, AssignmentPutsItsChoiceFirstInRowsAndColumns) {
  // Both rows prefer column 0; the largest total gives it to row 1.
  PairScores scores;
  scores.combined = scores_of(2, {{{0, 0.9F}, {1, 0.8F}}, {{0, 0.7F}, {1, 0.1F}}});
  const Told one("a", {});
  scores.by_signal.push_back({.name = "a", .signal = &one, .score = {0.4F, 0.3F, 0.2F, 0.1F}});
  EXPECT_EQ(decode(scores, {}, Decoder::greedy).score, scores.by_signal[0].score);
  EXPECT_EQ(decode(scores, {}, Decoder::csls).score, scores.combined.score);
  const SparseScores assigned = decode(scores, {}, Decoder::assignment);
  EXPECT_EQ(ranked_row(assigned, 0)[0].number, 1U);
  EXPECT_EQ(ranked_row(assigned, 1)[0].number, 0U);
  EXPECT_EQ(ranked_row(transposed(assigned), 0)[0].number, 1U);
  const SparseScores stable = decode(scores, {}, Decoder::stable);
  EXPECT_EQ(ranked_row(stable, 0)[0].number, 0U);  // row 0 and column 0 would run away together
  EXPECT_EQ(ranked_row(stable, 1)[0].number, 1U);
}

TEST(Strategy, JudgesWhatIsKnown) {
  const std::vector<Link> found{{0, 0}, {1, 2}, {5, 5}}, gold{{0, 0}, {1, 1}, {3, 3}};
  Turn turn;
  judge(found, gold, turn);
  EXPECT_EQ(turn.right, 1U);
  EXPECT_EQ(turn.judged, 2U);
}

TEST(Workbench, SimilaritiesAreCosinesOfTheOutput) {
  const GraphPair pair = tiny_pair(12, 3, 40, 2);
  AlignOptions options;
  options.encoder.dimension = 8;
  Workbench bench(pair, options);
  // With every end tied the two graphs differ in a few triples only.
  const std::vector<Link> links = identity_links(12);
  const Parameters<float> parameters =
      start_parameters<float>(bench.layout(), bench.order(), {3, bench.nodes(links)}, bench.pool());
  for (const float similarity : bench.similarities(parameters, links)) {
    EXPECT_LE(similarity, 1.01F);
    EXPECT_GT(similarity, 0.3F);
  }
  const std::vector<Link> same{{2, 2}, {2, 2}}, crossed{{2, 5}, {5, 2}};
  const std::vector<float> twice = bench.similarities(parameters, same);
  EXPECT_EQ(twice[0], twice[1]);
  EXPECT_LT(bench.similarities(parameters, crossed)[0], twice[0]);
}

}  // namespace
}  // namespace dovetail
