#include "config_file.h"

#include <dovetail/errors.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <sstream>

#include "alignment/parameters.h"
#include "formats/byte_source.h"
#include "runs/saved_run.h"

using namespace dovetail;

namespace {

/// The line of a file that begins with a key; CLI11 does not say where it read one.
std::uint64_t line_of(const std::string& text, const std::string& key) {
  std::istringstream lines(text);
  std::uint64_t number = 1;
  for (std::string line; std::getline(lines, line); ++number) {
    const std::size_t begin = std::min(line.find_first_not_of(" \t\"'"), line.size());
    if (line.compare(begin, key.size(), key) == 0) return number;
  }
  return 0;
}

}  // namespace

void read_config(const std::string& path, AlignOptions& options) {
  const std::string text = read_whole(path, 64 << 20);
  if (text.starts_with('{')) {
    const std::size_t threads = options.threads;
    options = read_run_options(path);
    options.threads = threads;  // of this machine, not of that run's
    return;
  }
  std::istringstream stream(text);
  for (const CLI::ConfigItem& item : CLI::ConfigTOML().from_config(stream)) {
    if (item.name == "++" || item.name == "--") continue;  // where a section begins and ends
    try {
      if (item.inputs.size() != 1) {
        throw ParameterError(fmt::format("{} has {} values; expected one", item.name, item.inputs.size()));
      }
      set_parameter(options, item.name, item.inputs[0]);
    } catch (const ParameterError& error) {
      throw InputError(path, line_of(text, item.name), error.what());
    }
  }
}
