#include "common/memory_limit.h"

#include <fstream>
#include <string_view>
#include <sys/resource.h>
#include <unistd.h>

namespace dovetail {

namespace {

namespace fs = std::filesystem;

void lower(MemoryLimit& limit, std::uint64_t bytes, const char* origin) {
  if (bytes < limit.bytes) limit = {bytes, origin};
}

/// The limits of a group and of all above it; a file without a number sets none.
void lower_to_group(MemoryLimit& limit, const fs::path& root, std::string_view group, const char* file) {
  while (group.starts_with('/')) group.remove_prefix(1);
  for (fs::path below = group;; below = below.parent_path()) {
    std::ifstream text(root / below / file);
    if (std::uint64_t bytes = 0; text >> bytes) lower(limit, bytes, "the cgroup");
    if (below.empty()) return;
  }
}

}  // namespace

MemoryLimit memory_limit(const fs::path& process, const fs::path& cgroups) {
  MemoryLimit limit = {
      static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)),
      "the machine"};
  for (const auto resource : {RLIMIT_AS, RLIMIT_DATA}) {
    rlimit set{};
    if (getrlimit(resource, &set) == 0 && set.rlim_cur != RLIM_INFINITY) lower(limit, set.rlim_cur, "ulimit");
  }
  // NUMBER:CONTROLLERS:GROUP; version 2 has no controllers there, version 1 a tree for each.
  std::ifstream groups(process / "cgroup");
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const std::string_view group = std::string_view(line).substr(second + 1);
    if (controllers == ",,") lower_to_group(limit, cgroups, group, "memory.max");
    if (controllers.find(",memory,") != std::string::npos) {
      lower_to_group(limit, cgroups / "memory", group, "memory.limit_in_bytes");
    }
  }
  return limit;
}

}  // namespace dovetail
