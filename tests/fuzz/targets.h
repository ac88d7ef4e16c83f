#pragma once

#include <span>
#include <string_view>

namespace dovetail::test {

/// A reader of bytes that may come from anywhere. Whatever they are, it ends well or in an Error; anything
/// else that it throws, and what a sanitizer sees, is a defect.
struct FuzzTarget {
  const char* name;  ///< also of its folder of seeds below corpus
  void (*read)(std::string_view bytes);
};

[[nodiscard]] std::span<const FuzzTarget> fuzz_targets();

/// Reads `bytes` as `target` does; an Error is as good as success.
void feed(const FuzzTarget& target, std::string_view bytes);

}  // namespace dovetail::test
