#pragma once

#include <dovetail/study.h>

#include <string>
#include <string_view>
#include <vector>

#include "report/html.h"
#include "report/svg_chart.h"
#include "study/statistics.h"

namespace dovetail {

/// How a figure is shown.
struct FigureInfo {
  std::string_view key, label, unit;
  double scale;  ///< from how it is kept to the unit
  int digits;    ///< after the point
};
[[nodiscard]] const FigureInfo& figure_info(std::string_view key);
/// "Time (s)"
[[nodiscard]] std::string figure_title(const FigureInfo& figure);

/// One figure over the seeds of one variant on one data set, in its unit; runs that failed do not count.
[[nodiscard]] Summary summarise(const Study& study, std::size_t data, std::size_t variant,
                                std::string_view figure);

[[nodiscard]] std::vector<Table> make_tables(const Study& study);

/// What the tables do not say: tests, trends, what failed.
[[nodiscard]] std::vector<std::string> make_notes(const Study& study);

[[nodiscard]] std::vector<Chart> make_charts(const Study& study);

/// Data, seeds, version, machine: what the figures rest on.
[[nodiscard]] std::string origin_text(const Study& study);

[[nodiscard]] std::string markdown(const Table& table);
[[nodiscard]] std::string study_markdown(const Study& study);
[[nodiscard]] std::string study_page(const Study& study);

}  // namespace dovetail
