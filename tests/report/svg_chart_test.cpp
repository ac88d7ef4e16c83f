#include "report/svg_chart.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <regex>
#include <string>
#include <vector>

#include "report/page_parts.h"

namespace dovetail {
namespace {

using test::count;
using testing::HasSubstr;
using testing::Not;

Chart lines() {
  return {.title = "Time",
          .axis = "Batch size (pairs)",
          .value_axis = "Time (s)",
          .categories = {},
          .series = {{"zh_en", {{128, 9, 0.5}, {256, 8, 0.2}, {1024, 7.5, 0}}},
                     {"fr_en", {{128, 12, 1}, {256, 11, 0.1}, {1024, 10, 0.3}}}}};
}

Chart rows() {
  return {.title = "Hits@1",
          .axis = {},
          .value_axis = "Hits@1",
          .categories = {"PSR", "without MHR: residual", "GCN-Align"},
          .series = {{"zh_en", {{0, 0.7, 0.003}, {1, 0.58, 0.01}, {2, 0.41, 0.02}}}},
          .most = 1};
}

/// Every text begins inside of the picture, and ends there as far as its letters can be counted.
void expect_inside(const std::string& svg) {
  std::smatch box;
  ASSERT_TRUE(std::regex_search(svg, box, std::regex("viewBox=\"0 0 ([0-9.]+) ([0-9.]+)\"")));
  const double width = std::stod(box[1]), height = std::stod(box[2]);
  const std::regex label("<text x=\"([-0-9.]+)\" y=\"([-0-9.]+)\" text-anchor=\"([a-z]+)\">([^<]*)</text>");
  std::size_t labels = 0;
  for (std::sregex_iterator it(svg.begin(), svg.end(), label), end; it != end; ++it, ++labels) {
    const double x = std::stod((*it)[1]), y = std::stod((*it)[2]),
                 letters = 7.0 * static_cast<double>((*it)[4].length());
    const double before = (*it)[3] == "end" ? letters : (*it)[3] == "middle" ? letters / 2 : 0;
    EXPECT_GE(x - before, 0) << (*it)[4];
    EXPECT_LE(x - before + letters, width) << (*it)[4];
    EXPECT_GT(y, 8) << (*it)[4];
    EXPECT_LT(y, height) << (*it)[4];
  }
  EXPECT_GT(labels, 3U);
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
  EXPECT_THAT(svg, Not(HasSubstr("inf")));
}

TEST(SvgChart, NamesItsAxesAndSeries) {
  const std::string svg = svg_chart(lines());
  expect_inside(svg);
  for (const char* name : {"Batch size (pairs)", "Time (s)", "zh_en", "fr_en", ">128<", ">1024<"}) {
    EXPECT_THAT(svg, HasSubstr(name));
  }
  // Apart in colour, in dashes and in shape: a circle is made of arcs.
  EXPECT_THAT(svg, HasSubstr("#0072B2"));
  EXPECT_THAT(svg, HasSubstr("#D55E00"));
  EXPECT_THAT(svg, HasSubstr("stroke-dasharray=\"7 4\""));
  EXPECT_EQ(count(svg, "a4.5 4.5"), 2 * (3U + 1U));  // two arcs for each point and the legend
}

TEST(SvgChart, DrawsABarForEachErrorAndNoneForNone) {
  Chart chart = lines();
  const std::size_t with = count(svg_chart(chart), "stroke-width=\"1.5\" fill=\"none\"");
  EXPECT_EQ(with, 5U);
  for (ChartSeries& series : chart.series) {
    for (ChartPoint& point : series.points) point.error = 0;
  }
  EXPECT_EQ(count(svg_chart(chart), "stroke-width=\"1.5\" fill=\"none\""), 0U);
}

TEST(SvgChart, RowsHaveTheirNamesAndNoLegendForOneSeries) {
  const std::string svg = svg_chart(rows());
  expect_inside(svg);
  for (const std::string& name : rows().categories) EXPECT_THAT(svg, HasSubstr(">" + name + "<"));
  EXPECT_THAT(svg, Not(HasSubstr("zh_en")));
}

TEST(SvgChart, SharesDoNotGoBeyondOne) {
  Chart chart = rows();
  chart.series[0].points = {{0, 0.99, 0.04}, {1, 0.3, 0.1}, {2, 0.5, 0.1}};
  EXPECT_THAT(svg_chart(chart), Not(HasSubstr(">1.2<")));
  chart.most = INFINITY;
  EXPECT_THAT(svg_chart(chart), HasSubstr(">1.2<"));
}

TEST(SvgChart, EqualValuesAndSinglePointsHaveAScaleToo) {
  Chart chart = lines();
  chart.series = {{"", {{5, 3, 0}}}};
  expect_inside(svg_chart(chart));
  chart.series = {{"", {{5, 0, 0}, {6, 0, 0}}}};
  expect_inside(svg_chart(chart));
  chart.logarithmic_axis = chart.logarithmic_values = true;
  chart.series = {{"", {{1000, 10, 0}}}};
  expect_inside(svg_chart(chart));
}

TEST(SvgChart, LogarithmsPutEqualFactorsAtEqualDistances) {
  Chart chart = lines();
  chart.logarithmic_axis = chart.logarithmic_values = true;
  chart.series = {{"", {{1000, 1, 0.95}, {10000, 10, 0}, {100000, 100, 0}}}};
  const std::string svg = svg_chart(chart);
  expect_inside(svg);
  EXPECT_THAT(svg, HasSubstr(">100,000<"));
  std::smatch line;
  ASSERT_TRUE(std::regex_search(
      svg, line, std::regex("d=\"M([0-9.]+) ([0-9.]+)L([0-9.]+) ([0-9.]+)L([0-9.]+) ([0-9.]+)\"")));
  EXPECT_NEAR(std::stod(line[3]) - std::stod(line[1]), std::stod(line[5]) - std::stod(line[3]), 0.2);
  EXPECT_NEAR(std::stod(line[4]) - std::stod(line[2]), std::stod(line[6]) - std::stod(line[4]), 0.2);
}

TEST(SvgChart, NamesAreNoMarkup) {
  Chart chart = rows();
  chart.categories[0] = "<a & \"b\">";
  EXPECT_THAT(svg_chart(chart), HasSubstr("&lt;a &amp; &quot;b&quot;&gt;"));
}

}  // namespace
}  // namespace dovetail
