#include <dovetail/errors.h>

#include <utility>

namespace dovetail {

namespace {

std::string located(const std::string& file, std::uint64_t line, const std::string& problem) {
  if (line == 0) return file + ": " + problem;
  return file + ":" + std::to_string(line) + ": " + problem;
}

}  // namespace

InputError::InputError(std::string file, std::uint64_t line, const std::string& problem)
    : Error(located(file, line, problem)), file_(std::move(file)), line_(line) {}

}  // namespace dovetail
