#pragma once

#include <string>

namespace dovetail {

/// What the program runs on, in words: processor and number of threads it has.
[[nodiscard]] std::string machine_text();

}  // namespace dovetail
