#include "common/memory_limit.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include "common/sanitized.h"
#include "formats/support.h"

namespace dovetail::test {
namespace {

constexpr std::uint64_t kMebibyte = 1 << 20;

TEST(MemoryLimit, IsTheMachinesWhereNobodySetsOne) {
  const Workspace none;
  const MemoryLimit limit = memory_limit(none.path(), none.path());
  EXPECT_EQ(limit.origin, "the machine");
  EXPECT_GT(limit.bytes, 100 * kMebibyte);
}

TEST(MemoryLimit, IsTheLowestOfTheGroupsAboveTheProcess) {
  const Workspace here;
  here.write("proc/cgroup", "0::/outer/inner\n");
  here.write("cgroups/outer/memory.max", std::to_string(70 * kMebibyte) + "\n");
  here.write("cgroups/outer/inner/memory.max", "max\n");
  const MemoryLimit limit = memory_limit(here / "proc", here / "cgroups");
  EXPECT_EQ(limit.bytes, 70 * kMebibyte);
  EXPECT_EQ(limit.origin, "the cgroup");
}

TEST(MemoryLimit, KnowsTheFirstVersionOfGroupsToo) {
  const Workspace here;
  here.write("proc/cgroup", "12:cpu,cpuacct:/x\n11:memory:/job\n1:name=systemd:/y\n");
  here.write("cgroups/memory/memory.limit_in_bytes", "9223372036854771712\n");
  here.write("cgroups/memory/job/memory.limit_in_bytes", std::to_string(50 * kMebibyte) + "\n");
  EXPECT_EQ(memory_limit(here / "proc", here / "cgroups").bytes, 50 * kMebibyte);
}

TEST(MemoryLimit, FollowsUlimit) {
  if (kSanitized) GTEST_SKIP() << "the sanitizer itself takes terabytes of addresses";
  rlimit before{};
  getrlimit(RLIMIT_DATA, &before);
  const rlimit now = {.rlim_cur = 600 * kMebibyte, .rlim_max = before.rlim_max};
  setrlimit(RLIMIT_DATA, &now);
  const Workspace none;
  const MemoryLimit limit = memory_limit(none.path(), none.path());
  setrlimit(RLIMIT_DATA, &before);
  EXPECT_EQ(limit.bytes, 600 * kMebibyte);
  EXPECT_EQ(limit.origin, "ulimit");
}

}  // namespace
}  // namespace dovetail::test
