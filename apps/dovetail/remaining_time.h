#pragma once

#include <dovetail/phases.h>

#include <optional>
#include <string>

/// Estimates the remaining time of a run from the expected costs of its phases. Costs are in seconds of some
/// machine; the phases that are finished show how fast this one is.
class RemainingTime {
 public:
  /// A phase begins at this time, in seconds since the start of the run; the phase before it is finished.
  void begin(const dovetail::Phase& phase, double now);
  /// The share of the current phase that is done now. Between such measurements it follows from the time.
  void measure(double share, double now);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const std::string& unit() const { return unit_; }
  /// Nothing before the costs are known.
  [[nodiscard]] std::optional<double> seconds_left(double now) const;
  /// Of the whole run, from 0 to below 1.
  [[nodiscard]] double share_done(double now) const;

 private:
  [[nodiscard]] double share_of_phase(double now) const;

  std::string name_, unit_;
  double begun_ = 0, cost_ = 0, after_ = -1;
  double measured_ = 0, measured_at_ = 0;
  double finished_seconds_ = 0, finished_cost_ = 0;
};
