#pragma once

#include <cmath>
#include <string>
#include <vector>

namespace dovetail {

/// A measured point: its mean, and how far measurements scatter around it.
struct ChartPoint {
  double at = 0;  ///< place on the axis, or number of the category
  double value = 0;
  double error = 0;  ///< half the length of the error bar; 0: none is drawn
};

struct ChartSeries {
  std::string name;
  std::vector<ChartPoint> points;
};

/// Points over an axis, joined by lines; or, if there are categories, one row of points for each of them.
struct Chart {
  std::string title;
  std::string axis;                     ///< name and unit; not used with categories
  std::string value_axis;               ///< name and unit of the values
  std::vector<std::string> categories;  ///< names of the rows, from the top
  std::vector<ChartSeries> series;
  double most = INFINITY;           ///< what no value can exceed, error bars included
  bool logarithmic_axis = false;    ///< all places are above 0
  bool logarithmic_values = false;  ///< all values are above 0; not with categories
};

/// The chart as one SVG element that needs nothing else. Series differ in colour (safe for the colour-blind),
/// in shape and in dashes, so that print without colour keeps them apart.
[[nodiscard]] std::string svg_chart(const Chart& chart);

}  // namespace dovetail
