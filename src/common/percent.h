#pragma once

#include <string>
#include <string_view>

namespace dovetail {

/// Appends `text` with control characters, spaces, what is no UTF-8 and the characters in `forbidden` as %XX.
void append_percent_encoded(std::string& out, std::string_view text, std::string_view forbidden);

}  // namespace dovetail
