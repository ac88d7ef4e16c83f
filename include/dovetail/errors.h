#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace dovetail {

/// What every failure of the library is derived from. The message is one line that a user can act on.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A file whose content is not what it should be. The message reads
/// `FILE:LINE: found WHAT; expected WHAT; ADVICE`, as far as each part is known.
class InputError : public Error {
 public:
  InputError(std::string file, std::uint64_t line, const std::string& problem);

  [[nodiscard]] const std::string& file() const { return file_; }
  /// 1-based; 0 where the problem is the file as a whole.
  [[nodiscard]] std::uint64_t line() const { return line_; }

 private:
  std::string file_;
  std::uint64_t line_;
};

/// A parameter outside its range, or two that exclude each other.
class ParameterError : public Error {
 public:
  using Error::Error;
};

/// Something that is well-formed but that Dovetail does not do.
class UnsupportedError : public Error {
 public:
  using Error::Error;
};

/// The operating system refused: no such file, no permission, disk full.
class SystemError : public Error {
 public:
  explicit SystemError(const std::string& message, int code = 0) : Error(message), code_(code) {}

  /// As errno has it; 0 where it is not known.
  [[nodiscard]] int code() const { return code_; }

 private:
  int code_;
};

/// The work was given up because an Observer asked for it.
class Cancelled : public Error {
 public:
  explicit Cancelled(const std::string& message = "stopped; nothing half-written was left behind")
      : Error(message) {}
};

}  // namespace dovetail
