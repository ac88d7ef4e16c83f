#pragma once

#include <dovetail/phases.h>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "remaining_time.h"

/// Shows progress, notes and warnings on the standard error stream: on a terminal one line that is redrawn,
/// in a pipe one line at each phase and every few seconds, whether or not the library reports anything. If
/// quiet, only warnings.
class TerminalObserver : public dovetail::PhaseObserver {
 public:
  explicit TerminalObserver(bool quiet);
  ~TerminalObserver() override;

  void progress(std::string_view task, std::uint64_t done, std::uint64_t total,
                std::string_view unit) override;
  void phase(const dovetail::Phase& phase) override;
  void note(const std::string& text) override;
  void warning(const std::string& text) override;
  bool cancelled() override;
  /// Removes the progress line before something else is printed. Progress is shown again when more is
  /// reported.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  struct Task {
    Clock::time_point begun;
    std::uint64_t done = 0;
    std::uint64_t total = 0;
    std::string unit;
  };

  /// Shows progress from time to time until the observer ends.
  void watch();
  void start_watching();
  void show(Clock::time_point now);
  /// The line without the bar: "train, 3 of 8 batches".
  [[nodiscard]] std::string activity() const;
  [[nodiscard]] std::string terminal_line(Clock::time_point now, std::size_t room) const;
  [[nodiscard]] std::string pipe_line(Clock::time_point now) const;
  [[nodiscard]] double seconds_since_start(Clock::time_point now) const;
  void remove_line();

  std::mutex mutex_;
  std::condition_variable ended_;
  bool quiet_;
  bool terminal_;
  bool drawn_ = false;
  bool active_ = false;  ///< something has been reported since the line was removed
  bool end_ = false;
  Clock::time_point begun_;
  Clock::time_point last_;  ///< when progress was shown
  std::map<std::string, Task, std::less<>> tasks_;
  RemainingTime remaining_;
  std::thread watcher_;
};
