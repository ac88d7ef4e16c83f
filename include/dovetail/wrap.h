#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace dovetail {

/// The words of a text in lines of at most `width` bytes; a longer word has a line of its own.
[[nodiscard]] std::vector<std::string> wrapped(std::string_view text, std::size_t width);

}  // namespace dovetail
