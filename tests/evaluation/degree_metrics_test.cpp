#include <dovetail/evaluation.h>

#include <gtest/gtest.h>
#include <vector>

namespace dovetail {
namespace {

TEST(DegreeMetrics, CountsEachDegreeWhereItBelongs) {
  const std::vector<std::uint32_t> degrees{0, 1, 2, 3, 4, 4, 5, 8, 9, 32, 33, 5000};
  const std::vector<std::uint8_t> right{0, 1, 0, 1, 1, 0, 1, 1, 0, 0, 1, 0};
  const std::vector<DegreeHits> hits = hits_by_degree(degrees, right);
  ASSERT_EQ(hits.size(), 6U);
  const std::vector<std::size_t> counts{3, 3, 2, 1, 1, 2};
  const std::vector<double> shares{1.0 / 3, 2.0 / 3, 1, 0, 0, 0.5};
  for (std::size_t n = 0; n < hits.size(); ++n) {
    EXPECT_EQ(hits[n].count, counts[n]) << n;
    EXPECT_DOUBLE_EQ(hits[n].hits_at_1, shares[n]) << n;
  }
  EXPECT_EQ(degrees_text(hits, 0), "up to 2");
  EXPECT_EQ(degrees_text(hits, 1), "3 to 4");
  EXPECT_EQ(degrees_text(hits, 4), "17 to 32");
  EXPECT_EQ(degrees_text(hits, 5), "33 or more");
}

TEST(DegreeMetrics, NoAnswersAreNoHits) {
  for (const DegreeHits& group : hits_by_degree({}, {})) {
    EXPECT_EQ(group.count, 0U);
    EXPECT_EQ(group.hits_at_1, 0);
  }
}

}  // namespace
}  // namespace dovetail
