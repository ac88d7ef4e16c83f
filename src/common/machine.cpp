#include "common/machine.h"

#include <fmt/format.h>
#include <fstream>
#include <thread>

#include "common/text.h"

namespace dovetail {

std::string machine_text() {
  std::string processor = "unknown processor";
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("model name") || line.find(": ") == std::string::npos) continue;
    processor = line.substr(line.find(": ") + 2);
    break;
  }
  const unsigned threads = std::thread::hardware_concurrency();
  return fmt::format("{}, {} thread{}", processor, threads, plural(threads));
}

}  // namespace dovetail
