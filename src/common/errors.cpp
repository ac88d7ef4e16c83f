#include <dovetail/errors.h>

#include <utility>

#include "common/text.h"

namespace dovetail {

namespace {

std::string located(const std::string& file, std::uint64_t line, const std::string& problem) {
  return printable(line == 0 ? file + ": " + problem : file + ":" + std::to_string(line) + ": " + problem);
}

}  // namespace

InputError::InputError(std::string file, std::uint64_t line, const std::string& problem)
    : Error(located(file, line, problem)), file_(std::move(file)), line_(line) {}

}  // namespace dovetail
