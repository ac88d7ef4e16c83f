#pragma once

#include <cstddef>

namespace dovetail {

/// Has what lies between brought from memory, to be changed. Always inline, as is to be what calls it: GCC
/// takes a function that does nothing else for one without effect, and leaves out its calls.
[[gnu::always_inline]] inline void ask_for(const void* begin, std::size_t bytes) {
  constexpr std::size_t kCacheLine = 64;
  for (std::size_t at = 0; at < bytes; at += kCacheLine) {
    __builtin_prefetch(static_cast<const char*>(begin) + at, 1);
  }
}

}  // namespace dovetail
