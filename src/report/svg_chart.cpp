#include "report/svg_chart.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <set>

#include "common/text.h"

namespace dovetail {
namespace {

// All lengths are in pixels of the picture, which scales.
constexpr double kWidth = 720;
constexpr double kPlotHeight = 300;
constexpr double kRowHeight = 34;     // of a category with one series
constexpr double kSeriesHeight = 14;  // more for each further one
constexpr double kCharacter = 7.3;    // mean width at kFont, somewhat generous
constexpr double kFont = 13;
constexpr double kLegendLine = 20;
constexpr double kMark = 4.5;
constexpr double kInset = 16;  // of the first and last point, so that they do not lie on the frame
constexpr std::size_t kTicks = 6;

/// Okabe and Ito's colours without the yellow, which is too light on paper.
constexpr std::array<const char*, 7> kColours = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                                 "#56B4E9", "#E69F00", "#000000"};
constexpr std::array<const char*, 4> kDashes = {"", "7 4", "2 3", "9 3 2 3"};

double text_width(const std::string& text) {
  const auto letters = std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; });
  return kCharacter * static_cast<double>(letters);
}

/// Round numbers that cover a range.
struct Ticks {
  std::vector<double> at;
  int digits = 0;  ///< after the point
};

Ticks linear_ticks(double low, double high) {
  const double rough = (high - low) / static_cast<double>(kTicks - 1);
  const double power = std::pow(10, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double factor : {5.0, 2.5, 2.0, 1.0}) {
    if (factor * power >= rough * 0.999) step = factor * power;
  }
  Ticks ticks;
  for (double n = std::floor(low / step); n <= std::ceil(high / step) + 0.5; ++n) {
    ticks.at.push_back(n * step);
  }
  while (ticks.digits < 6 &&
         std::abs(step * std::pow(10, ticks.digits) - std::round(step * std::pow(10, ticks.digits))) > 1e-6) {
    ++ticks.digits;
  }
  return ticks;
}

Ticks log_ticks(double low, double high) {
  Ticks ticks;
  // With few decades 2 and 5 help to read between them.
  const bool between = std::log10(high / low) < 2.5;
  for (double power = std::pow(10, std::floor(std::log10(low)));; power *= 10) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      if (factor != 1 && !between) continue;
      if (factor * power <= low * 1.0001) ticks.at.clear();  // the last one below is enough
      ticks.at.push_back(factor * power);
      if (ticks.at.size() < 2 || ticks.at.back() < high * 0.9999) continue;
      ticks.digits = ticks.at[0] >= 1 ? 0 : static_cast<int>(std::ceil(-std::log10(ticks.at[0])));
      return ticks;
    }
  }
}

/// From numbers to places in the picture.
class Axis {
 public:
  Axis(double low, double high, bool logarithmic, double from, double to)
      : logarithmic_(logarithmic), from_(from), to_(to) {
    if (!logarithmic && !(high > low)) {  // one value: some room around it
      const double room = low == 0 ? 1 : std::abs(low) * 0.1;
      low -= room;
      high += room;
    }
    ticks_ = logarithmic ? log_ticks(low, high) : linear_ticks(low, high);
    low_ = scaled(ticks_.at.front());
    high_ = scaled(ticks_.at.back());
  }

  /// With ticks where the measurements are. Labels that would touch are left out.
  Axis(const std::set<double>& places, bool logarithmic, double from, double to)
      : logarithmic_(logarithmic), from_(from), to_(to) {
    low_ = scaled(*places.begin());
    high_ = scaled(*places.rbegin());
    for (const double value : places) {
      while (ticks_.digits < 3 && std::abs(std::round(value * std::pow(10, ticks_.digits)) -
                                           value * std::pow(10, ticks_.digits)) > 1e-6) {
        ++ticks_.digits;
      }
    }
    double free = -INFINITY;
    for (const double value : places) {
      const double half = text_width(text(value)) / 2 + 3;
      if (place(value) - half < free) continue;
      free = place(value) + half;
      ticks_.at.push_back(value);
    }
  }

  [[nodiscard]] double place(double value) const {
    if (!(high_ > low_)) return (from_ + to_) / 2;
    return from_ + (to_ - from_) * (scaled(value) - low_) / (high_ - low_);
  }
  [[nodiscard]] const std::vector<double>& ticks() const { return ticks_.at; }
  [[nodiscard]] std::string text(double tick) const {
    std::string digits = fmt::format("{:.{}f}", tick, ticks_.digits);
    const std::size_t point = std::min(digits.find('.'), digits.size());
    for (std::size_t i = point; i > 3 && std::abs(tick) >= 10000; i -= 3) digits.insert(i - 3, ",");
    return digits;
  }

 private:
  [[nodiscard]] double scaled(double value) const { return logarithmic_ ? std::log(value) : value; }

  bool logarithmic_;
  double from_, to_;
  double low_ = 0, high_ = 0;  // scaled
  Ticks ticks_;
};

class Drawing {
 public:
  explicit Drawing(const Chart& chart) : chart_(chart) {}

  std::string draw() {
    place_legend();
    if (chart_.categories.empty()) {
      draw_lines();
    } else {
      draw_rows();
    }
    return fmt::format(
               "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {:.0f}\" role=\"img\" "
               "font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\" font-size=\"{}\" fill=\"#222\">\n"
               "<title>{}</title>\n",
               kWidth, height_, kFont, xml_escaped(chart_.title)) +
           body_ + "</svg>\n";
  }

 private:
  struct Range {
    double low = INFINITY, high = -INFINITY;
    void include(double value) {
      low = std::min(low, value);
      high = std::max(high, value);
    }
  };

  /// With error bars, as far as a logarithm allows.
  [[nodiscard]] Range values() const {
    Range range;
    for (const ChartSeries& series : chart_.series) {
      for (const ChartPoint& point : series.points) {
        range.include(high_end(point));
        range.include(low_end(point));
      }
    }
    return range;
  }

  [[nodiscard]] double low_end(const ChartPoint& point) const {
    const double low = point.value - point.error;
    return chart_.logarithmic_values ? std::max(low, point.value / 10) : low;
  }

  [[nodiscard]] double high_end(const ChartPoint& point) const {
    return std::min(point.value + point.error, chart_.most);
  }

  void place_legend() {
    top_ = 14;
    if (chart_.series.size() < 2) return;
    double x = 10, y = top_ + 10;
    for (std::size_t s = 0; s < chart_.series.size(); ++s) {
      const double width = 46 + text_width(chart_.series[s].name);
      if (x > 10 && x + width > kWidth - 10) {
        x = 10;
        y += kLegendLine;
      }
      if (chart_.categories.empty()) line(s, {{x, y - 4}, {x + 26, y - 4}});
      mark(s, x + 13, y - 4);
      text(x + 32, y, "start", chart_.series[s].name);
      x += width;
    }
    top_ = y + 22;
  }

  void draw_lines() {
    const Range range = values();
    std::set<double> places;
    for (const ChartSeries& series : chart_.series) {
      for (const ChartPoint& point : series.points) places.insert(point.at);
    }
    const double bottom = top_ + kPlotHeight;
    const Axis y(range.low, range.high, chart_.logarithmic_values, bottom, top_);
    double widest = 0;
    for (const double tick : y.ticks()) widest = std::max(widest, text_width(y.text(tick)));
    const double left = 42 + widest, right = kWidth - 28;
    const Axis x(places, chart_.logarithmic_axis, left + kInset, right - kInset);
    for (const double tick : y.ticks()) {
      rule(left, y.place(tick), right, y.place(tick));
      text(left - 8, y.place(tick) + 4, "end", y.text(tick));
    }
    for (const double tick : x.ticks()) {
      rule(x.place(tick), bottom, x.place(tick), bottom + 5);
      text(x.place(tick), bottom + 20, "middle", x.text(tick));
    }
    frame(left, right, bottom);
    text((left + right) / 2, bottom + 42, "middle", chart_.axis);
    body_ +=
        fmt::format("<text transform=\"translate(16 {:.1f}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
                    (top_ + bottom) / 2, xml_escaped(chart_.value_axis));
    for (std::size_t s = 0; s < chart_.series.size(); ++s) {
      std::vector<std::pair<double, double>> places_of;
      for (const ChartPoint& point : chart_.series[s].points) {
        places_of.emplace_back(x.place(point.at), y.place(point.value));
      }
      line(s, places_of);
      for (std::size_t i = 0; i < places_of.size(); ++i) {
        const ChartPoint& point = chart_.series[s].points[i];
        if (point.error > 0) error_bar(s, places_of[i].first, y, point);
        mark(s, places_of[i].first, places_of[i].second);
      }
    }
    height_ = bottom + 54;
  }

  void error_bar(std::size_t s, double at, const Axis& y, const ChartPoint& point) {
    const double high = y.place(high_end(point));
    const double low = y.place(low_end(point));
    stroke(s, fmt::format("M{:.1f} {:.1f}V{:.1f}M{:.1f} {:.1f}h8M{:.1f} {:.1f}h8", at, low, high, at - 4, low,
                          at - 4, high));
  }

  void draw_rows() {
    const Range range = values();
    double left = 60;
    for (const std::string& name : chart_.categories) left = std::max(left, 20 + text_width(name));
    left = std::min(left, kWidth / 2);
    const double right = kWidth - 28;
    const double height =
        kRowHeight + kSeriesHeight * static_cast<double>(std::max<std::size_t>(1, chart_.series.size()) - 1);
    const double bottom = top_ + height * static_cast<double>(chart_.categories.size());
    const Axis x(range.low, range.high, false, left, right);
    for (const double tick : x.ticks()) {
      rule(x.place(tick), top_, x.place(tick), bottom);
      text(x.place(tick), bottom + 18, "middle", x.text(tick));
    }
    for (std::size_t c = 0; c < chart_.categories.size(); ++c) {
      const double y = top_ + height * static_cast<double>(c);
      if (c > 0) rule(left, y, right, y);
      text(left - 8, y + height / 2 + 4, "end", chart_.categories[c]);
    }
    frame(left, right, bottom);
    text((left + right) / 2, bottom + 40, "middle", chart_.value_axis);
    for (std::size_t s = 0; s < chart_.series.size(); ++s) {
      const double offset =
          kSeriesHeight * (static_cast<double>(s) - (static_cast<double>(chart_.series.size()) - 1) / 2);
      for (const ChartPoint& point : chart_.series[s].points) {
        const double y = top_ + height * (point.at + 0.5) + offset;
        if (point.error > 0) {
          const double low = x.place(low_end(point)), high = x.place(high_end(point));
          stroke(s, fmt::format("M{:.1f} {:.1f}H{:.1f}M{:.1f} {:.1f}v8M{:.1f} {:.1f}v8", low, y, high, low,
                                y - 4, high, y - 4));
        }
        mark(s, x.place(point.value), y);
      }
    }
    height_ = bottom + 52;
  }

  void text(double x, double y, const char* anchor, const std::string& content) {
    body_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor,
                         xml_escaped(content));
  }
  void rule(double x1, double y1, double x2, double y2) {
    body_ += fmt::format("<path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\" stroke=\"#ccc\"/>\n", x1, y1, x2, y2);
  }
  void frame(double left, double right, double bottom) {
    body_ += fmt::format("<path d=\"M{:.1f} {:.1f}V{:.1f}H{:.1f}\" stroke=\"#222\" fill=\"none\"/>\n", left,
                         top_, bottom, right);
  }
  void stroke(std::size_t series, const std::string& path) {
    body_ += fmt::format("<path d=\"{}\" stroke=\"{}\" stroke-width=\"1.5\" fill=\"none\"/>\n", path,
                         kColours[series % kColours.size()]);
  }
  void line(std::size_t series, const std::vector<std::pair<double, double>>& places) {
    if (places.empty()) return;
    std::string path;
    for (const auto& [x, y] : places) path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x, y);
    body_ += fmt::format(
        "<path d=\"{}\" stroke=\"{}\" stroke-width=\"2\" stroke-dasharray=\"{}\" fill=\"none\"/>\n", path,
        kColours[series % kColours.size()], kDashes[series % kDashes.size()]);
  }
  /// Circle, square, triangle, diamond; the next four hollow.
  void mark(std::size_t series, double x, double y) {
    const double r = kMark;
    std::string path;
    switch (series % 4) {
      case 0:
        path = fmt::format("M{:.1f} {:.1f}a{} {} 0 1 0 {} 0a{} {} 0 1 0 {} 0Z", x - r, y, r, r, 2 * r, r, r,
                           -2 * r);
        break;
      case 1:
        path = fmt::format("M{:.1f} {:.1f}h{}v{}h{}Z", x - r, y - r, 2 * r, 2 * r, -2 * r);
        break;
      case 2:
        path = fmt::format("M{:.1f} {:.1f}L{:.1f} {:.1f}H{:.1f}Z", x, y - 1.2 * r, x + 1.2 * r, y + r,
                           x - 1.2 * r);
        break;
      default:
        path = fmt::format("M{:.1f} {:.1f}l{} {}l{} {}l{} {}Z", x, y - 1.3 * r, 1.3 * r, 1.3 * r, -1.3 * r,
                           1.3 * r, -1.3 * r, -1.3 * r);
    }
    const char* const colour = kColours[series % kColours.size()];
    body_ += fmt::format("<path d=\"{}\" fill=\"{}\" stroke=\"{}\" stroke-width=\"1.5\"/>\n", path,
                         series % 8 < 4 ? colour : "#fff", colour);
  }

  const Chart& chart_;
  std::string body_;
  double top_ = 0;     // of the plot
  double height_ = 0;  // of the picture
};

}  // namespace

std::string svg_chart(const Chart& chart) {
  return Drawing(chart).draw();
}

}  // namespace dovetail
