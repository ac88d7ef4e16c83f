#pragma once

#include <cstdint>
#include <string_view>

#include "common/random.h"

namespace dovetail {

/// A hash of a text that is the same on every machine (FNV-1a, mixed): random choices about what the text
/// names follow from it.
constexpr std::uint64_t text_hash(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return mix64(hash);
}

}  // namespace dovetail
