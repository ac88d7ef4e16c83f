#include "common/percent.h"

#include <algorithm>
#include <fmt/format.h>

#include "common/text.h"

namespace dovetail {

void append_percent_encoded(std::string& out, std::string_view text, std::string_view forbidden) {
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    const auto byte = static_cast<unsigned char>(text.front());
    if (byte <= 0x20 || byte == 0x7F || length == 0 ||
        forbidden.find(text.front()) != std::string_view::npos) {
      out += fmt::format("%{:02X}", byte);
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(std::max<std::size_t>(1, length));
  }
}

}  // namespace dovetail
