#pragma once

#include <span>
#include <string>
#include <string_view>

namespace dovetail {

/// "; did you mean dimension?" where one of the words is nearly the one that was written, else nothing.
[[nodiscard]] std::string did_you_mean(std::string_view written, std::span<const std::string> words);

}  // namespace dovetail
