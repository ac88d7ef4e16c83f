#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace dovetail {

/// Calls body(character) for each character of valid UTF-8.
template <typename Body>
void for_each_character(std::string_view text, const Body& body) {
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    std::uint32_t code = length == 1 ? lead : lead & (0x7FU >> length);
    for (std::size_t n = 1; n < length; ++n)
      code = code << 6 | (static_cast<unsigned char>(text[i + n]) & 0x3FU);
    body(code);
    i += length;
  }
}

}  // namespace dovetail
