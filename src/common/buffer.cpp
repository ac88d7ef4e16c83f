#include "common/buffer.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <sys/mman.h>

namespace dovetail {
namespace {

constexpr std::size_t kCacheLine = 64;
constexpr std::size_t kHugePage = std::size_t{2} << 20;

bool is_large(std::size_t bytes) {
  return bytes >= kHugePage;
}

std::size_t round_up(std::size_t bytes, std::size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

}  // namespace

void* allocate_zeroed(std::size_t bytes) {
  if (!is_large(bytes)) {
    const std::size_t size = round_up(bytes, kCacheLine);
    void* memory = std::aligned_alloc(kCacheLine, size);
    if (memory == nullptr) throw std::bad_alloc();
    return std::memset(memory, 0, size);
  }
  // Mapped one huge page longer than needed, so that the part that is used can begin at the border of one.
  const std::size_t size = round_up(bytes, kHugePage);
  void* mapped = mmap(nullptr, size + kHugePage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  auto* const begin = static_cast<char*>(mapped);
  const std::size_t skip = (kHugePage - reinterpret_cast<std::uintptr_t>(begin) % kHugePage) % kHugePage;
  if (skip > 0) munmap(begin, skip);
  if (skip < kHugePage) munmap(begin + skip + size, kHugePage - skip);
  madvise(begin + skip, size, MADV_HUGEPAGE);  // advice: where it is refused, pages are small
  return begin + skip;
}

void release(void* memory, std::size_t bytes) noexcept {
  if (is_large(bytes)) {
    munmap(memory, round_up(bytes, kHugePage));
  } else {
    std::free(memory);
  }
}

}  // namespace dovetail
