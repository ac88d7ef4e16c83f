#include <dovetail/calibration.h>
#include <dovetail/errors.h>

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <utility>
#include <vector>

#include "common/random.h"

namespace dovetail {
namespace {

TEST(Calibration, CountsByBin) {
  const std::vector<double> confidence = {0.0, 0.05, 0.1, 0.95, 0.99, 1.0};
  const std::vector<std::uint8_t> right = {0, 1, 0, 1, 1, 0};
  const Calibration found = calibration(confidence, right);
  EXPECT_EQ(found.count, 6U);
  EXPECT_EQ(found.bins[0].count, 2U);
  EXPECT_EQ(found.bins[1].count, 1U);
  EXPECT_EQ(found.bins[9].count, 3U);
  EXPECT_DOUBLE_EQ(found.bins[0].confidence, 0.025);
  EXPECT_DOUBLE_EQ(found.bins[0].right, 0.5);
  EXPECT_DOUBLE_EQ(found.bins[9].right, 2.0 / 3);
  EXPECT_NEAR(found.expected_error, (2 * 0.475 + 1 * 0.1 + 3 * (0.98 - 2.0 / 3)) / 6, 1e-12);
}

TEST(Calibration, ErrorIsNearZeroForTrueChancesAndLargeForFalseOnes) {
  Random random(1);
  std::vector<double> chance, boasting;
  std::vector<std::uint8_t> right;
  for (std::size_t i = 0; i < 20000; ++i) {
    chance.push_back(random.uniform());
    boasting.push_back(std::sqrt(chance.back()));
    right.push_back(random.uniform() < chance.back() ? 1 : 0);
  }
  EXPECT_LT(calibration(chance, right).expected_error, 0.015);
  EXPECT_NEAR(calibration(boasting, right).expected_error, 2.0 / 3 - 0.5, 0.015);  // means of sqrt(x) and x
}

/// By hand: sort, cut into ten parts, compare means. For confidences that all differ.
double naive_error(std::vector<std::pair<double, int>> links) {
  std::ranges::sort(links);
  double sum = 0;
  for (std::size_t bin = 0; bin < 10; ++bin) {
    double confidence = 0, right = 0;
    for (std::size_t n = 0; n < links.size(); ++n) {
      if (n * 10 / links.size() != bin) continue;
      confidence += links[n].first;
      right += links[n].second;
    }
    sum += std::abs(confidence - right);
  }
  return sum / static_cast<double>(links.size());
}

TEST(Calibration, BinsOfEqualCountAreThoseOfACutByHand) {
  Random random(7);
  for (const std::size_t count : {1U, 7U, 10U, 64U, 1003U}) {
    std::vector<double> confidence;
    std::vector<std::uint8_t> right;
    std::vector<std::pair<double, int>> links;
    for (std::size_t i = 0; i < count; ++i) {
      confidence.push_back(random.uniform());
      right.push_back(random.uniform() < confidence.back() * confidence.back() ? 1 : 0);
      links.emplace_back(confidence.back(), right.back());
    }
    const Calibration found = calibration(confidence, right, Bins::equal_count);
    EXPECT_NEAR(found.expected_error, naive_error(links), 1e-12) << count;
    for (const Calibration::Bin& bin : found.bins) {
      EXPECT_GE(bin.count, count / 10) << count;
      EXPECT_LE(bin.count, (count + 9) / 10) << count;
    }
  }
}

TEST(Calibration, EqualConfidencesShareWhatIsRightInWhateverOrder) {
  // Four in five of all are right, and all say so: no bin may look worse than another.
  std::vector<double> confidence(100, 0.8);
  std::vector<std::uint8_t> right(100, 1);
  std::fill(right.begin(), right.begin() + 20, std::uint8_t{0});
  EXPECT_NEAR(calibration(confidence, right, Bins::equal_count).expected_error, 0, 1e-12);
  EXPECT_NEAR(calibration(confidence, right, Bins::equal_count).right, 0.8, 1e-12);
  std::fill(confidence.begin(), confidence.end(), 1.0);
  EXPECT_NEAR(calibration(confidence, right, Bins::equal_count).expected_error, 0.2, 1e-12);
}

TEST(Calibration, CoverageIsTheLargestShareWithThatPrecision) {
  const std::vector<double> confidence = {0.2, 0.9, 0.8, 0.7, 0.8};
  const std::vector<std::uint8_t> right = {0, 1, 1, 1, 0};
  EXPECT_DOUBLE_EQ(coverage_at_precision(confidence, right, 0.9).share, 0.2);
  // .8 is there twice, once wrong: keeping both gives 2/3, and with .7 three in four are right.
  EXPECT_DOUBLE_EQ(coverage_at_precision(confidence, right, 0.75).share, 0.8);
  EXPECT_DOUBLE_EQ(coverage_at_precision(confidence, right, 0.75).least_confidence, 0.7);
  EXPECT_DOUBLE_EQ(coverage_at_precision(confidence, right, 0.6).share, 1);
  const std::vector<std::uint8_t> wrong(5, 0);
  EXPECT_EQ(coverage_at_precision(confidence, wrong, 0.1).share, 0);
}

TEST(Calibration, PrecisionFallsFromTheSurestToAll) {
  const std::vector<double> confidence = {0.5, 0.9, 0.9, 0.7};
  const std::vector<std::uint8_t> right = {0, 1, 0, 1};
  const std::vector<CoveragePoint> points = precision_by_coverage(confidence, right);
  ASSERT_EQ(points.size(), 3U) << "equal confidences are kept together";
  EXPECT_EQ(points[0].share, 0.5);
  EXPECT_EQ(points[0].least_confidence, 0.9);
  EXPECT_EQ(points[0].precision, 0.5);
  EXPECT_EQ(points[1].precision, 2.0 / 3);
  EXPECT_EQ(points[2].share, 1);
  EXPECT_EQ(points[2].least_confidence, 0.5);
  EXPECT_EQ(points[2].precision, 0.5);
}

TEST(Calibration, PointsOfCoverageAreFewHoweverManyThereAre) {
  std::vector<double> confidence;
  for (int i = 0; i < 10000; ++i) confidence.push_back(i / 10000.0);
  const std::vector<CoveragePoint> points =
      precision_by_coverage(confidence, std::vector<std::uint8_t>(confidence.size(), 1));
  ASSERT_EQ(points.size(), 50U);
  for (std::size_t n = 0; n < points.size(); ++n) {
    EXPECT_DOUBLE_EQ(points[n].share, static_cast<double>(n + 1) / 50);
  }
}

TEST(Calibration, NothingGivesNothing) {
  EXPECT_TRUE(precision_by_coverage({}, {}).empty());
  EXPECT_EQ(calibration({}, {}).expected_error, 0);
  EXPECT_EQ(coverage_at_precision({}, {}, 0.9).share, 0);
}

TEST(Calibration, RefusesWhatIsNoProbability) {
  const std::vector<std::uint8_t> right = {1};
  for (const double value : {-0.1, 1.1, std::nan("")}) {
    EXPECT_THROW((void)calibration(std::vector<double>{value}, right), Error);
  }
  EXPECT_THROW((void)calibration({}, right), Error);
}

}  // namespace
}  // namespace dovetail
