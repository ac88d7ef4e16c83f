#pragma once

#include <cstdint>
#include <fstream>
#include <unistd.h>

namespace dovetail {

/// The memory that this process has resident now, in bytes.
inline std::uint64_t resident_bytes() {
  std::uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages >> pages;  // the second number
  return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace dovetail
