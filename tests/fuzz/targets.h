#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace dovetail::test {

/// A reader of bytes that may come from anywhere. Whatever they are, it ends well or in an Error; anything
/// else that it throws, and what a sanitizer sees, is a defect.
struct FuzzTarget {
  const char* name;  ///< also of its folder of seeds below corpus
  std::function<void(std::string_view bytes)> read;
  /// A file of a format, as its writer writes it: a seed beside those of the corpus.
  std::function<std::string()> written{};
};

[[nodiscard]] std::span<const FuzzTarget> fuzz_targets();

/// Reads `bytes` as `target` does; an Error is as good as success.
void feed(const FuzzTarget& target, std::string_view bytes);

}  // namespace dovetail::test
