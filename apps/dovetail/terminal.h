#pragma once

#include <dovetail/observer.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <unistd.h>

/// Shows progress and warnings on the standard error stream: one line that renews itself on a terminal,
/// a plain line every few seconds in a pipe, nothing but warnings if quiet.
class TerminalObserver : public dovetail::Observer {
 public:
  explicit TerminalObserver(bool quiet);
  ~TerminalObserver() override;

  void progress(std::string_view task, std::uint64_t done, std::uint64_t total,
                std::string_view unit) override;
  void note(const std::string& text) override;
  void warning(const std::string& text) override;
  bool cancelled() override;
  /// Takes the progress line away before something else is printed.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  struct Task {
    Clock::time_point begun;
    std::uint64_t done = 0;
    std::uint64_t total = 0;
    std::string unit;
  };

  void draw(Clock::time_point now);
  void report_line(const std::string& task_name, const Task& task, Clock::time_point now) const;

  std::mutex mutex_;
  bool quiet_;
  bool terminal_;
  bool drawn_ = false;
  Clock::time_point begun_;
  Clock::time_point last_;
  std::map<std::string, Task, std::less<>> tasks_;
};

/// From now on, Ctrl-C (or SIGTERM) makes observers give the work up, so that nothing half-written stays
/// behind; a second one ends the program at once.
void catch_interruption();
/// The signal that did so; 0: none yet.
[[nodiscard]] int interruption();

/// JSON for the standard output. A terminal gets nothing but ASCII, for names may hold what it obeys.
template <typename Json>
[[nodiscard]] std::string json_text(const Json& record, int indent) {
  return record.dump(indent, ' ', isatty(STDOUT_FILENO) == 1, Json::error_handler_t::replace);
}

/// Whether the stream may be coloured: it is a terminal and NO_COLOR is not set.
[[nodiscard]] bool may_colour(int stream);
[[nodiscard]] std::size_t terminal_width(int stream);
/// The text with lines broken between words where they would not fit the stream's terminal; as it is where
/// the stream is none.
[[nodiscard]] std::string fitted(std::string_view text, int stream);
