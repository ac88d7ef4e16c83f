#include <dovetail/calibration.h>
#include <dovetail/errors.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace dovetail {
namespace {

void check(std::span<const double> confidence, std::span<const std::uint8_t> right) {
  if (confidence.size() != right.size()) throw Error("confidences and outcomes differ in number");
  for (const double value : confidence) {
    if (!(value >= 0 && value <= 1)) throw Error("a confidence is not between 0 and 1");
  }
}

/// From the surest on: how many are kept, how many of these are right, and the least confidence among them,
/// for every bound that keeps equal confidences together.
template <typename See>
void for_each_bound(std::span<const double> confidence, std::span<const std::uint8_t> right, const See& see) {
  check(confidence, right);
  std::vector<std::size_t> order(confidence.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return confidence[a] > confidence[b]; });
  std::size_t correct = 0;
  for (std::size_t kept = 1; kept <= order.size(); ++kept) {
    const double last = confidence[order[kept - 1]];
    correct += right[order[kept - 1]] != 0 ? 1 : 0;
    if (kept < order.size() && confidence[order[kept]] == last) continue;
    see(kept, correct, last);
  }
}

}  // namespace

Calibration calibration(std::span<const double> confidence, std::span<const std::uint8_t> right, Bins bins) {
  check(confidence, right);
  Calibration out;
  out.count = confidence.size();
  const auto add = [&](std::size_t place, double value, double share_right) {
    Calibration::Bin& bin = out.bins[std::min(place, out.bins.size() - 1)];
    ++bin.count;
    bin.confidence += value;
    bin.right += share_right;
  };
  if (bins == Bins::equal_width) {
    for (std::size_t i = 0; i < confidence.size(); ++i) {
      const auto place = static_cast<std::size_t>(confidence[i] * static_cast<double>(out.bins.size()));
      add(place, confidence[i], right[i] != 0 ? 1 : 0);
    }
  } else {
    // From the surest on; where a bin ends within equal confidences, no order among these decides.
    std::size_t before = 0, right_before = 0;
    for_each_bound(confidence, right, [&](std::size_t kept, std::size_t correct, double value) {
      const double share = static_cast<double>(correct - right_before) / static_cast<double>(kept - before);
      for (; before < kept; ++before) {
        add((out.count - 1 - before) * out.bins.size() / out.count, value, share);
      }
      right_before = correct;
    });
  }
  for (Calibration::Bin& bin : out.bins) {
    if (bin.count == 0) continue;
    const auto all = static_cast<double>(out.count);
    out.expected_error += std::abs(bin.confidence - bin.right) / all;
    out.confidence += bin.confidence / all;
    out.right += bin.right / all;
    bin.confidence /= static_cast<double>(bin.count);
    bin.right /= static_cast<double>(bin.count);
  }
  return out;
}

ExpectedPrecision expected_precision(std::span<const double> confidence, std::size_t examples) {
  constexpr double kWidth = 1.96;  // standard deviations of an interval of 95%
  ExpectedPrecision out;
  if (confidence.empty()) return out;
  const auto count = static_cast<double>(confidence.size());
  double variance = 0;
  for (const double value : confidence) {
    out.right += value;
    variance += value * (1 - value);
  }
  out.precision = out.right / count;
  // Chance in these links, and chance in the examples that the confidences rest on.
  const double deviation =
      std::sqrt(variance / count * (1 / count + 1 / std::max<double>(1, static_cast<double>(examples))));
  out.precision_low = std::max(0.0, out.precision - kWidth * deviation);
  out.precision_high = std::min(1.0, out.precision + kWidth * deviation);
  return out;
}

Coverage coverage_at_precision(std::span<const double> confidence, std::span<const std::uint8_t> right,
                               double precision) {
  Coverage best;
  for_each_bound(confidence, right, [&](std::size_t kept, std::size_t correct, double last) {
    if (static_cast<double>(correct) < precision * static_cast<double>(kept)) return;
    best = {static_cast<double>(kept) / static_cast<double>(confidence.size()), last};
  });
  return best;
}

std::vector<CoveragePoint> precision_by_coverage(std::span<const double> confidence,
                                                 std::span<const std::uint8_t> right) {
  constexpr std::size_t kSteps = 50;
  std::vector<CoveragePoint> points;
  std::size_t next = 1;
  for_each_bound(confidence, right, [&](std::size_t kept, std::size_t correct, double last) {
    if (kept * kSteps < next * confidence.size()) return;
    next = kept * kSteps / confidence.size() + 1;
    points.push_back({static_cast<double>(kept) / static_cast<double>(confidence.size()), last,
                      static_cast<double>(correct) / static_cast<double>(kept)});
  });
  return points;
}

}  // namespace dovetail
