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

}  // namespace

Calibration calibration(std::span<const double> confidence, std::span<const std::uint8_t> right) {
  check(confidence, right);
  Calibration out;
  out.count = confidence.size();
  for (std::size_t i = 0; i < confidence.size(); ++i) {
    const auto place = static_cast<std::size_t>(confidence[i] * static_cast<double>(out.bins.size()));
    Calibration::Bin& bin = out.bins[std::min(place, out.bins.size() - 1)];
    ++bin.count;
    bin.confidence += confidence[i];
    bin.right += right[i] != 0 ? 1 : 0;
  }
  for (Calibration::Bin& bin : out.bins) {
    if (bin.count == 0) continue;
    out.expected_error += std::abs(bin.confidence - bin.right) / static_cast<double>(out.count);
    bin.confidence /= static_cast<double>(bin.count);
    bin.right /= static_cast<double>(bin.count);
  }
  return out;
}

Coverage coverage_at_precision(std::span<const double> confidence, std::span<const std::uint8_t> right,
                               double precision) {
  check(confidence, right);
  std::vector<std::size_t> order(confidence.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return confidence[a] > confidence[b]; });
  Coverage best;
  std::size_t correct = 0;
  for (std::size_t kept = 1; kept <= order.size(); ++kept) {
    const double last = confidence[order[kept - 1]];
    correct += right[order[kept - 1]] != 0 ? 1 : 0;
    if (kept < order.size() && confidence[order[kept]] == last) continue;
    if (static_cast<double>(correct) < precision * static_cast<double>(kept)) continue;
    best = {static_cast<double>(kept) / static_cast<double>(order.size()), last};
  }
  return best;
}

}  // namespace dovetail
