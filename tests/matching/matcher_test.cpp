#include "matching/matcher.h"

#include <dovetail/errors.h>

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <vector>

#include "common/random.h"
#include "kernels/scores.h"

namespace dovetail {
namespace {

constexpr std::size_t kColumns = 96;

/// Left row i and right row i resemble each other; there are more right rows than left ones.
MatchVectors random_vectors(std::size_t left, std::size_t right, std::uint64_t seed,
                            std::size_t columns = kColumns) {
  Random random(seed);
  MatchVectors vectors(left, right, columns);
  std::vector<std::vector<float>> common(std::max(left, right), std::vector<float>(columns));
  for (auto& row : common) {
    for (float& value : row) value = static_cast<float>(random.uniform() - 0.5);
  }
  const auto put = [&](std::size_t i, Bfloat16* out) {
    for (int half = 0; half < 2; ++half) {
      std::vector<Bfloat16> row;
      for (const float value : common[i]) {
        row.push_back(to_bfloat16(value + 1.5F * static_cast<float>(random.uniform() - 0.5)));
      }
      put_normalised(row.data(), columns, columns, 0, out + static_cast<std::size_t>(half) * columns);
    }
  };
  for (std::size_t i = 0; i < left; ++i) put(i, vectors.left.row(i));
  for (std::size_t i = 0; i < right; ++i) put(i, vectors.right.row(i));
  return vectors;
}

/// Everything at once, the plain way.
struct BruteForce {
  std::vector<std::vector<double>> csls;  // [left][right]

  BruteForce(const MatchVectors& v, std::size_t neighbours) {
    const std::size_t n = v.left.rows(), m = v.right.rows();
    std::vector<std::vector<double>> s(n, std::vector<double>(m));
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < m; ++j) s[i][j] = dot_rows(v.left.row(i), v.right.row(j), v.left.columns());
    }
    const auto mean = [&](std::vector<double> values) {
      if (neighbours == 0) return 0.0;
      std::ranges::sort(values, std::greater());
      double sum = 0;
      for (std::size_t k = 0; k < neighbours; ++k) sum += values[k];
      return sum / static_cast<double>(neighbours);
    };
    csls = s;
    for (std::size_t j = 0; j < m; ++j) {
      std::vector<double> column(n);
      for (std::size_t i = 0; i < n; ++i) column[i] = s[i][j];
      for (std::size_t i = 0; i < n; ++i) csls[i][j] = (neighbours > 0 ? 2 : 1) * s[i][j] - mean(column);
    }
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < m; ++j) csls[i][j] -= mean(s[i]);
    }
  }
};

std::vector<std::pair<std::uint32_t, std::uint32_t>> diagonal(std::uint32_t count) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (std::uint32_t i = 0; i < count; ++i) pairs.emplace_back(i, i);
  return pairs;
}

TEST(Matcher, ExactSearchEqualsBruteForce) {
  const MatchVectors vectors = random_vectors(70, 90, 1);
  ThreadPool pool(2);
  for (const std::size_t neighbours : {0, 10}) {
    const BruteForce brute(vectors, neighbours);
    // Few candidates: the ranks of the others come from comparing with everything.
    for (const std::size_t candidates : {90, 12}) {
      const MatchingOptions options{
          .search = Search::exact, .candidates = candidates, .csls_neighbours = neighbours};
      const Found found = search(vectors, options, pool);
      const SparseScores scores = csls_scores(found, options);
      for (std::size_t i = 0; i < 70; ++i) {
        const std::vector<Scored> list = ranked_row(scores, i);
        ASSERT_GE(list.size(), candidates);
        for (std::size_t k = 0; k < list.size(); ++k) {
          EXPECT_NEAR(list[k].score, brute.csls[i][list[k].number], 1e-5);
          EXPECT_GE(list[k == 0 ? 0 : k - 1].score, list[k].score);
        }
      }
      const auto pairs = diagonal(70);
      const PairRanks ranks = rank_pairs(scores, found.left_mean, found.right_mean, vectors, pairs, pool);
      for (std::size_t i = 0; i < 70; ++i) {
        std::uint32_t left = 1, right = 1;
        for (std::size_t j = 0; j < 90; ++j) left += j != i && brute.csls[i][j] >= brute.csls[i][i] ? 1 : 0;
        for (std::size_t j = 0; j < 70; ++j) right += j != i && brute.csls[j][i] >= brute.csls[i][i] ? 1 : 0;
        // Behind all candidates, even those found from the other side that are worse.
        if (rank_in_row(scores, i, static_cast<std::uint32_t>(i)) > 0) {
          EXPECT_EQ(ranks.left_to_right[i], left);
          EXPECT_EQ(ranks.right_to_left[i], right);
        } else {
          EXPECT_GE(ranks.left_to_right[i], left);
          EXPECT_GT(ranks.left_to_right[i], candidates);
        }
      }
    }
  }
}

TEST(Matcher, FourBitSearchFindsTheSameBest) {
  const MatchVectors vectors = random_vectors(300, 320, 2, 1600);
  ThreadPool pool(1);
  const auto best = [&](Search method, std::size_t fold) {
    const MatchingOptions options{.search = method, .fold = fold, .candidates = 20, .clip = 0};
    const SparseScores scores = csls_scores(search(vectors, options, pool), options);
    std::vector<std::uint32_t> numbers;
    for (std::size_t i = 0; i < 300; ++i) numbers.push_back(ranked_row(scores, i)[0].number);
    return numbers;
  };
  const std::vector<std::uint32_t> exact = best(Search::exact, 1);
  for (const std::size_t fold : {1, 2, 4}) {
    const std::vector<std::uint32_t> fast = best(Search::four_bit, fold);
    std::size_t same = 0;
    for (std::size_t i = 0; i < 300; ++i) same += exact[i] == fast[i] ? 1 : 0;
    EXPECT_GE(same, 297U) << "fold " << fold;
  }
}

TEST(Matcher, TiesCountAgainstUs) {
  MatchVectors vectors(2, 2, kColumns);  // all the same vector
  std::vector<Bfloat16> row(kColumns, to_bfloat16(1));
  for (std::size_t i = 0; i < 2; ++i) {
    for (Matrix<Bfloat16>* side : {&vectors.left, &vectors.right}) {
      put_normalised(row.data(), kColumns, kColumns, 0, side->row(i));
      put_normalised(row.data(), kColumns, kColumns, 0, side->row(i) + kColumns);
    }
  }
  ThreadPool pool(1);
  for (const Search method : {Search::exact, Search::four_bit}) {
    const MatchingOptions options{.search = method};
    const Found found = search(vectors, options, pool);
    const auto pairs = diagonal(2);
    const PairRanks ranks =
        rank_pairs(csls_scores(found, options), found.left_mean, found.right_mean, vectors, pairs, pool);
    EXPECT_EQ(ranks.left_to_right, (std::vector<std::uint32_t>{2, 2}));
    EXPECT_EQ(ranks.right_to_left, (std::vector<std::uint32_t>{2, 2}));
  }
}

TEST(Matcher, ScoresThatAreNotNumbersAreRefused) {
  MatchVectors vectors = random_vectors(5, 5, 3);
  vectors.left.row(2)[7] = to_bfloat16(NAN);
  ThreadPool pool(1);
  EXPECT_THROW((void)search(vectors, {.search = Search::exact}, pool), Error);
  EXPECT_THROW((void)search(vectors, {.search = Search::four_bit}, pool), Error);
}

TEST(SparseScores, RanksAmongTheCandidates) {
  const SparseScores scores{{{0, 2, 2, 5}}, 4, {1, 3, 0, 1, 3}, {1, 2, 4, 4, 5}};
  EXPECT_EQ(rank_in_row(scores, 2, 3), 1U);
  EXPECT_EQ(rank_in_row(scores, 2, 1), 3U);  // its equal counts as better
  EXPECT_EQ(rank_in_row(scores, 1, 1), 0U);
  EXPECT_EQ(find_column(scores, 0, 3), 1U);
  EXPECT_EQ(find_column(scores, 0, 2), SparseScores::kAbsent);
  EXPECT_EQ(ranked_row(scores, 2)[1].number, 0U);
}

TEST(Matcher, ClippedVectorsHaveLengthOne) {
  std::vector<Bfloat16> row(kColumns, to_bfloat16(0.1F)), out(kColumns);
  row[0] = to_bfloat16(5);
  put_normalised(row.data(), kColumns, kColumns, 1.5, out.data());
  EXPECT_NEAR(dot_rows(out.data(), out.data(), kColumns), 1, 0.01);
  EXPECT_LT(to_real(out[0]), 10 * to_real(out[1]));
}

}  // namespace
}  // namespace dovetail
