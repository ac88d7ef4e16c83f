#include "remaining_time.h"

#include <algorithm>
#include <cmath>

namespace {

/// Expected costs count as if so many seconds had confirmed them.
constexpr double kPriorSeconds = 0.3;
/// Share of the bar for phases before the costs are known.
constexpr double kShareBefore = 0.05;

/// The share that is done after `passed` of `expected` seconds: even at first, then ever slower, below 1.
double share_by_time(double passed, double expected) {
  constexpr double kEven = 0.8;
  if (expected <= 0) return 0;
  if (passed < kEven * expected) return passed / expected;
  return kEven + (1 - kEven) * (1 - std::exp(-(passed / expected - kEven) / (1 - kEven)));
}

}  // namespace

void RemainingTime::begin(const dovetail::Phase& phase, double now) {
  if (after_ >= 0) {
    finished_seconds_ += now - begun_;
    finished_cost_ += cost_;
  }
  name_ = phase.name;
  unit_ = phase.unit;
  cost_ = phase.cost >= 0 ? phase.cost : std::max(after_, 0.0);
  after_ = phase.after;
  begun_ = measured_at_ = now;
  measured_ = 0;
}

void RemainingTime::measure(double share, double now) {
  measured_ = std::clamp(share, 0.0, 1.0);
  measured_at_ = now;
}

double RemainingTime::share_of_phase(double now) const {
  const double per_cost = (finished_seconds_ + kPriorSeconds) / (finished_cost_ + kPriorSeconds);
  const double whole = measured_ > 0 ? (measured_at_ - begun_) / measured_ : cost_ * per_cost;
  const double rest = 1 - measured_;
  return measured_ + rest * share_by_time(now - measured_at_, rest * whole);
}

std::optional<double> RemainingTime::seconds_left(double now) const {
  if (after_ < 0) return std::nullopt;
  const double done = share_of_phase(now) * cost_;
  // The time of the current phase counts at once, so that a late phase makes the rest longer.
  const double per_cost =
      (finished_seconds_ + kPriorSeconds + now - begun_) / (finished_cost_ + kPriorSeconds + done);
  return per_cost * (cost_ - done + after_);
}

double RemainingTime::share_done(double now) const {
  const std::optional<double> left = seconds_left(now);
  if (!left) return kShareBefore * share_of_phase(now);
  return now <= 0 ? 0 : std::min(now / (now + *left), 0.999);
}
