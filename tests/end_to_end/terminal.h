#pragma once

#include <array>
#include <cstdlib>
#include <pty.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace dovetail::test {

/// What the program shows on a terminal of 80 columns, and how it ended, as waitpid() says.
inline std::pair<std::string, int> on_terminal(const std::vector<std::string>& arguments,
                                               const char* no_colour = nullptr) {
  winsize size{.ws_row = 24, .ws_col = 80, .ws_xpixel = 0, .ws_ypixel = 0};
  int terminal = -1;
  const pid_t child = forkpty(&terminal, nullptr, nullptr, &size);
  if (child == 0) {
    unsetenv("NO_COLOR");
    if (no_colour != nullptr) setenv("NO_COLOR", no_colour, 1);
    std::vector<char*> argv = {const_cast<char*>(DOVETAIL_PROGRAM)};
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    execv(argv[0], argv.data());
    _exit(127);
  }
  std::string text;
  std::array<char, 4096> buffer{};
  for (ssize_t got = 0; (got = read(terminal, buffer.data(), buffer.size())) > 0;) {
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
  close(terminal);
  int status = 0;
  waitpid(child, &status, 0);
  return {text, status};
}

}  // namespace dovetail::test
