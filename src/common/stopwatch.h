#pragma once

#include <chrono>

namespace dovetail {

/// Wall time in seconds.
class Stopwatch {
 public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(Clock::now() - begun_).count();
  }
  /// Seconds since the last lap, or since the watch was made.
  double lap() {
    const Clock::time_point now = Clock::now();
    const double seconds = std::chrono::duration<double>(now - lap_).count();
    lap_ = now;
    return seconds;
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point begun_ = Clock::now();
  Clock::time_point lap_ = begun_;
};

}  // namespace dovetail
