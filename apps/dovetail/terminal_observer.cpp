#include "terminal_observer.h"

#include <dovetail/text.h>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>
#include <system_error>
#include <unistd.h>

#include "terminal.h"

namespace {

using namespace std::chrono_literals;

constexpr auto kFirstDraw = 300ms;   // shorter work shows nothing
constexpr auto kRedraw = 200ms;      // on a terminal
constexpr auto kPlainLine = 5000ms;  // in a pipe
constexpr std::size_t kBarWidth = 24;

std::string amount(std::uint64_t number, const std::string& unit) {
  return unit == "bytes" ? dovetail::human_bytes(number) : dovetail::with_commas(number) + " " + unit;
}

/// "3 of 8 batches"
std::string amount_of(std::uint64_t done, std::uint64_t total, const std::string& unit) {
  if (total == 0) return amount(done, unit);
  if (unit == "bytes") return fmt::format("{} of {}", amount(done, unit), amount(total, unit));
  return fmt::format("{} of {}", dovetail::with_commas(done), amount(total, unit));
}

std::string bar(double share) {
  const auto full = static_cast<std::size_t>(std::llround(share * static_cast<double>(kBarWidth)));
  std::string text;
  for (std::size_t i = 0; i < kBarWidth; ++i) text += i < full ? "━" : "─";
  return text;
}

}  // namespace

TerminalObserver::TerminalObserver(bool quiet)
    : quiet_(quiet), terminal_(isatty(STDERR_FILENO) == 1), begun_(Clock::now()), last_(begun_) {}

TerminalObserver::~TerminalObserver() {
  {
    const std::lock_guard lock(mutex_);
    end_ = true;
  }
  ended_.notify_all();
  if (watcher_.joinable()) watcher_.join();
  clear();
}

double TerminalObserver::seconds_since_start(Clock::time_point now) const {
  return std::chrono::duration<double>(now - begun_).count();
}

void TerminalObserver::start_watching() {
  if (watcher_.joinable()) return;
  try {
    watcher_ = std::thread([this] { watch(); });
  } catch (const std::system_error&) {
    // No more threads may be started; reports of the library show progress alone.
  }
}

void TerminalObserver::watch() {
  std::unique_lock lock(mutex_);
  while (!ended_.wait_for(lock, kRedraw, [this] { return end_; })) {
    if (active_) show(Clock::now());
  }
}

void TerminalObserver::phase(const dovetail::Phase& phase) {
  if (quiet_) return;
  const std::lock_guard lock(mutex_);
  const auto now = Clock::now();
  tasks_.clear();
  remaining_.begin(phase, seconds_since_start(now));
  active_ = true;
  start_watching();
  if (terminal_) return show(now);
  if (now - begun_ < kFirstDraw) return;
  last_ = now;
  print_aside(pipe_line(now) + "\n");
}

void TerminalObserver::progress(std::string_view task, std::uint64_t done, std::uint64_t total,
                                std::string_view unit) {
  if (quiet_) return;
  const std::lock_guard lock(mutex_);
  const auto now = Clock::now();
  auto found = tasks_.find(task);
  if (found == tasks_.end()) found = tasks_.emplace(task, Task{now, 0, 0, std::string(unit)}).first;
  found->second.done = done;
  found->second.total = total;
  active_ = true;
  start_watching();
  if (unit == remaining_.unit()) {
    double all = 0, finished = 0;
    for (const auto& [name, one] : tasks_) {
      if (one.unit != remaining_.unit()) continue;
      all += static_cast<double>(one.total);
      finished += static_cast<double>(one.done);
    }
    if (all > 0) remaining_.measure(finished / all, seconds_since_start(now));
  }
  show(now);
  const bool counts = !remaining_.unit().empty() && unit == remaining_.unit();
  if (total != 0 && done >= total && !counts) tasks_.erase(found);
}

void TerminalObserver::show(Clock::time_point now) {
  if (now - begun_ < kFirstDraw || now - last_ < (terminal_ ? kRedraw : kPlainLine)) return;
  last_ = now;
  if (!terminal_) {
    print_aside(pipe_line(now) + "\n");
    return;
  }
  // A line that did not fit could not be removed.
  const std::size_t room = std::max<std::size_t>(terminal_width(STDERR_FILENO), 40) - 1;
  print_aside("\r\x1b[K" + terminal_line(now, room));
  drawn_ = true;
}

std::string TerminalObserver::activity() const {
  std::string text = remaining_.name();
  // Of tasks that run side by side, the one that began first and is not finished.
  const std::pair<const std::string, Task>* first = nullptr;
  for (const auto& task : tasks_) {
    const bool finished = task.second.total != 0 && task.second.done >= task.second.total;
    if (!finished && (first == nullptr || task.second.begun < first->second.begun)) first = &task;
  }
  if (first == nullptr) return text;
  const std::string name = dovetail::printable(first->first);
  if (name != text) text += (text.empty() ? "" : ": ") + name;
  return text + ", " + amount_of(first->second.done, first->second.total, first->second.unit);
}

std::string TerminalObserver::terminal_line(Clock::time_point now, std::size_t room) const {
  const double seconds = seconds_since_start(now);
  if (remaining_.name().empty()) return dovetail::shortened(activity(), room);
  const double share = remaining_.share_done(seconds);
  const std::optional<double> left = remaining_.seconds_left(seconds);
  const std::string figures =
      fmt::format(" {:3.0f}%  {}  ", std::floor(100 * share),
                  left ? dovetail::duration_text(*left) + " left" : dovetail::duration_text(seconds));
  const std::size_t used = kBarWidth + figures.size();
  if (used + 8 > room) return dovetail::shortened(activity(), room);
  return bar(share) + figures + dovetail::shortened(activity(), room - used);
}

std::string TerminalObserver::pipe_line(Clock::time_point now) const {
  const double seconds = seconds_since_start(now);
  std::string text = fmt::format("after {}", dovetail::duration_text(seconds));
  if (!remaining_.name().empty()) {
    text = fmt::format("{:.0f}% {}", std::floor(100 * remaining_.share_done(seconds)), text);
    if (const std::optional<double> left = remaining_.seconds_left(seconds)) {
      text += fmt::format(", {} left", dovetail::duration_text(*left));
    }
  }
  constexpr std::size_t kColumns = 79;
  return dovetail::shortened(fmt::format("progress: {}: {}", text, activity()), kColumns);
}

void TerminalObserver::note(const std::string& text) {
  if (quiet_) return;
  const std::lock_guard lock(mutex_);
  remove_line();
  print_aside(fmt::format("{}\n", fitted(dovetail::printable(text), STDERR_FILENO)));
}

void TerminalObserver::warning(const std::string& text) {
  const std::lock_guard lock(mutex_);
  remove_line();
  constexpr std::string_view kWord = "warning:";
  const std::string line = fitted(fmt::format("{} {}", kWord, dovetail::printable(text)), STDERR_FILENO);
  const bool colour = may_colour(STDERR_FILENO);
  print_aside(fmt::format("{}{}{}{}\n", colour ? "\x1b[33m" : "", kWord, colour ? "\x1b[0m" : "",
                          line.substr(kWord.size())));
}

bool TerminalObserver::cancelled() {
  return interruption() != 0;
}

void TerminalObserver::remove_line() {
  if (drawn_) print_aside("\r\x1b[K");
  drawn_ = false;
}

void TerminalObserver::clear() {
  const std::lock_guard lock(mutex_);
  remove_line();
  active_ = false;
}
