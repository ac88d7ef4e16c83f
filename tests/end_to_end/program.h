#pragma once

#include <algorithm>
#include <cstddef>
#include <fcntl.h>
#include <filesystem>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "formats/support.h"

namespace dovetail::test {

/// What a run of the program left behind.
struct Outcome {
  int code = -1;  ///< -1 where it did not exit by itself
  std::string out;
  std::string err;
};

/// Starts the real program with its two streams going to files. `prepare` is called in the new process, just
/// before it becomes the program.
inline pid_t start(const std::vector<std::string>& arguments, const std::string& out, const std::string& err,
                   const std::function<void()>& prepare = {}) {
  const pid_t child = fork();
  if (child == 0) {
    dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
    dup2(open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDOUT_FILENO);
    dup2(open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO);
    std::vector<char*> argv = {const_cast<char*>(DOVETAIL_PROGRAM)};
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    if (prepare) prepare();
    execv(argv[0], argv.data());
    _exit(127);
  }
  return child;
}

/// Runs the real program, neither stream a terminal, and waits for its end. What it prints may go to a
/// target of the test's choice, and is then not kept.
inline Outcome dovetail(const std::vector<std::string>& arguments, const std::string& target = {},
                        const std::function<void()>& prepare = {}) {
  const Workspace streams;
  const std::string out = target.empty() ? (streams / "out").string() : target;
  const std::string err = (streams / "err").string();
  const pid_t child = start(arguments, out, err, prepare);
  int status = 0;
  waitpid(child, &status, 0);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, target.empty() ? content_of(out) : "",
          content_of(err)};
}

/// Every file below a folder, by its path there, with its content.
inline std::map<std::string, std::string> tree_of(const std::filesystem::path& folder) {
  std::map<std::string, std::string> tree;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    tree[entry.path().lexically_relative(folder).string()] =
        entry.is_regular_file() ? content_of(entry.path()) : "";
  }
  return tree;
}

/// The longest line in columns; a multi-byte character takes one.
inline std::size_t widest_line(const std::string& text) {
  std::size_t widest = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const auto columns = std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xC0) != 0x80; });
    widest = std::max(widest, static_cast<std::size_t>(columns));
  }
  return widest;
}

}  // namespace dovetail::test
