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

/// From now on, Ctrl-C and the signals by which terminals, batch systems and limits of processor time end
/// programs (SIGTERM, SIGHUP unless the caller ignores it, SIGUSR1, SIGXCPU) make observers give the work up,
/// so that nothing half-written stays behind. A second Ctrl-C or SIGTERM ends the program at once. A pipe
/// that nobody reads is an error of writing, not a signal.
void catch_interruption();
/// The signal that did so; 0: none yet.
[[nodiscard]] int interruption();

/// Occupies the standard streams that the caller has closed, so that no file of the user's gets their
/// numbers. Reading and writing them still fails.
void occupy_closed_streams();
/// Throws SystemError where so few files may be open at a time that a run would fail halfway.
void check_open_files();

/// Prints to the standard error stream. If it cannot be written, there is nobody to tell, and the work goes
/// on.
void print_aside(std::string_view text);
/// Prints what was done to the standard output. That it cannot be written does not make the work fail.
void print_summary(std::string_view text);
/// Prints what the user asked for to the standard output. Throws SystemError where it cannot be written.
void print_result(std::string_view text);

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
