#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace dovetail {

/// What is longer than this is no name, and would fill the memory of whoever compares names. In bytes.
inline constexpr std::size_t kLongestName = 1 << 16;

[[noreturn]] void refuse_name(std::string_view file, std::uint64_t line, std::string_view name);

/// Throws InputError where an identifier or a label is longer than that.
inline void check_name(std::string_view file, std::uint64_t line, std::string_view name) {
  if (name.size() > kLongestName) refuse_name(file, line, name);
}

}  // namespace dovetail
