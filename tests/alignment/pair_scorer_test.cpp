#include "alignment/pair_scorer.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include "alignment/ranking.h"
#include "alignment/score_scales.h"
#include "encoder/tiny_pair.h"

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

TEST(PairScorer, MutualBestIsTheBestOfBoth) {
  // Row 0 and column 1 want each other; row 1 wants column 1 too; column 0 wants row 1, which does not.
  const SparseScores scores = scores_of(3, {{{0, 0.1F}, {1, 0.9F}}, {{0, 0.5F}, {1, 0.8F}}, {}, {{2, 0.1F}}});
  EXPECT_EQ(mutual_best(scores), (std::vector<Decision>{{0, 1, 0.9F}, {3, 2, 0.1F}}));
}

TEST(PairScorer, AddedPairsAreScoredAndOldOnesStay) {
  ThreadPool pool(2);
  Found found = with_means(scores_of(4, {{{1, 0.5F}}, {{0, 0.25F}, {3, 0.75F}}}), 1);
  const SparseScores more = scores_of(4, {{{0, 9}, {1, 9}, {2, 9}}, {}});
  add_pairs(found, more, pool,
            [](std::size_t left, std::size_t right) { return static_cast<float>(10 * left + right); });
  EXPECT_EQ(found.similarity.column, (std::vector<std::uint32_t>{0, 1, 2, 0, 3}));
  EXPECT_EQ(found.similarity.score, (std::vector<float>{0, 0.5F, 2, 0.25F, 0.75F}));
  EXPECT_EQ(found.left_mean, (std::vector<float>{0.5F, 0.75F}));  // of the nearest before
}

TEST(PairScorer, NamesJoinStructureInTheirOwnUnits) {
  const GraphPair pair = tiny_pair(12, 3, 40, 1);
  AlignOptions options;
  options.encoder.dimension = 8;
  options.matching.candidates = 3;
  options.matching.csls_neighbours = 0;
  ThreadPool pool(1);
  const NameSimilarity names(pair, options.names, pool);
  Pools pools;
  for (EntityId entity = 0; entity < 12; ++entity) {
    pools.left.push_back(entity);
    pools.right.push_back(entity);
  }
  Workbench bench(pair, options);
  const Initialisation start{7, {}};
  const MatchVectors vectors = bench.vectors(
      start_parameters<float>(bench.layout(), bench.order(), start, bench.pool()), start, pools);
  const PairScorer scorer(pools, &names, options, pool);
  const PairScores scores = scorer.score(vectors);
  ASSERT_EQ(scores.structure.similarity.column, scores.names->similarity.column);
  ASSERT_GT(scores.combined.size(), 12U * 3);
  for (std::size_t row = 0; row < 12; ++row) {
    for (std::uint64_t n = scores.combined.begin[row]; n < scores.combined.begin[row + 1]; ++n) {
      const std::uint32_t column = scores.combined.column[n];
      EXPECT_EQ(scores.names->similarity.score[n], names.score(pools.left[row], pools.right[column]));
      EXPECT_NEAR(scores.combined.score[n],
                  scores.structure.similarity.score[n] / options.deciding.structure_scale +
                      scores.names->similarity.score[n] / options.deciding.name_scale,
                  1e-4);
    }
  }
  // The names of counterparts are the same, so names alone are sure of all of them.
  const std::vector<Decision> sure = scorer.sure_pairs(scorer.score_names(), 0.5);
  EXPECT_GT(sure.size(), 6U);
  for (const Decision& pair_found : sure) EXPECT_EQ(pair_found.row, pair_found.column);
}

/// Rows whose wanted column is drawn with probability proportional to exp(s / a + n / b).
TEST(ScoreScales, FindsTheScalesThatDrewTheData) {
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
  const ScoreScales scales = fit_scales(structure, names, wanted);
  EXPECT_NEAR(scales.structure, 0.2, 0.02);
  EXPECT_NEAR(scales.names, 0.1, 0.01);
}

TEST(Ranking, AssignmentPutsItsChoiceFirstInRowsAndColumns) {
  // Both rows prefer column 0; the largest total gives it to row 1.
  PairScores scores;
  scores.combined = scores_of(2, {{{0, 0.9F}, {1, 0.8F}}, {{0, 0.7F}, {1, 0.1F}}});
  scores.structure.similarity = scores.combined;
  const SparseScores greedy = decode(scores, {}, Decoder::greedy);
  EXPECT_EQ(greedy.score, scores.combined.score);
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
