#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace dovetail {

struct MemoryLimit {
  std::uint64_t bytes = 0;
  std::string origin;  ///< who sets it, for messages
};

/// The most memory that this process may have: by ulimit, by its cgroup or one above it, or by the machine.
/// The two folders are those of the system, but for tests.
[[nodiscard]] MemoryLimit memory_limit(const std::filesystem::path& process = "/proc/self",
                                       const std::filesystem::path& cgroups = "/sys/fs/cgroup");

}  // namespace dovetail
