#include "terminal.h"

#include <dovetail/errors.h>
#include <dovetail/text.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
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

std::size_t columns(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

/// One line wrapped between words; further lines are indented.
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
  // Closed terminals and limits of time send their signals repeatedly; one is enough.
  struct sigaction before {};
  sigaction(SIGHUP, nullptr, &before);
  if (before.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);
  sigaction(SIGUSR1, &action, nullptr);
  sigaction(SIGXCPU, &action, nullptr);
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  // A file larger than ulimit -f and a closed pipe then become errors of write(), which have a message.
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
}

int interruption() {
  return interrupted;
}

void occupy_closed_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    // open() takes the lowest free descriptor. O_PATH: it can be neither read nor written.
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
        fmt::format("only {} more files can be opened; expected {}: raise the limit (ulimit -n)",
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
