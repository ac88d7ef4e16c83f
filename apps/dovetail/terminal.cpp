#include "terminal.h"

#include <dovetail/errors.h>
#include <dovetail/text.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace {

using namespace std::chrono_literals;

constexpr auto kFirstDraw = 300ms;   // shorter work shows nothing
constexpr auto kRedraw = 100ms;      // on a terminal
constexpr auto kPlainLine = 5000ms;  // in a pipe

std::string amount(std::uint64_t number, const std::string& unit) {
  return unit == "bytes" ? dovetail::human_bytes(number) : dovetail::with_commas(number) + " " + unit;
}

std::string bar(double share, std::size_t width) {
  const auto full = static_cast<std::size_t>(std::llround(share * static_cast<double>(width)));
  std::string text;
  for (std::size_t i = 0; i < width; ++i) text += i < full ? "━" : "─";
  return text;
}

std::size_t columns(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

/// One line as several that fit, broken between words; the later ones are set in.
std::string broken(std::string_view line, std::size_t width) {
  constexpr std::string_view kInset = "\n  ";
  std::string text;
  std::size_t used = 0;
  while (!line.empty()) {
    const std::size_t end = std::min(line.find(' ', line.find_first_not_of(' ')), line.size());
    const std::string_view word = line.substr(0, end);
    if (used > 0 && used + columns(word) > width) {
      text += kInset;
      text += word.substr(std::min(word.find_first_not_of(' '), word.size()));
      used = kInset.size() - 1 + columns(word) - 1;
    } else {
      text += word;
      used += columns(word);
    }
    line.remove_prefix(end);
  }
  return text;
}

static_assert(std::atomic<int>::is_always_lock_free);
std::atomic<int> interrupted = 0;  // written by a signal's handler, read by all threads

}  // namespace

void catch_interruption() {
  struct sigaction action {};
  action.sa_handler = [](int signal) { interrupted = signal; };
  // Terminals that close and limits of time send theirs again and again; one is enough.
  struct sigaction before {};
  sigaction(SIGHUP, nullptr, &before);
  if (before.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);
  sigaction(SIGUSR1, &action, nullptr);
  sigaction(SIGXCPU, &action, nullptr);
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  // A file that grows beyond ulimit -f, and a pipe that nobody reads, are errors of write() then, with a
  // message.
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
}

int interruption() {
  return interrupted;
}

void occupy_closed_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    // The lowest free number is taken. O_PATH: it can be neither read nor written.
    if (fcntl(stream, F_GETFD) == -1 && errno == EBADF) (void)open("/", O_PATH);
  }
}

void check_open_files() {
  constexpr std::size_t kNeeded = 32;
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  if (limit.rlim_cur < kNeeded) {
    limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, 2 * kNeeded);
    setrlimit(RLIMIT_NOFILE, &limit);
  }
  std::vector<int> opened;
  while (opened.size() < kNeeded) {
    const int file = open("/", O_PATH | O_CLOEXEC);
    if (file < 0) break;
    opened.push_back(file);
  }
  for (const int file : opened) close(file);
  if (opened.size() < kNeeded) {
    throw dovetail::SystemError(
        fmt::format("only {} more files can be open at a time; expected {}: raise the limit (ulimit -n)",
                    opened.size(), kNeeded));
  }
}

void print_aside(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

void print_summary(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
  std::clearerr(stdout);
}

void print_result(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0) return;
  throw dovetail::SystemError("standard output: cannot write: " + std::generic_category().message(errno),
                              errno);
}

bool TerminalObserver::cancelled() {
  return interrupted != 0;
}

bool may_colour(int stream) {
  const char* no_colour = std::getenv("NO_COLOR");
  return isatty(stream) == 1 && (no_colour == nullptr || *no_colour == '\0');
}

std::size_t terminal_width(int stream) {
  winsize size{};
  return ioctl(stream, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

std::string fitted(std::string_view text, int stream) {
  if (isatty(stream) != 1) return std::string(text);
  const std::size_t width = terminal_width(stream);
  std::string lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines += broken(text.substr(0, end), width);
    if (end < text.size()) lines += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

TerminalObserver::TerminalObserver(bool quiet)
    : quiet_(quiet), terminal_(isatty(STDERR_FILENO) == 1), begun_(Clock::now()), last_(begun_) {}

TerminalObserver::~TerminalObserver() {
  clear();
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
  if (now - begun_ >= kFirstDraw && now - last_ >= (terminal_ ? kRedraw : kPlainLine)) {
    last_ = now;
    if (terminal_) {
      draw(now);
    } else {
      report_line(found->first, found->second, now);
    }
  }
  if (total != 0 && done >= total) tasks_.erase(found);
}

void TerminalObserver::draw(Clock::time_point now) {
  // Tasks that run side by side share the line; the one begun first gives the bar and the remaining time.
  if (tasks_.empty()) return;
  const auto first = std::min_element(tasks_.begin(), tasks_.end(), [](const auto& a, const auto& b) {
    return a.second.begun < b.second.begun;
  });
  const Task& task = first->second;
  const double seconds = std::chrono::duration<double>(now - task.begun).count();
  const std::string others = tasks_.size() > 1 ? fmt::format(" and {} more", tasks_.size() - 1) : "";
  const std::size_t room = std::max<std::size_t>(terminal_width(STDERR_FILENO), 40) - 1;
  // A line that did not fit could not be taken back.
  constexpr std::size_t kBesideName = 45;
  const std::string name =
      dovetail::shortened(first->first, room - std::min(kBesideName + others.size(), room / 2)) + others;
  std::string text;
  if (task.total == 0) {
    text = fmt::format("{}  {}", name, amount(task.done, task.unit));
  } else {
    const double share = static_cast<double>(task.done) / static_cast<double>(task.total);
    const double left = share > 0 ? seconds * (1 - share) / share : 0;
    const double rate = seconds > 0 ? static_cast<double>(task.done) / seconds : 0;
    const std::string tail =
        fmt::format(" {:3.0f}%  {}/s, {} left", 100 * share,
                    amount(static_cast<std::uint64_t>(rate), task.unit), dovetail::duration_text(left));
    const std::size_t width = room > name.size() + tail.size() + 7 ? room - name.size() - tail.size() - 2 : 5;
    text = fmt::format("{}  {}{}", name, bar(std::min(share, 1.0), std::min<std::size_t>(width, 30)), tail);
  }
  print_aside("\r\x1b[K" + text);
  drawn_ = true;
}

void TerminalObserver::report_line(const std::string& task_name, const Task& task,
                                   Clock::time_point now) const {
  const std::string name = dovetail::printable(task_name);
  const double seconds = std::chrono::duration<double>(now - task.begun).count();
  if (task.total == 0) {
    print_aside(fmt::format("{}: {} after {}\n", name, amount(task.done, task.unit),
                            dovetail::duration_text(seconds)));
  } else {
    print_aside(fmt::format("{}: {:.0f}%, {} of {} after {}\n", name,
                            100.0 * static_cast<double>(task.done) / static_cast<double>(task.total),
                            amount(task.done, task.unit), amount(task.total, task.unit),
                            dovetail::duration_text(seconds)));
  }
}

void TerminalObserver::note(const std::string& text) {
  if (quiet_) return;
  clear();
  const std::lock_guard lock(mutex_);
  print_aside(fmt::format("{}\n", fitted(dovetail::printable(text), STDERR_FILENO)));
}

void TerminalObserver::warning(const std::string& text) {
  clear();
  const std::lock_guard lock(mutex_);
  constexpr std::string_view kWord = "warning:";
  const std::string line = fitted(fmt::format("{} {}", kWord, dovetail::printable(text)), STDERR_FILENO);
  const bool colour = may_colour(STDERR_FILENO);
  print_aside(fmt::format("{}{}{}{}\n", colour ? "\x1b[33m" : "", kWord, colour ? "\x1b[0m" : "",
                          line.substr(kWord.size())));
}

void TerminalObserver::clear() {
  const std::lock_guard lock(mutex_);
  if (drawn_) print_aside("\r\x1b[K");
  drawn_ = false;
}
