#include "common/buffer.h"

#include <dovetail/errors.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <iterator>
#include <map>
#include <mutex>
#include <new>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace dovetail {
namespace {

constexpr std::size_t kCacheLine = 64;
constexpr std::size_t kHugePage = std::size_t{2} << 20;
/// Kept for the next allocation at most: beyond it, memory counts more than the time that clearing it takes.
constexpr std::size_t kMostSpare = std::size_t{512} << 20;

bool is_large(std::size_t bytes) {
  return bytes >= kHugePage;
}

std::size_t round_up(std::size_t bytes, std::size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

void* map_pages(std::size_t size) {
  // Mapped one huge page longer than needed, so that the part that is used can begin at the border of one.
  void* mapped = mmap(nullptr, size + kHugePage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  auto* const begin = static_cast<char*>(mapped);
  const std::size_t skip = (kHugePage - reinterpret_cast<std::uintptr_t>(begin) % kHugePage) % kHugePage;
  if (skip > 0) munmap(begin, skip);
  if (skip < kHugePage) munmap(begin + skip + size, kHugePage - skip);
  madvise(begin + skip, size, MADV_HUGEPAGE);  // advice: where it is refused, pages are small
  return begin + skip;
}

/// Large blocks that were given back, for the next one who asks: having the system clear fresh pages takes
/// many times as long as clearing these. What is kept never raises the memory held above what was once in
/// use at the same time.
class Recycler {
 public:
  void* take(std::size_t size) {
    const std::lock_guard lock(mutex_);
    const auto fitting = spare_.lower_bound(size);
    if (fitting != spare_.end() && fitting->first <= 2 * size) {
      const auto [capacity, memory] = *fitting;
      spare_.erase(fitting);
      spare_bytes_ -= capacity;
      lend(memory, capacity);
      return std::memset(memory, 0, size);
    }
    while (!spare_.empty() && used_bytes_ + spare_bytes_ + size > most_used_) drop_largest();
    void* const memory = map_pages(size);
    lend(memory, size);
    return memory;
  }

  void give_back(void* memory) noexcept {
    const std::lock_guard lock(mutex_);
    const auto lent = lent_.find(memory);
    const std::size_t capacity = lent->second;
    lent_.erase(lent);
    used_bytes_ -= capacity;
    spare_.emplace(capacity, memory);
    spare_bytes_ += capacity;
    while (spare_bytes_ > (sparing_ > 0 ? 0 : kMostSpare)) drop_largest();
  }

  /// Counts those who want nothing to be kept.
  void spare(int more) noexcept {
    const std::lock_guard lock(mutex_);
    sparing_ += more;
  }

  void drop_all() noexcept {
    const std::lock_guard lock(mutex_);
    while (!spare_.empty()) drop_largest();
  }

 private:
  void lend(void* memory, std::size_t capacity) {
    lent_.emplace(memory, capacity);
    used_bytes_ += capacity;
    most_used_ = std::max(most_used_, used_bytes_);
  }

  void drop_largest() noexcept {
    const auto largest = std::prev(spare_.end());
    munmap(largest->second, largest->first);
    spare_bytes_ -= largest->first;
    spare_.erase(largest);
  }

  std::mutex mutex_;
  std::multimap<std::size_t, void*> spare_;  // by capacity
  std::map<void*, std::size_t> lent_;
  std::size_t spare_bytes_ = 0, used_bytes_ = 0, most_used_ = 0;
  int sparing_ = 0;
};

/// Lives as long as the program, so that buffers of static duration can still be given back.
Recycler& recycler() {
  static auto* const instance = new Recycler;
  return *instance;
}

}  // namespace

void* allocate_zeroed(std::size_t bytes) {
  if (is_large(bytes)) return recycler().take(round_up(bytes, kHugePage));
  const std::size_t size = round_up(bytes, kCacheLine);
  void* memory = std::aligned_alloc(kCacheLine, size);
  if (memory == nullptr) throw std::bad_alloc();
  return std::memset(memory, 0, size);
}

void release(void* memory, std::size_t bytes) noexcept {
  if (is_large(bytes)) {
    recycler().give_back(memory);
  } else {
    std::free(memory);
  }
}

void* map_scratch_file(std::size_t bytes, const std::filesystem::path& folder) {
  const auto fail = [&](const char* what, int error) {
    throw SystemError(fmt::format("{}: {} of {} bytes failed", folder.string(), what, bytes), error);
  };
  std::string name = (folder / "dovetail-XXXXXX").string();
  const int file = mkstemp(name.data());
  if (file < 0) fail("making a scratch file", errno);
  unlink(name.c_str());
  const int error =
      posix_fallocate(file, 0, static_cast<off_t>(bytes));  // or a full disk would kill the process
  void* const memory =
      error == 0 ? mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) : MAP_FAILED;
  const int map_error = errno;
  close(file);
  if (error != 0) fail("a scratch file", error);
  if (memory == MAP_FAILED) fail("mapping a scratch file", map_error);
  return memory;
}

void unmap_scratch_file(void* memory, std::size_t bytes) noexcept {
  munmap(memory, bytes);
}

void move_out(void* begin, void* end) noexcept {
  // Pages that are partly of others stay.
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const std::uintptr_t first = (reinterpret_cast<std::uintptr_t>(begin) + page - 1) / page * page;
  const std::uintptr_t last = reinterpret_cast<std::uintptr_t>(end) / page * page;
  if (first < last) madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED);
}

void drop_spare_memory() noexcept {
  recycler().drop_all();
}

NoSpareMemory::NoSpareMemory() {
  recycler().spare(1);
  recycler().drop_all();
}

NoSpareMemory::~NoSpareMemory() {
  recycler().spare(-1);
}

}  // namespace dovetail
