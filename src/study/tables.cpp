#include "study/tables.h"

#include <dovetail/version.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

#include "common/machine.h"
#include "common/text.h"

namespace dovetail {
namespace {

constexpr std::array<FigureInfo, 8> kFigures = {{{"hits@1", "Hits@1", "", 1, 3},
                                                 {"hits@10", "Hits@10", "", 1, 3},
                                                 {"mrr", "MRR", "", 1, 3},
                                                 {"hits@1_left_to_right", "Hits@1 left to right", "", 1, 3},
                                                 {"seconds", "Time", "s", 1, 1},
                                                 {"train_seconds", "Training", "s", 1, 1},
                                                 {"memory", "Memory", "MiB", 1.0 / (1 << 20), 0},
                                                 {"reviewed", "Pairs reviewed", "%", 100, 1}}};

std::string cell(const Summary& summary, int digits) {
  if (summary.count == 0) return "failed";
  std::string text = fmt::format("{:.{}f}", summary.mean, digits);
  if (summary.count > 1) text += fmt::format(" ±{:.{}f}", summary.deviation, digits);
  return text;
}

std::string row_name(const Study& study, std::size_t data, std::size_t variant) {
  return study.plan.by_size ? study.data[data] : study.plan.variants[variant].name;
}

Summary summarise_degree(const Study& study, std::size_t data, std::size_t variant, std::size_t group) {
  std::vector<double> values;
  for (const StudyRun& run : study.runs) {
    if (run.data != data || run.variant != variant || group >= run.record.degrees.size()) continue;
    if (run.record.degrees[group].count > 0) values.push_back(run.record.degrees[group].hits_at_1);
  }
  return summarise(values);
}

/// The degrees that runs were judged by; they are the same for all of them.
std::vector<DegreeHits> degree_groups(const Study& study) {
  for (const StudyRun& run : study.runs) {
    if (!run.record.degrees.empty()) return run.record.degrees;
  }
  return {};
}

Table degree_table(const Study& study, std::size_t data) {
  Table table{.caption = study.data[data] + ", Hits@1 by degree", .header = {"degree"}, .rows = {}};
  const std::vector<DegreeHits> groups = degree_groups(study);
  for (const Variant& variant : study.plan.variants) table.header.push_back(variant.name);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    table.rows.push_back({degrees_text(groups, g)});
    for (std::size_t v = 0; v < study.plan.variants.size(); ++v) {
      const Summary summary = summarise_degree(study, data, v, g);
      table.rows.back().push_back(summary.count == 0 ? "none" : cell(summary, 3));
    }
  }
  return table;
}

Table figure_table(const Study& study, std::size_t first_data, std::size_t last_data) {
  Table table{.caption = study.plan.by_size ? study.plan.title : study.data[first_data],
              .header = {study.plan.by_size ? "data" : study.plan.name},
              .rows = {}};
  for (const std::string& key : study.plan.figures) table.header.push_back(figure_title(figure_info(key)));
  for (std::size_t d = first_data; d <= last_data; ++d) {
    for (std::size_t v = 0; v < study.plan.variants.size(); ++v) {
      table.rows.push_back({row_name(study, d, v)});
      for (const std::string& key : study.plan.figures) {
        table.rows.back().push_back(cell(summarise(study, d, v, key), figure_info(key).digits));
      }
    }
  }
  return table;
}

void add_tests(const Study& study, std::vector<std::string>& notes) {
  if (!study.options.against) return;
  for (std::size_t d = 0; d < study.data.size(); ++d) {
    for (std::size_t v = 0; v < study.plan.variants.size(); ++v) {
      const Summary summary = summarise(study, d, v, "hits@1");
      const std::string what = fmt::format("{}, {}: mean Hits@1 {:.4f} against {}", study.data[d],
                                           study.plan.variants[v].name, summary.mean, *study.options.against);
      if (summary.count < 2 || summary.deviation == 0) {
        notes.push_back(what + ": a t-test needs two runs at least that differ");
        continue;
      }
      const TTest test = t_test(summary, *study.options.against);
      notes.push_back(fmt::format("{}: t = {:.2f}, p = {:.2g} (one-sample t-test, two-sided, {} runs)", what,
                                  test.t, test.p, summary.count));
    }
  }
}

void add_trends(const Study& study, std::vector<std::string>& notes) {
  if (study.plan.trend == Trend::none) return;
  for (const Chart& chart : make_charts(study)) {
    if (chart.value_axis.starts_with("Hits")) continue;
    for (const ChartSeries& series : chart.series) {
      std::vector<double> x, y;
      for (const ChartPoint& point : series.points) {
        x.push_back(point.at);
        y.push_back(point.value);
      }
      if (x.size() < 3) continue;
      const std::string what =
          series.name.empty() ? chart.value_axis : fmt::format("{}, {}", series.name, chart.value_axis);
      if (study.plan.trend == Trend::power) {
        const Line line = fit_power(x, y);
        notes.push_back(
            fmt::format("{} grows with the power {:.2f} (R² = {:.3f})", what, line.slope, line.r_squared));
      } else {
        const Line line = fit_line(x, y);
        notes.push_back(fmt::format("{} is about {:.4g} {} {:.4g} x, x as on the axis (R² = {:.3f})", what,
                                    line.intercept, line.slope < 0 ? "-" : "+", std::abs(line.slope),
                                    line.r_squared));
      }
    }
  }
}

void add_failures(const Study& study, std::vector<std::string>& notes) {
  for (const StudyRun& run : study.runs) {
    if (run.error.empty()) continue;
    notes.push_back(fmt::format("failed: {}, {}, seed {}: {}", study.data[run.data],
                                study.plan.variants[run.variant].name, run.seed, run.error));
  }
}

/// The series of a name, made when it is first asked for.
ChartSeries& series_named(Chart& chart, const std::string& name) {
  for (ChartSeries& series : chart.series) {
    if (series.name == name) return series;
  }
  return chart.series.emplace_back(ChartSeries{name, {}});
}

std::string series_name(const Study& study, std::size_t data, std::size_t variant) {
  const std::string& own = study.plan.variants[variant].series;
  if (study.plan.by_size || study.data.size() == 1) return own;
  return own.empty() ? study.data[data] : fmt::format("{}, {}", study.data[data], own);
}

Chart figure_chart(const Study& study, const std::string& key) {
  const FigureInfo& figure = figure_info(key);
  Chart chart{.title = fmt::format("{}: {}", study.plan.title, figure.label),
              .axis = study.plan.axis,
              .value_axis = figure_title(figure),
              .categories = {},
              .series = {},
              .most = figure.unit.empty() ? 1 : INFINITY,
              .logarithmic_axis = study.plan.by_size,
              .logarithmic_values = study.plan.by_size && !figure.unit.empty()};
  const bool rows = study.plan.axis.empty();
  for (std::size_t v = 0; rows && v < study.plan.variants.size(); ++v) {
    chart.categories.push_back(study.plan.variants[v].name);
  }
  for (std::size_t d = 0; d < study.data.size(); ++d) {
    for (std::size_t v = 0; v < study.plan.variants.size(); ++v) {
      const Summary summary = summarise(study, d, v, key);
      if (summary.count == 0) continue;
      const double at = rows                 ? static_cast<double>(v)
                        : study.plan.by_size ? study.sizes[d]
                                             : study.plan.variants[v].x;
      const std::string name = rows && study.data.size() > 1 ? study.data[d] : series_name(study, d, v);
      series_named(chart, rows && study.data.size() == 1 ? "" : name)
          .points.push_back({at, summary.mean, summary.deviation});
    }
  }
  return chart;
}

Chart degree_chart(const Study& study, std::size_t data) {
  Chart chart{.title = fmt::format("{}, {}", study.plan.title, study.data[data]),
              .axis = {},
              .value_axis = "Hits@1",
              .categories = {},
              .series = {},
              .most = 1};
  const std::vector<DegreeHits> groups = degree_groups(study);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    chart.categories.push_back(fmt::format("degree {}", degrees_text(groups, g)));
    for (std::size_t v = 0; v < study.plan.variants.size(); ++v) {
      const Summary summary = summarise_degree(study, data, v, g);
      if (summary.count == 0) continue;
      series_named(chart, study.plan.variants[v].name)
          .points.push_back({static_cast<double>(g), summary.mean, summary.deviation});
    }
  }
  return chart;
}

/// Columns of characters; those of UTF-8 count once.
std::size_t columns(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string plain(const Table& table) {
  std::vector<std::size_t> widths(table.header.size(), 0);
  const auto widen = [&](const std::vector<std::string>& row) {
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], columns(row[c]));
  };
  widen(table.header);
  for (const auto& row : table.rows) widen(row);
  std::string text = table.caption + "\n";
  const auto put = [&](const std::vector<std::string>& row) {
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::string space(widths[c] - columns(row[c]), ' ');
      text += c == 0 ? row[c] + space : "  " + space + row[c];
    }
    text += "\n";
  };
  put(table.header);
  for (const auto& row : table.rows) put(row);
  return text;
}

}  // namespace

const FigureInfo& figure_info(std::string_view key) {
  return *std::ranges::find_if(kFigures, [&](const FigureInfo& figure) { return figure.key == key; });
}

std::string figure_title(const FigureInfo& figure) {
  return figure.unit.empty() ? std::string(figure.label) : fmt::format("{} ({})", figure.label, figure.unit);
}

Summary summarise(const Study& study, std::size_t data, std::size_t variant, std::string_view figure) {
  std::vector<double> values;
  for (const StudyRun& run : study.runs) {
    const auto found = run.record.figures.find(std::string(figure));
    if (run.data != data || run.variant != variant || found == run.record.figures.end()) continue;
    values.push_back(found->second * figure_info(figure).scale);
  }
  return summarise(values);
}

std::vector<Table> make_tables(const Study& study) {
  if (study.plan.by_size) return {figure_table(study, 0, study.data.size() - 1)};
  std::vector<Table> tables;
  for (std::size_t d = 0; d < study.data.size(); ++d) {
    tables.push_back(figure_table(study, d, d));
    if (study.plan.by_degree) tables.push_back(degree_table(study, d));
  }
  return tables;
}

std::vector<std::string> make_notes(const Study& study) {
  std::vector<std::string> notes;
  add_tests(study, notes);
  add_trends(study, notes);
  add_failures(study, notes);
  return notes;
}

std::vector<Chart> make_charts(const Study& study) {
  std::vector<Chart> charts;
  if (study.plan.by_degree) {
    for (std::size_t d = 0; d < study.data.size(); ++d) charts.push_back(degree_chart(study, d));
  } else {
    for (const std::string& key : study.plan.figures) charts.push_back(figure_chart(study, key));
  }
  std::erase_if(charts, [](const Chart& chart) { return chart.series.empty(); });
  return charts;
}

std::string origin_text(const Study& study) {
  const std::size_t seeds = study.options.seeds;
  return fmt::format(
      "{} seed{} from {}; mean ± standard deviation. Closed world, right to left. Time without loading; "
      "memory is "
      "what training worked in. dovetail {}, {}.",
      seeds, plural(seeds), study.options.first_seed, kVersion, machine_text());
}

std::string study_text(const Study& study) {
  std::string text;
  for (const Table& table : make_tables(study)) text += plain(table) + "\n";
  for (const std::string& note : make_notes(study)) text += note + "\n";
  return text;
}

std::string markdown(const Table& table) {
  std::string text;
  const auto put = [&](const std::vector<std::string>& row) {
    for (const std::string& content : row) text += "| " + content + " ";
    text += "|\n";
  };
  put(table.header);
  text += "|---";
  for (std::size_t c = 1; c < table.header.size(); ++c) text += "|--:";
  text += "|\n";
  for (const auto& row : table.rows) put(row);
  return text;
}

}  // namespace dovetail
